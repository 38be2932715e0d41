"""The runner's side of pause, continue and cancel: each order is acted on once, and none that was for another runner."""

from pathlib import Path

from iwtui.archive.control import give
from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store
from iwtui.bench.names import EpisodeName, episode_name
from iwtui.cli.orders import Orders
from iwtui.engine.episode import Stopping
from iwtui.engine.steering import Steering
from tests.support.stores import make_case, make_run


def made(root: Path) -> tuple[RunFolder, EpisodeName]:
    case = make_case()
    return make_run(Store(root), "r", [case]), episode_name("r", case.id, "scripted/blind", 1, 1)


async def test_orders_are_carried_out_once_and_told(tmp_path: Path) -> None:
    folder, episode = made(tmp_path)
    said: list[str] = []
    orders, steering = Orders(folder, said.append), Steering(Stopping())
    give(folder, "pause")
    orders.act(steering)
    assert steering.paused
    steering.go_on()
    orders.act(steering)
    assert not steering.paused, "it is not acted on twice"
    give(folder, "cancel", episode)
    orders.act(steering)
    with steering.episode(str(episode)) as reins:
        assert reins.cancelled
    assert not steering.stopping.asked
    give(folder, "cancel")
    orders.act(steering)
    assert steering.stopping.why == "the run was cancelled"
    assert len(said) == 3


async def test_orders_to_a_runner_that_is_gone_are_not_for_the_next(tmp_path: Path) -> None:
    folder, _ = made(tmp_path)
    given = give(folder, "cancel")
    said: list[str] = []
    orders, steering = Orders(folder, said.append), Steering(Stopping())
    orders.set_old_aside()
    orders.act(steering)
    assert given.taken
    assert not steering.stopping.asked
    assert said == []
