"""Faults in files and runs."""

from probe import of

RUNS = [
    of(
        "shards that overlap",
        "runs.shards:Shard.chunks",
        "range(chunks * (self.number - 1) // self.of",
        "range(max(0, chunks * (self.number - 1) // self.of - 1)",
        "runs/test_runs_merge.py::test_shards_are_all_of_the_run_in_equal_shares",
    ),
    of(
        "a merge that forgets a shard",
        "runs.merge:_sum",
        "for tally in tallies:",
        "for tally in list(tallies)[1:]:",
        "runs/test_runs_merge.py::test_merged_shards_are_the_run_in_one_piece",
    ),
    of(
        "doubled shards merged",
        "runs.merge:_refuse_overlap",
        "if start < end",
        "if False",
        "runs/test_runs_merge.py::test_doubled_shards_are_named",
    ),
    of(
        "missing shards not missed",
        "runs.merge:_refuse_gaps",
        "if not gaps",
        "if True",
        "runs/test_runs_merge.py::test_missing_shards_are_named",
    ),
    of(
        "a checkpoint's checksum not looked at",
        "runs.parcel:unpack",
        "hashlib.sha256(body).hexdigest().encode() != checksum",
        "False",
        "runs/test_runs_parcel.py::test_every_flipped_bit_is_noticed",
    ),
    of(
        "another run's checkpoint taken up",
        "runs.run:difference",
        "if found[key] != value",
        "if False",
        "runs/test_runs_checkpoint.py::test_another_run_s_checkpoint_is_refused_and_kept",
    ),
    of(
        "a result's checksum not looked at",
        "results.files:_from_document",
        "not in (None, _checksum(document))",
        "in ()",
        "fuzz/test_fuzz_results.py::test_damaged_files[.json-1]",
    ),
    of(
        "a table's checksum not looked at",
        "sealed:is_whole",
        "hashlib.sha256(rows + footer).digest() == digest",
        "True",
        "fuzz/test_fuzz_results.py::test_damaged_files[.parquet-1]",
    ),
    of(
        "rows of a result that are there twice",
        "results.files:_once",
        "if key in found",
        "if False",
        "fuzz/test_fuzz_results.py::test_printed_results_have_no_checksum_but_follow_from_their_counts[1]",
    ),
    of(
        "a chart out of the folder of its game",
        "games.files:_chart",
        "if not target.is_relative_to(folder.resolve())",
        "if False",
        "fuzz/test_fuzz_absurd.py::test_no_chart_outside_the_folder_of_the_game",
    ),
    of(
        "a stranger's text sent to the terminal as it is",
        "errors:visible",
        "character.isprintable()",
        "True",
        "fuzz/test_fuzz_charts.py::test_damaged_bytes[1]",
    ),
]
