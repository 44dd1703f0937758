"""`python -m wxtext` is the `wxtext` command."""

from wxtext.cli import main

if __name__ == "__main__":
    main()
