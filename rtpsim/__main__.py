"""``python -m rtpsim``: the command line."""

from rtpsim.cli.main import main

if __name__ == "__main__":
    main()
