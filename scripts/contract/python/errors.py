

class ItemtapeError(Exception):
    """The server refused. `code` is one of the contract's closed list, or None where the answer had no problem record (a proxy).

    No text in it holds the key. `retry_after_s`: seconds of `Retry-After`, None where there is none. `attempts`: requests that were
    sent.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int,
        problem: Optional[Problem],
        request_id: Optional[str],
        retry_after_s: Optional[float],
        attempts: int,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.problem = problem
        self.code: Optional[str] = None if problem is None else problem["code"]
        self.detail: Optional[str] = None if problem is None else problem.get("detail")
        self.request_id = request_id
        self.retry_after_s = retry_after_s
        self.attempts = attempts


class TransportError(Exception):
    """There was no answer, or none that the contract knows. It is never retried but by `follow`: the request may have been charged.

    `reason` is one of: `unreachable` (no connection, or it broke off), `timeout` (no complete answer in time), `redirect` (the server
    points elsewhere, where the key is never sent), `too_large` (more than 32 MiB), `broken` (no answer of the contract), `paging` (a
    list whose cursor repeats or goes backwards).
    """

    def __init__(self, reason: str, message: str, *, attempts: int = 0, request_id: Optional[str] = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.attempts = attempts
        self.request_id = request_id


class ExportError(Exception):
    """An export or a stream of changes that began and is not to be used. What came of it is to be thrown away.

    `reason` is one of: `changed` (a generation was published meanwhile), `interrupted` (the server gave up), `truncated` (the stream
    ended or stood still without its end), `malformed` (a record that the contract forbids here), `digest` (the prices are not those
    that were published), `unconfirmed` (it came whole, but the digest could not be read; `__cause__` is why). `line`: line of the
    stream, from 1, at which it went wrong; 0 where none did.
    """

    def __init__(self, reason: str, message: str, *, request_id: Optional[str] = None, line: int = 0) -> None:
        super().__init__(message)
        self.reason = reason
        self.request_id = request_id
        self.line = line


_KEY_PATTERN = re.compile(r"itemtape_(?:live|pat)_[0-9A-Za-z]{6,}")
_REPLY_CHARACTERS_MAX = 300


def _holds_key(text: str, api_key: Optional[str]) -> bool:
    return _KEY_PATTERN.search(text) is not None or (api_key is not None and api_key in text)


def _without_key(text: str, api_key: Optional[str]) -> str:
    return text if api_key is None else text.replace(api_key, "[key]")


def _display(text: str, api_key: Optional[str]) -> str:
    """Makes text of a server safe for a message: printable, bounded, without the key."""
    clean = "".join(one if one.isprintable() else "\ufffd" for one in _without_key(text, api_key))
    return clean if len(clean) <= _REPLY_CHARACTERS_MAX else clean[:_REPLY_CHARACTERS_MAX] + "…"
