"""Whose fault a failed `npm install` is. That it failed is told by its exit code; only the blame is read from its words."""

import re

_CODE = re.compile(r"^npm (?:error|ERR!) code (\S+)", re.MULTILINE)

_OURS = frozenset(
    # the network
    "ENOTFOUND EAI_AGAIN EAI_FAIL ETIMEDOUT ESOCKETTIMEDOUT ERR_SOCKET_TIMEOUT ECONNRESET ECONNREFUSED ECONNABORTED "
    "EHOSTUNREACH ENETUNREACH ENETDOWN EPIPE EPROTO ERR_STREAM_PREMATURE_CLOSE FETCH_ERROR EIDLETIMEOUT "
    # the way to the registry, or its opinion of us
    "E401 E403 E407 E408 E429 CERT_HAS_EXPIRED CERT_NOT_YET_VALID DEPTH_ZERO_SELF_SIGNED_CERT "
    "SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE "
    # the machine
    "ENOSPC EDQUOT EROFS EACCES EPERM EMFILE ENFILE ENOMEM EIO".split()
)
_SERVER = re.compile(r"E5\d\d")


def fault(output: str) -> str:
    """`infra` when npm names a fault of the network, the registry or the machine, else `site`."""
    code = error_code(output)
    return "infra" if code in _OURS or _SERVER.fullmatch(code) else "site"


def error_code(output: str) -> str:
    """The last code that npm named (`E404`), or nothing."""
    codes = _CODE.findall(output)
    return str(codes[-1]) if codes else ""
