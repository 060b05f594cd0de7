
# Exports in a row that no stream of changes confirmed, and streams or connections in a row that broke off, before the failure counts.
_FOLLOW_ATTEMPTS_MAX = 3
_FOLLOW_WAIT_S = 30
# Refusals after which the same request will be admitted: a place or a minute is taken.
_TAKEN = ("changes_busy", "changes_capacity", "snapshot_busy", "snapshot_capacity", "waiting_limit", "rate_limited")
# A copy is kept for days: it waits longer than a single call does. Of waits without `Retry-After` the seventh and later take half a minute.
_PATIENCE_S_MAX = 86_400.0
_DOUBLINGS_MAX = 7
# Refusals that say that the changes since a state are not to be had.
_OUTDATED = ("generation_not_found", "changes_too_large")


@dataclass(frozen=True)
class MarketCopy:
    """A market that is held: the generation of an export, or of changes, and all its items by id."""

    generation: str
    items: Mapping[int, SnapshotItemData]


@dataclass(frozen=True)
class MarketChanges:
    """Ids that changed or came, and that went, since the market before."""

    items: List[int]
    removed: List[int]


@dataclass(frozen=True)
class Market(MarketCopy):
    """The whole market at one time, proven by both digests of the server. Its items are in ascending id."""

    digest: str
    """Of the canonical price part: SHA-256 in hexadecimal."""
    identity_digest: str
    """Of the canonical identity part: name, phase and availability of each item."""
    ingested_at: str
    generated_at: str
    """When the server answered."""
    request_id: str
    base_url: str
    """Address of the service."""
    changes: Optional[MarketChanges]
    """None: unknown, as after an export."""


@dataclass(frozen=True)
class _Held:
    """A market whose digests nobody has confirmed yet."""

    state: MarketState
    items: Dict[int, Any]


@dataclass(frozen=True)
class _FollowCalls:
    take_export: Callable[[], VerifiedExport]
    changes_since: Callable[[MarketState], Iterator[Any]]
    wait_for: Callable[[Mapping[str, Any]], Any]
    read_generation: Callable[[str], Any]


def _check_since(since: Optional[MarketCopy]) -> None:
    if since is None:
        return
    is_copy = isinstance(since, MarketCopy) and _GENERATION(since.generation) and isinstance(since.items, Mapping)
    if not is_copy:
        raise TypeError("since: must be a Market, or a MarketCopy of a generation and its items by id")


def _held_of(generation: str, items: Iterable[Any]) -> _Held:
    """Sorts the items, which a new one may have put out of order, and computes both digests."""
    in_order = {item["item_id"]: item for item in sorted(items, key=lambda item: item["item_id"])}
    prices, identity = _PriceDigest(), hashlib.sha256()
    for item in in_order.values():
        prices.add(item)
        identity.update(_line_of(item, "item_id", "market_hash_name", "phase", "availability"))
    digests = {"digest": prices.result().digest, "identity_digest": identity.hexdigest()}
    return _Held({"generation": generation, **digests}, in_order)  # type: ignore[typeddict-item]


def _held_since(since: MarketCopy) -> Optional[_Held]:
    """Items by the ids that they name: JSON made texts of the keys. None: items that the contract does not know, as of an old file."""
    try:
        for item in since.items.values():
            _check_item(item)
    except _BrokenLine:
        return None
    return _held_of(since.generation, since.items.values())


def _followed(
    settings: _Settings, calls: _FollowCalls, since: Optional[MarketCopy], pause_s: Optional[float]
) -> Iterator[Market]:
    held = None if since is None else _held_since(since)
    # Of several servers one can be behind: the copy goes back only at its own address, if the newer generation is gone there.
    newest = None if held is None else held.state["generation"]
    is_own = since is None or getattr(since, "base_url", None) == settings.address
    shown: Optional[Market] = None
    is_export = False
    failures = 0
    while True:
        if held is None:
            export = _lasting(settings, "streamMarketSnapshot", calls.take_export)
            is_older = _is_older(export.start["generation"], newest)
            gone = _gone_with(settings, calls, newest or "") if is_older else None
            if gone is not None and not is_own:
                raise gone
            if is_older and gone is None:
                failures += 1
                if failures == _FOLLOW_ATTEMPTS_MAX:
                    why = f"which is older than {newest} of the copy"
                    raise ExportError("changed", f"the service has {export.start['generation']} repeatedly, {why}")
                _pause(settings, failures)
                continue
            held = _held_of(export.start["generation"], export.items)
            is_export = True
        try:
            held, market = _updated(settings, calls, held)
        except (ExportError, ItemtapeError) as error:
            if isinstance(error, ItemtapeError) and not (error.status == 404 and error.code in _OUTDATED):
                raise
            # One that was held is given up without a word; an export that is not confirmed may be torn by a change of the catalog.
            if is_export:
                failures += 1
                if failures == _FOLLOW_ATTEMPTS_MAX:
                    raise
                _pause(settings, failures)
            held = None
            continue
        if shown is None or _state_of(shown) != held.state:
            shown = replace(market, changes=None) if is_export else market
            yield shown
        elif pause_s is None:
            _pause(settings, 1)
        newest = held.state["generation"]
        is_own = True
        is_export = False
        failures = 0
        if pause_s is None:
            _await_other(settings, calls, held.state)
        else:
            settings.parts.sleep(pause_s)


def _updated(settings: _Settings, calls: _FollowCalls, held: _Held) -> Tuple[_Held, Market]:
    """Returns the market that the changes since `held` lead to."""
    return _lasting(settings, "streamMarketChanges", lambda: _applied(held, list(calls.changes_since(held.state)), settings.address))


def _gone_with(settings: _Settings, calls: _FollowCalls, generation: str) -> Optional[ItemtapeError]:
    """Returns the refusal of a service that does not have the generation. None: it has it, or may only be behind. Costs a unit."""
    try:
        _lasting(settings, "getGeneration", lambda: calls.read_generation(generation))
    except ItemtapeError as error:
        return error if error.code == "generation_not_found" else None
    return None


_Result = TypeVar("_Result")


def _lasting(settings: _Settings, operation_id: str, work: Callable[[], _Result]) -> _Result:
    """Does one part of following until it succeeds or fails for good.

    Where a place or the minute is taken it waits as long as the server asks, longer than the policy would; a connection or a stream
    of changes that broke off is begun again.
    """
    broken = refused = 0
    while True:
        try:
            return work()
        except (ExportError, ItemtapeError, TransportError) as error:
            chance = settings.parts.random()
            is_taken = isinstance(error, ItemtapeError) and error.code in _TAKEN
            wait_s: Optional[float] = None
            if is_taken:
                refused += 1
                attempt = min(refused, _DOUBLINGS_MAX)
                wait_s = _wait_for(error, attempt, math.inf, (_DOUBLINGS_MAX + 1, _PATIENCE_S_MAX), chance)
            elif _is_broken(error, operation_id):
                broken += 1
                wait_s = None if broken == _FOLLOW_ATTEMPTS_MAX else _pause_for(broken, chance)
            if isinstance(error, ItemtapeError):
                status, code = error.status, error.code
            else:
                status = 200 if isinstance(error, ExportError) else 0
                code = None if status == 0 or error.reason == "truncated" else f"snapshot_{error.reason}"
            if wait_s is None:
                raise
        settings.on_retry(RetryNotice(operation_id, status, code, wait_s, refused if is_taken else broken))
        settings.parts.sleep(wait_s)


def _is_broken(error: Union[ExportError, ItemtapeError, TransportError], operation_id: str) -> bool:
    """Tells whether there was no answer of the service, or a stream of changes that broke off: the next one may come whole.

    A 5xx without a problem record is the answer of a proxy."""
    if isinstance(error, ItemtapeError):
        return error.status >= 500 and error.code is None
    if isinstance(error, TransportError):
        return error.reason in ("unreachable", "timeout")
    return operation_id == "streamMarketChanges" and error.reason in _PASSING


def _applied(held: _Held, records: List[Any], address: str) -> Tuple[_Held, Market]:
    """Applies one whole stream of changes to a copy of `held`, which stays as it is. Raises ExportError `digest`."""
    start = records[0]
    to: MarketState = start["to"]
    items = dict(held.items)
    changes = MarketChanges([], [])

    def differs(why: str) -> ExportError:
        message = f"the changes since {held.state['generation']} {why}"
        return ExportError("digest", message, request_id=start["request_id"])

    for record in records:
        if record["type"] == "item":
            items[record["data"]["item_id"]] = record["data"]
            changes.items.append(record["data"]["item_id"])
        elif record["type"] == "removed":
            item_id = record["item_id"]
            if items.pop(item_id, None) is None:
                raise differs(f"remove item {item_id}, which is not in the copy")
            changes.removed.append(item_id)
    following = _held_of(to["generation"], items.values()) if changes.items or changes.removed else held
    if {**following.state, "generation": to["generation"]} != to:
        raise differs(f"do not lead to the digests of {to['generation']}")
    market = Market(
        to["generation"],
        # The caller's own: what is done to it does not reach the copy that is followed.
        dict(following.items),
        to["digest"],
        to["identity_digest"],
        start["ingested_at"],
        start["generated_at"],
        start["request_id"],
        address,
        changes,
    )
    return _Held(to, following.items), market


def _await_other(settings: _Settings, calls: _FollowCalls, state: MarketState) -> None:
    """Waits until the server has another state, or has lost this one. Each request costs a unit and takes up to half a minute.

    A server that stays behind is told, and asked on.
    """
    monotonic = settings.parts.monotonic
    behind = 0
    while True:
        asked_at = monotonic()
        params = {"after": state["generation"], "wait_seconds": _FOLLOW_WAIT_S}
        current = _lasting(settings, "getCurrentGeneration", lambda: calls.wait_for(params))
        if not isinstance(current, dict):
            return
        is_other = any(current.get(name) != value for name, value in state.items())
        is_behind = _is_older(current["generation"], state["generation"])
        if is_other and not is_behind:
            return
        behind = behind + 1 if is_behind else 0
        # A server that is being restarted answers at once.
        is_early = monotonic() - asked_at < _FOLLOW_WAIT_S / 2
        wait_s = _pause_for(1, settings.parts.random()) if is_early else 0
        if behind >= _FOLLOW_ATTEMPTS_MAX:
            has = current["generation"]
            settings.on_retry(RetryNotice("getCurrentGeneration", 200, None, wait_s, behind, has))
            if _gone_with(settings, calls, state["generation"]) is not None:
                return
        if is_early:
            settings.parts.sleep(wait_s)


def _is_older(generation: str, other: Optional[str]) -> bool:
    """Tells whether a generation such as g7 came before `other`. None: nothing is known."""
    return other is not None and int(generation[1:]) < int(other[1:])


def _pause(settings: _Settings, attempt: int) -> None:
    settings.parts.sleep(_pause_for(attempt, settings.parts.random()))


def _state_of(market: Market) -> MarketState:
    return {"generation": market.generation, "digest": market.digest, "identity_digest": market.identity_digest}
