"""`python -m ludus` is the command `ludus`: it begins here, so that Ctrl-C ends it while it is still loading."""

from ludus import _loading


def main() -> None:
    """Load the command line, and run it."""
    from ludus.cli import main as run

    _loading.is_done()
    run()


if __name__ == "__main__":
    main()
