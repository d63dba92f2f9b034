"""No power cut loses what was acknowledged or brings an erased name back, except under weaker settings and on disks
that ignore a sync."""

import pytest

from tests.soak.faults import tracing
from tests.soak.faults.power import OURS, SETTINGS, SYNCED, Recording, cut, recorded
from tests.soaking import PLANTED, further

SEED = 1
IMAGES = 100  # the number of images; `scripts/soak faults power` judges 25,000
TO_FIND = 20 * IMAGES  # the most images until a planted defect is found: those of the log are rare

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Recording]:
    if why := tracing.why_not_here():
        pytest.skip(why)
    return recorded(tmp_path_factory.mktemp("power"), moves=12)


def test_a_power_cut_at_any_moment_loses_nothing_that_was_acknowledged(
    recordings: dict[str, Recording],
) -> None:
    tally = cut(recordings[OURS], images=IMAGES, seed=SEED)
    assert tally == {"fine": IMAGES}
    assert tally.wrong == []


@pytest.mark.parametrize("settings", further((name for name in SETTINGS if name != OURS), PLANTED))
def test_weaker_settings_are_seen_to_lose(recordings: dict[str, Recording], settings: str) -> None:
    assert cut(recordings[settings], images=TO_FIND, seed=SEED, stop=True).wrong


@pytest.mark.parametrize("ignored", further(SYNCED, PLANTED))
def test_every_sync_is_needed(recordings: dict[str, Recording], ignored: str) -> None:
    without = recordings[OURS].without_syncs_of(ignored)
    assert cut(without, images=TO_FIND, seed=SEED, stop=True).wrong
