"""`python -m ludus` is the command `ludus`."""

from ludus.cli import main

if __name__ == "__main__":
    main()
