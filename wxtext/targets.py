"""Which target the commands take for a file, and what says so.

What is asked for goes first, then the configuration, then the .json of the page and of its app. A file is
judged by its own place; standard input and standard output by the current folder.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from wxtext.discovery import absolute, config_files
from wxtext.errors import SourceError
from wxtext.i18n import _
from wxtext.project import from_here

if TYPE_CHECKING:
    from wxtext.config import Config
    from wxtext.project import Project
    from wxtext.semantics import Target, TargetChoice


_HERE: Final = (Path(),)


class Chosen(NamedTuple):
    """The targets that are taken for a file."""

    #: More than one only for a component that pages of several targets use.
    targets: tuple[Target, ...]
    #: What says so, as messages name it; None if nothing does, and webview is meant.
    source: str | None
    #: Whether that is the command line.
    asked: bool = False

    @property
    def last(self) -> Target:
        """The one target to write or show for: what is right for it shows right on those before it."""
        return self.targets[-1]


def nearest_config(folder: Path) -> Config | None:
    """Return the configuration that holds in a folder; None if there is none. Raises `ConfigError`."""
    folder = absolute(folder)
    if not any(next(config_files(above), None) for above in (folder, *folder.parents)):
        return None
    from wxtext import config  # which takes a while to import, and most folders need none

    found = config.find(folder)
    return None if found.path is None else found


def choose(
    project: Project,
    place: Path | None,
    asked: TargetChoice | None,
    found: Config | None = None,
    folders: Sequence[Path] = _HERE,
) -> Chosen:
    """Return the targets of the file at `place`, or for None those of the first folder that has an app.

    `asked` is what the command line says, if anything; auto passes over the configuration `found`, too.
    Raises `SourceError` if a .json that is needed cannot be read.
    """
    if asked is not None and asked != "auto":
        return Chosen((asked,), "--target", asked=True)
    if asked is None and found is not None and found.path is not None and found.target != "auto":
        return Chosen((found.target,), from_here(str(absolute(found.path))))
    if place is not None:
        return Chosen(*project.says(place))
    for folder in folders:
        says = project.says_for_folder(folder)
        if says.file is not None:
            return Chosen(*says)
    return Chosen(("webview",), None)


def told(file: str, chosen: Chosen) -> str | None:
    """Return what the user of a command is told of the target of a file: None if it was to be expected."""
    if chosen.asked or chosen.targets == ("webview",):
        return None
    message = _("{file}: the target is {target}, as {source} says")
    if len(chosen.targets) > 1:
        message = _("{file}: the target is {target}, the last of {targets} that {source} and its pages name")
    return message.format(
        file=file, target=chosen.last, targets=_(", ").join(chosen.targets), source=chosen.source
    )


def told_of_many(all_chosen: Collection[Chosen]) -> list[str | None]:
    """Return what is told of the targets of many files: a line for each target that is not webview alone."""
    sources: dict[tuple[Target, ...], list[str | None]] = {}
    for chosen in all_chosen:
        if not chosen.asked and chosen.targets != ("webview",):
            sources.setdefault(chosen.targets, []).append(chosen.source)
    lines: list[str | None] = []
    for targets, files in sources.items():
        message = _("files for {targets}: {n} of {all}, as {source} says")
        if len(set(files)) > 1:
            message = _("files for {targets}: {n} of {all}, as {source} and others say")
        values = {"n": len(files), "all": len(all_chosen), "source": files[0]}
        lines.append(message.format(targets=_(", ").join(targets), **values))
    return lines


def contradiction(file: str, chosen: Chosen, project: Project) -> str | None:
    """Return what to say of a file that is written for another target than its own .json says, if it is."""
    try:
        says = project.says(Path(file))
    except SourceError:  # which is no matter: it was not asked
        return None
    if says.file is None or chosen.last == says.targets[-1]:
        return None
    message = _("{file}: written for {target}, as {source} says, but {json} says {shown}")
    return message.format(
        file=file, target=chosen.last, source=chosen.source, json=says.file, shown=says.targets[-1]
    )
