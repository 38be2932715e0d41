"""Where the data that ships with the program stands, in a wheel and in a checkout, and where a user's own stands."""

import warnings
from functools import cache
from pathlib import Path

import platformdirs

APP = "iwtui"


@cache
def shipped(room: str) -> Path:
    """The folder `storage`, `tasks` or `themes`. Raises FileNotFoundError when the installation lacks it."""
    package = Path(__file__).parent
    for folder in (package / "_data" / room, package.parent / room):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"this installation of iwtui lacks its folder {room!r}; install it again")


def users_own(room: str) -> Path:
    """The user's folder for their own packs, queries or themes; it need not exist."""
    return platformdirs.user_config_path(APP) / room


def data_folder() -> Path:
    """Where the store is when nothing else is said."""
    return platformdirs.user_data_path(APP)


def cache_folder() -> Path:
    """For what can be made again."""
    return platformdirs.user_cache_path(APP)


def state_folder() -> Path:
    """For what a program remembers of its use, and can do without."""
    return platformdirs.user_state_path(APP)


def runtime_folder() -> Path:
    """For what lives as long as the processes it tells of."""
    with warnings.catch_warnings():
        # Without XDG_RUNTIME_DIR (a cron job, a container) a private folder in the temporary one serves as well.
        warnings.filterwarnings("ignore", message="XDG_RUNTIME_DIR")
        return platformdirs.user_runtime_path(APP)
