"""Values within a page's script."""

import json


def quoted_for_script(text: str) -> str:
    """A JavaScript string that cannot end the script it stands in."""
    return json.dumps(text).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
