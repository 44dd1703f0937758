"""`python -m wxtext` is the `wxtext` command."""

import sys

from wxtext.cli import main

if __name__ == "__main__":
    sys.exit(main())
