"""Files written whole or not at all: stopped at every step, and with everything in the way."""

import os
import random
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from rtpsim.files import remove_parts, write_whole

STEPS = ["write", "fsync file", "replace", "fsync folder"]


def writes(text):
    return lambda part: part.write_text(text, encoding="utf-8")


def names(folder):
    return sorted(entry.name for entry in folder.iterdir())


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "run.json"
    write_whole(path, writes("old"))
    return path


@pytest.fixture
def steps(monkeypatch):
    """Note which steps are taken; `steps.fail` names one that goes wrong."""

    class Steps(list):
        fail = None

        def take(self, step):
            self.append(step)
            if step == self.fail:
                raise OSError(28, "No space left on device")

    steps = Steps()
    fsync, replace = os.fsync, Path.replace

    def noted_fsync(descriptor):
        kind = "folder" if os.path.isdir(f"/proc/self/fd/{descriptor}") else "file"
        steps.take(f"fsync {kind}")
        fsync(descriptor)

    def noted_replace(self, target):
        steps.take("replace")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(Path, "replace", noted_replace)
    return steps


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc")
def test_content_and_name_reach_the_disk_in_this_order(path, steps):
    def write(part):
        steps.take("write")
        part.write_text("new", encoding="utf-8")

    write_whole(path, write)
    assert steps == STEPS
    assert path.read_text() == "new"


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc")
@pytest.mark.parametrize("step", STEPS[:3])
def test_what_fails_before_the_end_leaves_the_old_file(path, steps, step):
    steps.fail = step

    def write(part):
        part.write_text("ne", encoding="utf-8")
        steps.take("write")

    with pytest.raises(OSError, match="No space left"):
        write_whole(path, write)
    assert path.read_text() == "old"
    assert names(path.parent) == ["run.json"]


def test_the_file_before_is_kept_where_asked(path):
    write_whole(path, writes("new"), keep_previous=True)
    assert (path.read_text(), Path(f"{path}.1").read_text()) == ("new", "old")
    write_whole(path, writes("newest"), keep_previous=True)
    assert (path.read_text(), Path(f"{path}.1").read_text()) == ("newest", "new")


@pytest.mark.parametrize("links", [True, False])
def test_there_is_a_whole_file_at_every_moment(path, steps, monkeypatch, links):
    """At least the one before it, where the file system knows no links."""
    found = []
    take = steps.take

    def look(step):
        texts = [p.read_text() for p in (path, Path(f"{path}.1")) if p.exists()]
        found.append(path.exists() if links else bool(texts))
        assert set(texts) <= {"old", "new", "newest"}
        take(step)

    def no_links(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(steps, "take", look)
    if not links:
        monkeypatch.setattr(os, "link", no_links)
    for text in ("new", "newest"):
        write_whole(path, writes(text), keep_previous=True)
    assert found
    assert all(found)
    assert names(path.parent) == ["run.json", "run.json.1"]
    assert (path.read_text(), Path(f"{path}.1").read_text()) == ("newest", "new")


def test_a_link_is_followed_and_stays(path, tmp_path):
    link = tmp_path / "latest.json"
    link.symlink_to(path.name)
    write_whole(link, writes("new"))
    assert link.is_symlink()
    assert path.read_text() == "new"


def test_a_device_is_written_and_not_replaced():
    write_whole(os.devnull, writes("gone"))
    assert not Path(os.devnull).is_file()


def test_killed_while_writing_leaves_the_old_file_and_a_part_that_can_be_removed(path):
    code = """
        import os, signal, sys
        from rtpsim.files import write_whole

        def write(part):
            part.write_text("half of the n")
            os.kill(os.getpid(), signal.SIGKILL)

        write_whole(sys.argv[1], write)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code), path], timeout=60)
    assert done.returncode == -9
    assert path.read_text() == "old"
    (path.parent / "other.json").write_text("another")
    assert len(names(path.parent)) == 3
    remove_parts(path)
    assert names(path.parent) == ["other.json", "run.json"]


def test_killed_at_moments_of_chance_the_file_is_always_whole(tmp_path):
    """A process writes as fast as it can; whenever it is killed, the file is there and whole."""
    path = tmp_path / "run.json"
    code = """
        import itertools, sys
        from rtpsim.files import write_whole

        for number in itertools.count():
            text = f"{number} " * 5000
            write_whole(sys.argv[1], lambda part: part.write_text(text), keep_previous=True)
            print(number, flush=True)
    """
    pick = random.Random(4)
    for _ in range(8):
        with subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(code), path], stdout=subprocess.PIPE, text=True
        ) as process:
            until = pick.randrange(1, 30)
            for line in process.stdout:
                if int(line) >= until:
                    break
            time.sleep(pick.uniform(0, 0.01))
            process.kill()
        assert process.returncode == -9
        for one in (path, Path(f"{path}.1")):
            words = one.read_text().split()
            assert len(words) == 5000
            assert len(set(words)) == 1
            assert int(words[0]) >= until - 1
        remove_parts(path)
        assert names(tmp_path) == ["run.json", "run.json.1"]
