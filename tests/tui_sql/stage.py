"""The SQL console in a small application."""

from typing import TypeVar

from iwtui.tui.screens.sql import SqlScreen
from iwtui.tui.state.sql_cells import cell_text
from iwtui.tui.widgets.arrow_table import Sheet
from tests.tui_home.stage import HOSTILE, SIZES, Stage, Stand, until

__all__ = ["HOSTILE", "SIZES", "Asked", "Stand", "until"]


Kind = TypeVar("Kind")


class Asked(Stage):
    """Begins with the SQL console, above a screen that one can go back to."""

    def on_mount(self) -> None:
        self.push_screen(SqlScreen())

    @property
    def sql(self) -> SqlScreen:
        """The console, whatever stands before it."""
        return next(screen for screen in self.screen_stack if isinstance(screen, SqlScreen))

    @property
    def at_sql(self) -> bool:
        """Whether nothing stands before the console."""
        return self.screen is self.sql

    @property
    def offering(self) -> bool:
        """Whether a list stands at the cursor."""
        return self.sql.editor.offering

    def in_front(self, kind: type[Kind]) -> Kind:
        """The screen in front, which has to be of this kind."""
        screen: object = self.screen
        assert isinstance(screen, kind)
        return screen

    @property
    def sheet(self) -> Sheet | None:
        """The rows that are shown."""
        return self.sql.rows.sheet

    def column(self, place: int) -> list[str | None]:
        """The cells of a column as they are shown."""
        assert self.sheet
        return [cell_text(self.sheet.scalar(row, place)) for row in range(len(self.sheet))]
