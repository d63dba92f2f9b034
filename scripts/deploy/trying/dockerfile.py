"""Read a Dockerfile, and run its steps in a plain root folder."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from trying.roots import Wrong, copy_root, run_in


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction. `options` precede its arguments, like `--from=build`."""

    line: int
    keyword: str
    options: dict[str, str]
    text: str

    @property
    def words(self) -> list[str]:
        """Its arguments, from a JSON list or separated by spaces."""
        if self.text.startswith("["):
            words: list[str] = json.loads(self.text)
            return words
        return self.text.split()

    def command(self) -> list[str]:
        """The command that it runs."""
        return self.words if self.text.startswith("[") else ["/bin/sh", "-c", self.text]


@dataclass
class Image:
    """A root folder, and the settings of its command."""

    root: Path
    environment: dict[str, str] = field(
        default_factory=lambda: {"PATH": "/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"}
    )
    user: str = "0"
    folder: str = "/"
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    volumes: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)
    stop: str = "SIGTERM"


def read(text: str) -> list[Step]:
    """The instructions of a Dockerfile. Raises Wrong for an instruction that is not supported here."""
    steps, pending, first = list[Step](), "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("#") or not (line.strip() or pending):
            continue
        first = first if pending else number
        pending += line
        if pending.endswith("\\"):
            pending = pending[:-1]
            continue
        steps.append(_step(first, pending))
        pending = ""
    if pending:
        raise Wrong(f"Dockerfile, line {first}: has no end")
    return steps


def _step(line: int, text: str) -> Step:
    keyword, _, rest = text.strip().partition(" ")
    options = dict[str, str]()
    while found := re.match(r"--([a-z-]+)=(\S+)\s+", rest):
        options[found[1]] = found[2]
        rest = rest[found.end() :]
    if keyword not in _BUILDS or not rest or "<<" in rest:
        raise Wrong(f"Dockerfile, line {line}: {keyword} is not understood")
    return Step(line, keyword, options, rest.strip())


def build(steps: list[Step], context: Path, ignore: str, folder: Path, base: Callable[[str], Path]) -> Image:
    """Run the steps; returns the image of the last stage. `base` gives the root folder of a published image."""
    builder = _Builder(context, _ignored(ignore), folder, base)
    for step in steps:
        try:
            _BUILDS[step.keyword](builder, step)
        except (subprocess.CalledProcessError, OSError, ValueError) as error:
            said = getattr(error, "stdout", "") or str(error)
            raise Wrong(
                f"Dockerfile, line {step.line}: {step.keyword} fails: {said.strip()[-600:]}"
            ) from error
    return builder.image


class _Builder:
    """The state of a build."""

    image: Image

    def __init__(
        self, context: Path, ignored: Callable[[str], bool], folder: Path, base: Callable[[str], Path]
    ) -> None:
        self._context, self._ignored, self._folder, self._base = context, ignored, folder, base
        self._stages = dict[str, Image]()

    def begin(self, step: Step) -> None:
        """FROM: begin a stage with its own root."""
        name, *named = step.words
        root = self._folder / f"stage-{len(self._stages)}"
        copy_root(self._stages[name].root if name in self._stages else self._base(name), root)
        self.image = Image(root)
        self._stages[named[1] if named else str(len(self._stages))] = self.image

    def run(self, step: Step) -> None:
        """RUN: in the root, with the network, as the user of the image so far."""
        run_in(self.image.root, step.command(), self.image.environment, self.image.user, self.image.folder)

    def copy(self, step: Step) -> None:
        """COPY: from the context without ignored files, or from another stage. A folder's content is copied."""
        *sources, to = step.words
        inside = Path(self.image.folder) / to
        target = self.image.root / inside.relative_to("/")
        many = to.endswith("/") or len(sources) > 1
        for source in sources:
            if stage := step.options.get("from"):
                origin = self._stages[stage].root / source.lstrip("/")
            else:
                origin = self._context / source
            place = target / origin.name if many and origin.is_file() else target
            if not origin.exists():
                raise ValueError(f"there is no {source}")
            for file in self._files(origin, plain="from" in step.options):
                goal = place / file.relative_to(origin) if origin.is_dir() else place
                goal.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(file, goal, follow_symlinks=False)

    def _files(self, origin: Path, *, plain: bool) -> Iterator[Path]:
        files = (
            [origin]
            if origin.is_file()
            else [path for path in origin.rglob("*") if not path.is_dir() or path.is_symlink()]
        )
        for file in files:
            if plain or not self._ignored(str(file.relative_to(self._context))):
                yield file

    def say(self, step: Step) -> None:
        """ENV: with earlier variables expanded."""
        known = self.image.environment
        for name, value in re.findall(r"(\w+)=(\S+)", step.text):
            known[name] = re.sub(r"\$\{?(\w+)\}?", lambda found: known.get(found[1], ""), value)

    def folder(self, step: Step) -> None:
        """WORKDIR."""
        self.image.folder = step.text
        (self.image.root / step.text.lstrip("/")).mkdir(parents=True, exist_ok=True)

    def user(self, step: Step) -> None:
        """USER."""
        self.image.user = step.text

    def volume(self, step: Step) -> None:
        """VOLUME."""
        self.image.volumes += step.words

    def health(self, step: Step) -> None:
        """HEALTHCHECK: its command."""
        kind, _, command = step.text.partition(" ")
        if kind != "CMD":
            raise ValueError("no CMD")
        self.image.health = Step(step.line, kind, {}, command.strip()).command()

    def entrypoint(self, step: Step) -> None:
        """ENTRYPOINT."""
        self.image.entrypoint = step.command()

    def command(self, step: Step) -> None:
        """CMD."""
        self.image.command = step.command()

    def stop(self, step: Step) -> None:
        """STOPSIGNAL."""
        self.image.stop = step.text

    def nothing(self, step: Step) -> None:
        """EXPOSE publishes nothing by itself."""


_BUILDS: dict[str, Callable[[_Builder, Step], None]] = {
    "FROM": _Builder.begin,
    "RUN": _Builder.run,
    "COPY": _Builder.copy,
    "ENV": _Builder.say,
    "WORKDIR": _Builder.folder,
    "USER": _Builder.user,
    "VOLUME": _Builder.volume,
    "HEALTHCHECK": _Builder.health,
    "ENTRYPOINT": _Builder.entrypoint,
    "CMD": _Builder.command,
    "STOPSIGNAL": _Builder.stop,
    "EXPOSE": _Builder.nothing,
}


def _ignored(text: str) -> Callable[[str], bool]:
    """A function: whether a file of the context is ignored, by the last pattern that matches it or its folder."""
    lines = [line for line in text.split() if not line.startswith("#")]
    patterns = [(line.startswith("!"), _pattern(line.removeprefix("!"))) for line in lines]

    def ignored(path: str) -> bool:
        parts = path.split("/")
        names = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
        found = False
        for kept, pattern in patterns:
            if any(pattern.fullmatch(name) for name in names):
                found = not kept
        return found

    return ignored


def _pattern(line: str) -> re.Pattern[str]:
    wild = {"**/": "(.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile(
        "".join(wild.get(part) or re.escape(part) for part in re.split(r"(\*\*/|\*\*|\*|\?)", line))
    )
