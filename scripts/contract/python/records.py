
_Check = Callable[[Any], bool]
_RECORD_BYTES_MAX = 256 * 1024
_ITEM_ID_MAX = 2**31 - 1
_QUOTES_MAX = 3000


class _BrokenLine(Exception):
    """A line that no record can be."""


def _integer(least: int, most: int) -> _Check:
    return lambda value: type(value) is int and least <= value <= most


def _text(pattern: str) -> _Check:
    compiled = re.compile(pattern)
    return lambda value: isinstance(value, str) and compiled.fullmatch(value) is not None


def _characters(most: int) -> _Check:
    return lambda value: isinstance(value, str) and 0 < len(value) <= most


def _one_of(*constants: Any) -> _Check:
    return lambda value: any(type(value) is type(one) and value == one for one in constants)


def _or_none(check: _Check) -> _Check:
    return lambda value: value is None or check(value)


_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")


def _is_time(value: Any) -> bool:
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        return False
    try:
        datetime.strptime(value, "%Y-%m-%dT%H:%M:%S.%fZ")
    except ValueError:
        return False
    return True


_REQUEST_ID = _text(r"req_[0-9a-z]{26}")
_GENERATION = _text(r"g[0-9]{1,15}")
_SHA256 = _text(r"[0-9a-f]{64}")
_SHAPES: Dict[str, Dict[str, _Check]] = {
    "start": {
        "type": _one_of("start"),
        "request_id": _REQUEST_ID,
        "generation": _GENERATION,
        "generated_at": _is_time,
        "ingested_at": _is_time,
        "price_as_of": _one_of(None),
        "consistency": _one_of("single_price_generation"),
        "catalog_max_item_id": _integer(0, _ITEM_ID_MAX),
    },
    "item": {"type": _one_of("item"), "data": lambda value: isinstance(value, dict)},
    "end": {"type": _one_of("end"), "request_id": _REQUEST_ID, "generation": _GENERATION, "items": _integer(0, _ITEM_ID_MAX)},
    "error": {
        "type": _one_of("error"),
        "request_id": _REQUEST_ID,
        "code": _one_of("snapshot_interrupted", "snapshot_changed"),
    },
}
_STATE_SHAPE: Dict[str, _Check] = {"generation": _GENERATION, "digest": _SHA256, "identity_digest": _SHA256}


def _is_state(value: Any) -> bool:
    _check_shape("state", value, _STATE_SHAPE)
    return True


_CHANGES_SHAPES: Dict[str, Dict[str, _Check]] = {
    "start": {
        "type": _one_of("start"),
        "request_id": _REQUEST_ID,
        "generated_at": _is_time,
        "ingested_at": _is_time,
        "from": _is_state,
        "to": _is_state,
    },
    "item": _SHAPES["item"],
    "removed": {"type": _one_of("removed"), "item_id": _integer(1, _ITEM_ID_MAX)},
    "end": {
        "type": _one_of("end"),
        "request_id": _REQUEST_ID,
        "to": _is_state,
        "items": _integer(0, _ITEM_ID_MAX),
        "removed": _integer(0, _ITEM_ID_MAX),
    },
    "error": _SHAPES["error"],
}


def _data(shape: Dict[str, _Check]) -> _Check:
    def check(value: Any) -> bool:
        _check_shape("data", value, shape)
        return True

    return check


def _list_of(check: _Check, most: int) -> _Check:
    return lambda value: isinstance(value, list) and len(value) <= most and all(check(one) for one in value)


def _by_hour(check: _Check) -> _Check:
    return _list_of(check, 24)


def _is_date(value: Any) -> bool:
    return _is_time(f"{value}T00:00:00.000Z")


_POSITIVE = _integer(1, _ITEM_ID_MAX)
_ROW: Dict[str, _Check] = {"item_id": _POSITIVE, "side": _one_of("ask", "bid")}
_AMOUNT = _integer(1, _INTEGER_MAX)
_PROVIDER = _text(r"[a-z0-9][a-z0-9-]{0,59}")
_FEED = _characters(60)
_TIMES = _by_hour(_is_time)
_FRAMES: Dict[str, _Check] = {
    "feed": _FEED,
    "hours": _by_hour(_integer(0, 23)),
    "ingested_at": _TIMES,
    "checked_at": _TIMES,
    "recorded_at": _TIMES,
}


def _is_hours(value: Any) -> bool:
    """Ascending ranges of hours of a day."""
    following = 0
    for one in value if isinstance(value, list) else [None]:
        is_range = isinstance(one, list) and len(one) == 2 and all(type(hour) is int for hour in one)
        if not is_range or not following <= one[0] <= one[1] < 24:
            return False
        following = one[1] + 1
    return True


_DAY_SHAPES: Dict[str, Dict[str, _Check]] = {
    "start": {
        "type": _one_of("start"),
        "request_id": _REQUEST_ID,
        "date": _is_date,
        "revision": _POSITIVE,
        "resolution": _one_of("daily", "hourly"),
        "generated_at": _is_time,
        "sealed_at": _is_time,
        "currency": _one_of("USD"),
        "minor_units": _one_of(2),
        "selection": _or_none(_data({"provider": _PROVIDER, "side": _one_of("ask", "bid")})),
        "frames": _list_of(_data(_FRAMES), 200),
    },
    "daily": {
        "type": _one_of("daily"),
        "data": _data(
            {
                **_ROW,
                "provider": _PROVIDER,
                "amount": _AMOUNT,
                "low_amount": _AMOUNT,
                "high_amount": _AMOUNT,
                "observations": _POSITIVE,
                "quantity": _or_none(_AMOUNT),
                "source_observed_at": _or_none(_is_time),
                "recorded_at": _is_time,
            }
        ),
    },
    "quotes": {
        "type": _one_of("quotes"),
        "data": _data(
            {
                **_ROW,
                "provider": _PROVIDER,
                "feed": _FEED,
                "hours": _is_hours,
                "amounts": _by_hour(_AMOUNT),
                "quantities": _by_hour(_or_none(_AMOUNT)),
                "source_observed_at": _by_hour(_or_none(_is_time)),
            }
        ),
    },
    "markers": {
        "type": _one_of("markers"),
        "data": _data(
            {
                **_ROW,
                "hours": _is_hours,
                "availability": _by_hour(_one_of("quoted", "item_missing", "no_quote")),
                "feeds": _by_hour(_or_none(_list_of(_FEED, 200))),
            }
        ),
    },
    "end": {
        "type": _one_of("end"),
        "request_id": _REQUEST_ID,
        "date": _is_date,
        "revision": _POSITIVE,
        "rows": _integer(0, _INTEGER_MAX),
        "digest": _SHA256,
    },
    "error": _SHAPES["error"],
}
_ITEM_SHAPE: Dict[str, _Check] = {
    "item_id": _integer(1, _ITEM_ID_MAX),
    "market_hash_name": _characters(300),
    "phase": _or_none(_characters(60)),
    "availability": _one_of("available", "missing"),
    "asks": lambda value: isinstance(value, list),
    "bids": lambda value: isinstance(value, list),
}
_QUOTE_SHAPE: Dict[str, _Check] = {
    "provider": _PROVIDER,
    "amount": _AMOUNT,
    "currency": _one_of("USD"),
    "minor_units": _one_of(2),
    "quantity": _or_none(_integer(1, _INTEGER_MAX)),
    "url": _or_none(_text(r"(?=.{0,2048}$)https://[!-~]*")),
    # A time would be one that no export has.
    "as_of": _one_of(None),
}


def _read_record(line: bytes, shapes: Dict[str, Dict[str, _Check]] = _SHAPES) -> Any:
    """Reads one line strictly: known kinds, no key missing and none too many, every value in its bounds. Raises _BrokenLine."""
    if not line:
        raise _BrokenLine("an empty line")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise _BrokenLine("a record is not UTF-8") from None
    # Nothing may stand around the braces: not even the carriage return of other line ends.
    if not (text.startswith("{") and text.endswith("}")):
        raise _BrokenLine("a line that is not one JSON object")
    try:
        record = _json_of(text)
    except ValueError:
        raise _BrokenLine("a line that is not one JSON object") from None
    kind = record.get("type")
    if not isinstance(kind, str) or kind not in shapes:
        raise _BrokenLine("a record of an unknown type")
    _check_shape(kind, record, shapes[kind])
    if kind == "item":
        _check_item(record["data"])
    return record


def _check_item(item: Any) -> None:
    _check_shape("item", item, _ITEM_SHAPE)
    for quotes in (item["asks"], item["bids"]):
        if len(quotes) > _QUOTES_MAX:
            raise _BrokenLine(f"item {item['item_id']}: more than {_QUOTES_MAX} quotes on a side")
        for one in quotes:
            _check_shape("quote", one, _QUOTE_SHAPE)
    if (item["availability"] == "missing") != (not item["asks"] and not item["bids"]):
        raise _BrokenLine(f"item {item['item_id']}: its availability contradicts its quotes")


def _check_shape(what: str, value: Any, shape: Dict[str, _Check]) -> None:
    if not isinstance(value, dict):
        raise _BrokenLine(f"a {what} that is not an object")
    for key, check in shape.items():
        if key not in value:
            raise _BrokenLine(f"{what}: `{key}` is missing")
        if not check(value[key]):
            raise _BrokenLine(f"{what}: `{key}` has an invalid value")
    if len(value) != len(shape):
        raise _BrokenLine(f"{what}: has an unknown key")
