"""The library of site fragments, keyed by the wording of requirements and by nothing else."""

from iwtui.models.scripted.fragments.acting import (
    Basket,
    BasketTotal,
    ItemCounter,
    Persistence,
    RemoveButton,
    StatusButton,
)
from iwtui.models.scripted.fragments.base import Fragment
from iwtui.models.scripted.fragments.finding import CategoryFilter, Search, SortByHeader
from iwtui.models.scripted.fragments.forms import AddForm, MessageForm, WrongInput
from iwtui.models.scripted.fragments.listing import ItemList, Prices, StateCount, Table
from iwtui.models.scripted.fragments.look import Colour, SiteName
from iwtui.models.scripted.fragments.texts import DarkMode, Faq, Gallery, Line, Navigation, Tabs
from iwtui.models.scripted.fragments.totals import ColumnTotal

KINDS: tuple[type[Fragment], ...] = (
    SiteName,
    Colour,
    Line,
    Navigation,
    DarkMode,
    Tabs,
    ItemList,
    Prices,
    Table,
    StateCount,
    ColumnTotal,
    Search,
    CategoryFilter,
    SortByHeader,
    Basket,
    BasketTotal,
    StatusButton,
    ItemCounter,
    RemoveButton,
    AddForm,
    MessageForm,
    WrongInput,
    Persistence,
    Faq,
    Gallery,
)
"""All kinds, in the order in which they stand on a page."""
