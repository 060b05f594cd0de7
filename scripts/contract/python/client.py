

class Itemtape:
    """The API with one key, or with none for `get_status`. Each JSON operation is a method: `client.get_item(445)`.

    - Only 429 and 503 are sent again, after `Retry-After` and some jitter, within the attempts and times of `RetryPolicy`; a used-up
      month (`monthly_quota_exceeded`) never.
    - The key goes into the `Authorization` header of requests to `base_url` and nowhere else; redirects are refused.
    - A refusal is an `ItemtapeError`, no answer or a broken one a `TransportError`. Wrong parameters are a `TypeError` before anything
      is sent.

    Threads may share a client. Each request has a connection of its own.
    """

    def __init__(
        self,
        base_url: str = "http://127.0.0.1:8080",
        *,
        api_key: Optional[str] = None,
        retry: RetryPolicy = RetryPolicy(),
        on_retry: Callable[[RetryNotice], None] = lambda notice: None,
        user_agent: str = "itemtape-client-python/" + CONTRACT_VERSION,
        ssl_context: Optional[ssl.SSLContext] = None,
        parts: Parts = Parts(),
    ) -> None:
        if api_key is not None and not (isinstance(api_key, str) and re.fullmatch(r"[!-~]{1,200}", api_key)):
            raise ValueError("api_key: must be 1 to 200 visible ASCII characters")
        if not (isinstance(user_agent, str) and re.fullmatch(r"[ -~]{1,200}", user_agent)):
            raise ValueError("user_agent: must be 1 to 200 ASCII characters")
        scheme, host, port, path, address = _split_base(base_url, api_key)
        self._settings = _Settings(
            scheme, host, port, path, address, api_key, retry, on_retry, user_agent, ssl_context, parts
        )
        self._transport = _Transport(self._settings)

    # {{methods}}

    def call(
        self,
        operation_id: str,
        params: Mapping[str, Any] = {},
        *,
        if_none_match: Optional[str] = None,
        retry: Optional[RetryPolicy] = None,
    ) -> Answer[Any, Any]:
        """Calls an operation by its name in the contract, with the contract's names of parameters.

        With `if_none_match`, the `etag` of an answer to the same request, the answer may have `status` 304 and `data` None; it costs a
        unit all the same.
        """
        operation = OPERATIONS.get(operation_id)
        if operation is not None and operation["is_stream"]:
            raise TypeError(f"{operation_id}: use follow, export_market, export_day or stream_market_unverified")
        outgoing = _request_of(self._settings, operation_id, params, if_none_match)
        opened, body = self._transport.read(outgoing, retry)
        return _answer_of(outgoing, opened, body)

    def pages(
        self, operation_id: str, params: Mapping[str, Any] = {}, *, retry: Optional[RetryPolicy] = None
    ) -> Iterator[Answer[Any, Any]]:
        """Yields the pages of a list from where `params` says, each a call with its own attempts and times.

        Raises what `call` raises, and TransportError `paging` for a cursor that repeats or goes backwards.
        """
        pager = _Pager(operation_id, params)
        following: Optional[Dict[str, Any]] = {}
        while following is not None:
            answer = self.call(operation_id, {**params, **following}, retry=retry)
            if not isinstance(answer.data, list):
                raise TransportError("broken", f"{operation_id}: data` must be an array", request_id=answer.request_id)
            # Before the page is handed over: of a list that is broken there is nothing to be used.
            following = pager.next(answer.meta)
            yield answer

    def rows(
        self, operation_id: str, params: Mapping[str, Any] = {}, *, retry: Optional[RetryPolicy] = None
    ) -> Iterator[Any]:
        """Yields the rows of all pages, one by one. Raises as `pages`, after the rows of the pages before."""
        for page in self.pages(operation_id, params, retry=retry):
            yield from page.data

    def export_market(
        self,
        *,
        digest: Literal["check", "skip"] = "check",
        attempts: int = 1,
        stream_s: float = 150.0,
        on_progress: Optional[Callable[[ExportProgress], None]] = None,
        retry: Optional[RetryPolicy] = None,
    ) -> VerifiedExport:
        """Returns the whole market, handed over only when it is complete and its prices have the digest that the server published.

        It checks one `start`, items in ascending id within the bound, one matching `end`, one generation. `digest="skip"` leaves the
        digest and its unit out. `attempts`: exports to begin, at most; more are begun where one ended as `changed`, `interrupted` or
        `truncated`, and each costs a unit and a start of the plan's ceiling. Raises ExportError for an export that began and is not
        valid, ItemtapeError where it was refused.
        """
        if digest not in ("check", "skip"):
            raise TypeError('digest: must be "check" or "skip"')
        if type(attempts) is not int or not 1 <= attempts <= 100:
            raise TypeError("attempts: must be a whole number from 1 to 100")
        parts = self._settings.parts
        begun: List[bool] = []
        attempt = 0
        while True:
            attempt += 1
            try:
                return self._export_once(digest == "check", stream_s, on_progress, retry, begun)
            except ExportError as error:
                if error.reason not in _PASSING or attempt == attempts:
                    raise
                wait_s = _pause_for(attempt, parts.random())
                code = None if error.reason == "truncated" else f"snapshot_{error.reason}"
                self._settings.on_retry(RetryNotice("streamMarketSnapshot", 200, code, wait_s, attempt))
                parts.sleep(wait_s)

    def export_day(
        self,
        date: str,
        resolution: Literal["daily", "hourly"] = "daily",
        *,
        revision: Optional[int] = None,
        stream_s: float = 150.0,
        retry: Optional[RetryPolicy] = None,
    ) -> VerifiedDay:
        """Returns the sealed rows of one day of the whole market after its count and its digest were checked.

        Pass a revision for an earlier seal of the day. Raises ExportError for an export that began and is not valid, ItemtapeError where it was refused.
        """
        day: Dict[str, Any] = {"date": date, "resolution": resolution}
        if revision is not None:
            day["revision"] = revision
        start, *rows, end = self._stream(stream_s, None, retry, [], day=day)
        return VerifiedDay(start, end, rows)

    def stream_market_unverified(
        self,
        *,
        stream_s: float = 150.0,
        on_progress: Optional[Callable[[ExportProgress], None]] = None,
        retry: Optional[RetryPolicy] = None,
    ) -> Iterator[Union[SnapshotStart, SnapshotItem, SnapshotEnd]]:
        """Yields the records of an export as they come: `start`, items, `end`.

        Until `end` comes, which is after everything but the digest was checked, they prove nothing. Closing the iterator ends the
        export. `stream_s` bounds the whole stream, with the time that the caller takes between records.
        """
        return self._stream(stream_s, on_progress, retry, [])

    def follow(
        self,
        *,
        since: Optional[MarketCopy] = None,
        pause_s: Optional[float] = None,
        stream_s: float = 150.0,
        on_progress: Optional[Callable[[ExportProgress], None]] = None,
        retry: Optional[RetryPolicy] = None,
    ) -> Iterator[Market]:
        """Yields the whole market as it is and again whenever it changed, for as long as the caller goes on.

        The first comes from an export, or from `since`, a market of before; then changes are applied to a new dictionary. Each market
        is proven by both digests of the server. What is torn, forged or not confirmed changes nothing; an export takes its place. It
        costs a unit for each stream of changes and each half minute of waiting, and one more and an export start for an export. With
        `pause_s` it does not wait at the server: it asks for changes once in so many seconds, for one unit each. `stream_s` bounds
        each export and each stream of changes.

        Where a place or the minute is taken (`changes_busy`, `changes_capacity`, `snapshot_busy`, `snapshot_capacity`,
        `waiting_limit`, `rate_limited`) it waits as long as the server asks, up to a day, whatever `retry` says. A request without an
        answer is sent again after 1 to 2 s and 2 to 4 s, and each may have cost a unit; the third in a row is raised.

        A service that no longer has the generation and has an older one was restored: the next market is an export of it. If `since`
        is not a `Market` of this address, `generation_not_found` is raised instead.

        Raises what `export_market` and `call` raise, which ends it: to go on, pass the last market as `since`.
        """
        _check_since(since)
        _check_seconds("stream_s", stream_s)
        if pause_s is not None:
            _check_seconds("pause_s", pause_s)
        calls = _FollowCalls(
            lambda: self.export_market(
                digest="skip", attempts=_FOLLOW_ATTEMPTS_MAX, stream_s=stream_s, on_progress=on_progress, retry=retry
            ),
            lambda held: self._stream(stream_s, None, retry, [], held),
            lambda params: self.call("getCurrentGeneration", params, retry=retry).data,
            lambda generation: self.call(
                "getGeneration", {"generation": generation}, retry=replace(retry or self._settings.retry, attempts_max=1)
            ),
        )
        return _followed(self._settings, calls, since, pause_s)

    def _export_once(
        self,
        has_digest: bool,
        stream_s: float,
        on_progress: Optional[Callable[[ExportProgress], None]],
        retry: Optional[RetryPolicy],
        begun: List[bool],
    ) -> VerifiedExport:
        own = _PriceDigest()
        items: List[Any] = []
        start: Any = None
        end: Any = None
        for record in self._stream(stream_s, on_progress, retry, begun):
            if record["type"] == "start":
                start = record
            elif record["type"] == "item":
                items.append(record["data"])
                if has_digest:
                    own.add(record["data"])
            else:
                end = record
        verified = None
        if has_digest:
            params = {"generation": start["generation"]}
            verified = _confirmed(start, own.result(), lambda: self.call("getGeneration", params, retry=retry))
        return VerifiedExport(start, end, items, verified)

    def _stream(
        self,
        stream_s: float,
        on_progress: Optional[Callable[[ExportProgress], None]],
        retry: Optional[RetryPolicy],
        begun: List[bool],
        held: Optional[MarketState] = None,
        day: Optional[Mapping[str, Any]] = None,
    ) -> Iterator[Any]:
        """Yields the records of an export or, with the state that is held, of the changes since then, or of a day."""
        _check_seconds("stream_s", stream_s)
        monotonic = self._settings.parts.monotonic
        answer_s = (retry or self._settings.retry).answer_s
        if day is not None:
            outgoing = _request_of(self._settings, "streamHistoryDay", day)
        elif held is None:
            outgoing = _request_of(self._settings, "streamMarketSnapshot", {})
        else:
            params = {"generation": held["generation"], "identity_digest": held["identity_digest"]}
            outgoing = _request_of(self._settings, "streamMarketChanges", params)
        # Where an export of the same call began already, a 503 is the answer.
        opened = self._transport.open(outgoing, retry, lambda refusal: not (begun and refusal.status == 503))
        begun.append(True)
        request_id = opened.headers.get("x-request-id")
        verifier = (
            _ExportVerifier(outgoing.address, request_id, held)
            if day is None
            else _DayVerifier(outgoing.address, request_id, day)
        )
        ends_at = monotonic() + stream_s

        def left_s() -> float:
            left = ends_at - monotonic()
            if left <= 0:
                raise socket.timeout()
            return min(left, answer_s)

        chunks = opened.chunks(left_s)
        try:
            while True:
                try:
                    chunk = next(chunks, None)
                except socket.timeout as error:
                    is_total = ends_at - monotonic() < answer_s
                    why = f"it did not end within {stream_s:g} s" if is_total else f"no data arrived for {answer_s:g} s"
                    raise verifier.broken("truncated", why) from error
                except zlib.error as error:
                    raise verifier.broken("malformed", "it cannot be decompressed") from error
                except (OSError, http.client.HTTPException, _CutOff) as error:
                    raise verifier.broken("truncated", "the connection broke off") from error
                if chunk is None:
                    break
                records = verifier.take(chunk)
                progress = verifier.progress()
                if progress is not None and on_progress is not None:
                    on_progress(progress)
                yield from records
        finally:
            opened.close()
        yield verifier.finish()
