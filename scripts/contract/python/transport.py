
_BODY_BYTES_MAX = 32 * 1024 * 1024
_PROBLEM_BYTES_MAX = 64 * 1024
_CHUNK_BYTES = 64 * 1024
_REDIRECTS = (301, 302, 303, 307, 308)


class _CutOff(Exception):
    """The body ended before it was whole."""


class _Open:
    """An answer whose headers are there and whose body is still to come."""

    def __init__(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse, sock: socket.socket) -> None:
        self._connection = connection
        self._response = response
        self._socket = sock
        self.status = response.status
        self.headers: Dict[str, str] = {name.lower(): value for name, value in response.getheaders()}
        self.attempts = 0

    def chunks(self, left_s: Callable[[], float]) -> Iterator[bytes]:
        """Yields the body as it comes, decompressed. `left_s`: seconds that the next bytes may take; it may raise.

        Raises socket.timeout, OSError, http.client.HTTPException, zlib.error or _CutOff.
        """
        coding = self.headers.get("content-encoding", "identity").lower()
        if coding not in ("identity", "gzip"):
            raise zlib.error(f"unknown content coding {coding}")
        unpack = zlib.decompressobj(31) if coding == "gzip" else None
        while True:
            self._socket.settimeout(left_s())
            packed = self._response.read1(_CHUNK_BYTES)
            if not packed:
                break
            if unpack is None:
                yield packed
                continue
            while packed:
                # Bounded, because a few bytes may stand for very many.
                plain = unpack.decompress(packed, _CHUNK_BYTES)
                packed = unpack.unconsumed_tail
                if plain:
                    yield plain
        if self._response.length or (unpack is not None and not unpack.eof):
            raise _CutOff()

    def body(self, bytes_max: int, left_s: Callable[[], float]) -> Optional[bytes]:
        """Reads the whole body; None: it is larger than the bound."""
        parts: List[bytes] = []
        size = 0
        for chunk in self.chunks(left_s):
            size += len(chunk)
            if size > bytes_max:
                return None
            parts.append(chunk)
        return b"".join(parts)

    def close(self) -> None:
        self._response.close()
        self._connection.close()


class _Transport:
    """Sends requests, and again what may be sent again."""

    def __init__(self, settings: _Settings) -> None:
        self._settings = settings

    def read(self, outgoing: _Outgoing, retry: Optional[RetryPolicy]) -> Tuple[_Open, bytes]:
        """Reads one JSON answer with its whole body."""
        return self._sent(outgoing, retry, "application/json", True, lambda _: True)  # type: ignore[return-value]

    def open(
        self, outgoing: _Outgoing, retry: Optional[RetryPolicy], may_retry: Callable[[ItemtapeError], bool]
    ) -> _Open:
        """Returns a stream of records as soon as its headers are there. `may_retry` is asked before a refused one is sent again."""
        return self._sent(outgoing, retry, "application/x-ndjson", False, may_retry)[0]

    def _sent(
        self,
        outgoing: _Outgoing,
        retry: Optional[RetryPolicy],
        media_type: str,
        is_whole: bool,
        may_retry: Callable[[ItemtapeError], bool],
    ) -> Tuple[_Open, Optional[bytes]]:
        parts = self._settings.parts
        policy = retry or self._settings.retry
        ends_at = parts.monotonic() + policy.total_s + outgoing.wait_s
        refusal: Optional[ItemtapeError] = None
        attempt = 0
        while True:
            attempt += 1
            try:
                opened = self._attempt(outgoing, policy, ends_at, (media_type, is_whole, attempt))
            except TransportError as error:
                # Where nothing else is the cause, it is the refusal that was waited for.
                raise error from (error.__cause__ or refusal)
            if not isinstance(opened, ItemtapeError):
                return opened
            left_s = ends_at - parts.monotonic()
            wait_s = _wait_for(opened, attempt, left_s, (policy.attempts_max, policy.wait_s_max), parts.random())
            if wait_s is None or not may_retry(opened):
                raise opened
            refusal = opened
            self._settings.on_retry(RetryNotice(outgoing.operation_id, opened.status, opened.code, wait_s, attempt))
            parts.sleep(wait_s)

    def _attempt(
        self, outgoing: _Outgoing, policy: RetryPolicy, ends_at: float, wanted: Tuple[str, bool, int]
    ) -> Union[Tuple[_Open, Optional[bytes]], ItemtapeError]:
        """A refusal is returned, not raised: it may be one that is waited for."""
        media_type, is_whole, attempts = wanted
        limit_s = min(policy.answer_s + outgoing.wait_s, ends_at - self._settings.parts.monotonic())
        answer_ends_at = self._settings.parts.monotonic() + limit_s
        opened: Optional[_Open] = None

        def left_s() -> float:
            left = answer_ends_at - self._settings.parts.monotonic()
            if left <= 0:
                raise socket.timeout()
            return left

        is_kept = False
        try:
            opened = self._request(outgoing, left_s)
            opened.attempts = attempts
            self._refuse_redirect(outgoing, opened)
            if opened.status >= 400:
                return self._refusal_of(outgoing, opened, left_s)
            self._refuse_other(outgoing, opened, media_type)
            if not is_whole:
                is_kept = True
                return opened, None
            body = opened.body(_BODY_BYTES_MAX, left_s)
            if body is None:
                raise TransportError("too_large", f"{outgoing.address}: the answer is larger than {_BODY_BYTES_MAX} bytes")
            return opened, body
        except TransportError as error:
            error.attempts = attempts
            error.request_id = None if opened is None else opened.headers.get("x-request-id")
            raise
        except (OSError, http.client.HTTPException, UnicodeError, zlib.error, _CutOff) as error:
            raise self._failure_of(outgoing, error, opened, (policy, limit_s, attempts)) from error
        finally:
            if opened is not None and not is_kept:
                opened.close()

    def _request(self, outgoing: _Outgoing, left_s: Callable[[], float]) -> _Open:
        settings = self._settings
        connection: http.client.HTTPConnection
        if settings.scheme == "https":
            context = settings.ssl_context or ssl.create_default_context()
            connection = http.client.HTTPSConnection(settings.host, settings.port, timeout=left_s(), context=context)
        else:
            connection = http.client.HTTPConnection(settings.host, settings.port, timeout=left_s())
        try:
            connection.request(outgoing.method, outgoing.target, outgoing.body, dict(outgoing.headers))
            sock = connection.sock
            sock.settimeout(left_s())
            return _Open(connection, connection.getresponse(), sock)
        except BaseException:
            connection.close()
            raise

    def _failure_of(
        self, outgoing: _Outgoing, error: Exception, opened: Optional[_Open], facts: Tuple[RetryPolicy, float, int]
    ) -> TransportError:
        policy, limit_s, attempts = facts
        request_id = None if opened is None else opened.headers.get("x-request-id")
        address = outgoing.address
        if isinstance(error, socket.timeout):
            total_s, answer_s = policy.total_s + outgoing.wait_s, policy.answer_s + outgoing.wait_s
            is_total = limit_s < answer_s
            what = f"the answer is incomplete within {total_s:g} s" if is_total else f"no complete answer within {answer_s:g} s"
            return TransportError("timeout", f"{address}: {what}", attempts=attempts, request_id=request_id)
        if isinstance(error, zlib.error):
            message = f"{address}: the answer cannot be decompressed"
            return TransportError("broken", message, attempts=attempts, request_id=request_id)
        why = _display(str(error) or type(error).__name__, self._settings.api_key)
        message = f"{address}: the server cannot be reached or closed the connection ({why})"
        return TransportError("unreachable", message, attempts=attempts, request_id=request_id)

    def _refuse_redirect(self, outgoing: _Outgoing, opened: _Open) -> None:
        """Followed, a redirect would carry the key to another place."""
        if opened.status in _REDIRECTS:
            target = _display(opened.headers.get("location", "nowhere"), self._settings.api_key)
            raise TransportError("redirect", f"{outgoing.address}: redirects to {target}, which is not followed")

    def _refuse_other(self, outgoing: _Outgoing, opened: _Open, media_type: str) -> None:
        if opened.status == 304 and "if-none-match" in outgoing.headers:
            return
        if opened.status != 200:
            raise _broken(outgoing, f"HTTP {opened.status} is not in the contract")
        sent = opened.headers.get("content-type", "")
        if sent.split(";")[0].strip().lower() != media_type:
            shown = _display(sent, self._settings.api_key) or "absent"
            raise _broken(outgoing, f"its content type is {shown}, not {media_type}")

    def _refusal_of(self, outgoing: _Outgoing, opened: _Open, left_s: Callable[[], float]) -> ItemtapeError:
        api_key = self._settings.api_key
        body = opened.body(_PROBLEM_BYTES_MAX, left_s)
        problem = _problem_of(opened.headers.get("content-type", ""), body or b"", api_key)
        if problem is None:
            why = "without a problem record"
        else:
            why = f"`{problem['code']}`: {_display(problem.get('detail') or problem['title'], api_key)}"
        return ItemtapeError(
            f"{outgoing.address}: HTTP {opened.status}, {why}",
            status=opened.status,
            problem=problem,
            request_id=(problem["request_id"] if problem else "") or opened.headers.get("x-request-id"),
            retry_after_s=_retry_after_s(opened.headers, self._settings.parts.now()),
            attempts=opened.attempts,
        )


def _broken(outgoing: _Outgoing, why: str, attempts: int = 0, request_id: Optional[str] = None) -> TransportError:
    message = f"{outgoing.address}: not an answer of {outgoing.operation_id}: {why}"
    return TransportError("broken", message, attempts=attempts, request_id=request_id)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _json_of(text: Union[bytes, str]) -> Any:
    """Parses JSON of UTF-8 strictly. Raises ValueError."""
    try:
        decoded = text.decode("utf-8") if isinstance(text, bytes) else text
        return json.loads(decoded, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _problem_of(media_type: str, body: bytes, api_key: Optional[str]) -> Optional[Problem]:
    """Decodes a problem leniently: a proxy may have changed the media type, and the code decides on another attempt."""
    try:
        whole = _json_of(body) if re.search(r"\bjson\b", media_type, re.IGNORECASE) else None
    except ValueError:
        return None
    if not isinstance(whole, dict):
        return None
    code = whole.get("code")
    if not isinstance(code, str) or not re.fullmatch(r"[a-z_]{1,200}", code) or _holds_key(code, None):
        return None

    def text(name: str, instead: str) -> str:
        value = whole.get(name)
        return _without_key(value, api_key)[:2000] if isinstance(value, str) else instead

    sent_id = whole.get("request_id")
    is_id = isinstance(sent_id, str) and re.fullmatch(r"req_[0-9a-z]{26}", sent_id) is not None
    status = whole.get("status")
    problem: Any = {
        "type": text("type", f"/problems/{code}"),
        "title": text("title", code),
        "status": status if type(status) is int else 0,
        "code": code,
        "request_id": sent_id if is_id else text("request_id", ""),
    }
    if isinstance(whole.get("detail"), str):
        problem["detail"] = text("detail", "")
    return problem  # type: ignore[no-any-return]


def _allowance_of(headers: Mapping[str, str]) -> Allowance:
    def number(name: str) -> Optional[int]:
        text = headers.get(name, "")
        return int(text) if re.fullmatch(r"[0-9]{1,15}", text) else None

    return Allowance(number("x-ratelimit-limit"), number("x-ratelimit-remaining"), number("x-quota-remaining"))


def _answer_of(outgoing: _Outgoing, opened: _Open, body: bytes) -> Answer[Any, Any]:
    """Decodes `data` and `meta` of a 200. Raises TransportError `broken` where it is anything else."""
    etag, allowance, sent_id = opened.headers.get("etag"), _allowance_of(opened.headers), opened.headers.get("x-request-id")
    if opened.status == 304:
        return Answer(304, None, None, etag, allowance, sent_id or "")

    def broken(why: str) -> TransportError:
        return _broken(outgoing, why, opened.attempts, sent_id)

    try:
        whole = _json_of(body)
    except ValueError:
        raise broken("it is not JSON in UTF-8") from None
    is_envelope = isinstance(whole, dict) and isinstance(whole.get("meta"), dict)
    if not is_envelope or not isinstance(whole.get("data"), (dict, list)):
        raise broken("it must have `data` and `meta`")
    request_id = whole["meta"].get("request_id")
    if not isinstance(request_id, str):
        raise broken("`meta.request_id` is missing")
    if sent_id is not None and sent_id != request_id:
        raise broken("X-Request-Id and `meta.request_id` name different requests")
    return Answer(200, whole["data"], whole["meta"], etag, allowance, request_id)
