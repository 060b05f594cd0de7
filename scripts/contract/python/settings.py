

@dataclass(frozen=True)
class RetryPolicy:
    """Rules for sending a refused request again: only 429 and 503, never a used-up month."""

    attempts_max: int = 5
    """Requests for one answer, the first included."""
    total_s: float = 90.0
    """For one answer with all its requests and waits, in seconds. A wait that would pass it is not begun."""
    answer_s: float = 30.0
    """For one request and the whole of its answer, in seconds. In a stream: until its next bytes."""
    wait_s_max: float = 60.0
    """Longest single wait in seconds. A server that asks for more has its refusal raised at once."""

    def __post_init__(self) -> None:
        if isinstance(self.attempts_max, bool) or not isinstance(self.attempts_max, int) or not 1 <= self.attempts_max <= 100:
            raise ValueError("attempts_max: must be a whole number from 1 to 100")
        for name in ("total_s", "answer_s", "wait_s_max"):
            _check_seconds(name, getattr(self, name))


def _check_seconds(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.001 <= value <= 86_400:
        raise ValueError(f"{name}: must be 0.001 to 86400 seconds")


@dataclass(frozen=True)
class RetryNotice:
    """Told before each wait. `code` is that of the refusal, None without a problem record; `attempt` counts from 1.

    With `status` 200 it is an export that broke off and is begun again, or, where `behind` is there,
    a service that stays behind a copy. With 0 there was no answer to a copy.
    """

    operation_id: str
    status: int
    code: Optional[str]
    wait_s: float
    attempt: int
    behind: Optional[str] = None
    """Older generation that the service has, such as g5; `attempt` counts its answers in a row, and `wait_s` may be 0."""


@dataclass(frozen=True)
class Parts:
    """Time, chance and waiting, for tests."""

    now: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    random: Callable[[], float] = random.random


@dataclass(frozen=True)
class Allowance:
    """The account's allowance by the answer's headers; None where one is absent."""

    limit_per_minute: Optional[int]
    remaining_in_minute: Optional[int]
    quota_remaining: Optional[int]
    """Units left of the UTC calendar month."""


_Data = TypeVar("_Data")
_Meta = TypeVar("_Meta")


@dataclass(frozen=True)
class Answer(Generic[_Data, _Meta]):
    """A successful answer. `etag` is for `if_none_match` of the same request; None where the operation has none."""

    status: int
    data: _Data
    meta: _Meta
    etag: Optional[str]
    allowance: Allowance
    request_id: str


@dataclass(frozen=True)
class _Settings:
    scheme: str
    host: str
    port: int
    path: str
    address: str
    api_key: Optional[str] = field(repr=False)
    retry: RetryPolicy
    on_retry: Callable[[RetryNotice], None]
    user_agent: str
    ssl_context: Optional[ssl.SSLContext]
    parts: Parts


_BASE_WANTED = "base_url: must be an http or https address such as http://127.0.0.1:8080, without user, query or fragment"


def _split_base(text: str, api_key: Optional[str]) -> Tuple[str, str, int, str, str]:
    """Returns scheme, host, port, path without a slash at its end, and the whole address."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except (ValueError, AttributeError, TypeError):
        # Not repeated in the message: it may hold a password.
        raise ValueError(_BASE_WANTED) from None
    is_plain = not ("@" in parts.netloc or "?" in text or "#" in text) and re.fullmatch(r"[!-~]+", text) is not None
    if parts.scheme not in ("http", "https") or not parts.hostname or not is_plain:
        raise ValueError(_BASE_WANTED)
    if _holds_key(text, api_key):
        raise ValueError("base_url: contains an API key, which must never be in a URL")
    path = parts.path.rstrip("/")
    # Without one http.client would look for it in the host, whose colons in IPv6 it takes for a port's.
    port = port if port is not None else 443 if parts.scheme == "https" else 80
    return parts.scheme, parts.hostname, port, path, f"{parts.scheme}://{parts.netloc}{path}"
