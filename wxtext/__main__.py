"""`python -m wxtext` is the `wxtext` command.

Python itself looks into the current folder first for what it imports, and has done so when this begins. In
somebody else's folder `wxtext` is safe, and `python -P -m wxtext`.
"""

import os
import sys


def _forget_current_folder() -> None:
    """Import nothing more from the current folder, which may have a click.py in it."""
    try:
        here = os.getcwd()  # noqa: PTH109 - pathlib would be imported from there
    except OSError:  # it has been removed
        here = ""
    if sys.path[0] in ("", here):
        del sys.path[0]


if __name__ == "__main__":
    _forget_current_folder()
    from wxtext.cli import main

    sys.exit(main())
