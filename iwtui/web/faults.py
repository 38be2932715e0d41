"""Who is to blame when a page does not answer."""


class PageDeadError(Exception):
    """The page crashed, or its script runs without end: the site's fault. Its context is to be closed."""


class BrowserLostError(Exception):
    """The browser itself, or the way to it, is gone: no fault of the site."""
