"""The fonts of the tests: what a browser that is started from them can see, and all that it can.

They are packages of npm, which `scripts/test` installs, and `fonts/fonts.conf` says which files a program sees, and
what it gets for a family that is not among them: the same on every machine, whatever is installed there.
"""

from pathlib import Path

from tests import soaking

CONFIGURATION = Path(__file__).with_suffix("") / "fonts.conf"
PACKAGES = CONFIGURATION.parent / "node_modules"
FILES = {
    "Roboto": "@expo-google-fonts/roboto/{}/Roboto_{}.ttf",
    "DejaVu Sans": "dejavu-fonts-ttf/ttf/DejaVuSans{}.ttf",
    "Arimo": "@expo-google-fonts/arimo/{}/Arimo_{}.ttf",
    "Inter": "@expo-google-fonts/inter/{}/Inter_{}.ttf",
    "Noto Sans": "@expo-google-fonts/noto-sans/{}/NotoSans_{}.ttf",
}
"""By family, the path of its files: Roboto is Android's own; Inter is like that of iPhones, and Arimo is as wide as
Arial. The first is the narrowest for the words of the pages, the second the widest (`test_fonts.py`)."""
FAMILIES = tuple(FILES)
NOT_INSTALLED = "the fonts of the tests are not installed: scripts/test installs them"


def file_of(family: str, weight: int = 400) -> Path:
    """The file of a family: regular, or bold (700)."""
    names = ("", "-Bold") if family == "DejaVu Sans" else ("400Regular", "700Bold")
    name = names[weight >= 600]
    return PACKAGES / FILES[family].format(name, name)


def installed() -> bool:
    return all(file_of(family, weight).exists() for family in FAMILIES for weight in (400, 700))


def environment() -> dict[str, str]:
    """What makes programs that are started with it see these fonts and no others; nothing if they are not
    installed."""
    return {"FONTCONFIG_FILE": str(CONFIGURATION)} if installed() else {}


def families() -> tuple[str, ...]:
    """The families in which layouts are measured: the narrowest, which is the pages' own here, and the widest; with
    `--soak`, all."""
    return FAMILIES if soaking.asked else FAMILIES[:2]
