"""`python -m ludus` is the command `ludus`: it begins here, so that Ctrl-C ends it while it is still loading."""

import signal


def main() -> None:
    """Load the command line, and run it."""
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    from ludus.cli import main as run

    signal.signal(signal.SIGINT, before)
    run()


if __name__ == "__main__":
    main()
