"""The fault harnesses in their long modes (see `scripts/soak faults`)."""

import argparse

from tests.soak.faults import answers, crashes, disks, kills, power, replicas


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/soak faults", description="Break what lies under the store."
    )
    parser.add_argument("--seed", type=int, default=1)
    harnesses = parser.add_subparsers(dest="harness", required=True)
    killing = harnesses.add_parser("kills", help="kill writers inside their transactions")
    killing.add_argument("--kills", type=int, default=10_000)
    killing.add_argument("--defect", choices=kills.DEFECTS, default="", help="plant it, and see it found")
    cuts = harnesses.add_parser("power", help="cut the power at any moment, and lose what was not synced")
    cuts.add_argument("--moves", type=int, default=40, help="that are recorded (40)")
    cuts.add_argument("--images", type=int, default=25_000, help="different ones, as the program is served")
    cuts.add_argument("--weaker", type=int, default=2000, help="different ones under each weaker setting")
    answering = harnesses.add_parser("answers", help="look when answers are sent, and when data is synced")
    answering.add_argument("--moves", type=int, default=200)
    answering.add_argument("--defect", action="store_true", help="never sync, and see it found")
    failing = harnesses.add_parser("disks", help="let the disk under a running server fail")
    failing.add_argument("--every", type=int, default=12, help="from every call to every n-th (12)")
    failing.add_argument("--defect", action="store_true", help="acknowledge regardless, and see it found")
    crashing = harnesses.add_parser("crashes", help="kill a PostgreSQL server under load")
    crashing.add_argument("--crashes", type=int, default=20)
    crashing.add_argument("--defect", action="store_true", help="commit without waiting, and see it found")
    failing_over = harnesses.add_parser(
        "replicas", help="lose a PostgreSQL server, and go on with its standby"
    )
    failing_over.add_argument("--failovers", type=int, default=10)
    failing_over.add_argument(
        "--defect", action="store_true", help="do not wait for the standby, and see it found"
    )
    chosen = parser.parse_args()
    match chosen.harness:
        case "kills":
            return kills.report(kills=chosen.kills, seed=chosen.seed, defect=chosen.defect)
        case "power":
            return power.report(
                moves=chosen.moves, images=chosen.images, weaker=chosen.weaker, seed=chosen.seed
            )
        case "answers":
            return answers.report(moves=chosen.moves, defect=chosen.defect)
        case "disks":
            return disks.report(every=chosen.every, defect=chosen.defect)
        case "crashes":
            return crashes.report(crashes=chosen.crashes, seed=chosen.seed, defect=chosen.defect)
        case "replicas":
            return replicas.report(failovers=chosen.failovers, seed=chosen.seed, defect=chosen.defect)
    raise AssertionError(chosen.harness)
