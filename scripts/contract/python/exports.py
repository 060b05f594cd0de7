
_STREAM_BYTES_MAX = 1024 * 1024 * 1024
_REASONS = {
    "changed": "outdated",
    "interrupted": "interrupted",
    "truncated": "truncated",
    "malformed": "malformed",
    "digest": "not the published market",
}
# Ends of an export after which another one may succeed.
_PASSING = ("changed", "interrupted", "truncated")


@dataclass(frozen=True)
class VerifiedDigest:
    """Digest of a generation's prices as both sides computed it: SHA-256 in hexadecimal."""

    digest: str
    items: int
    bytes: int


@dataclass(frozen=True)
class VerifiedExport:
    """An export that was checked from `start` to `end`. `digest` is None where its check was skipped."""

    start: SnapshotStart
    end: SnapshotEnd
    items: List[SnapshotItemData]
    digest: Optional[VerifiedDigest]


@dataclass(frozen=True)
class VerifiedDay:
    """The export of a day, checked from `start` to `end` with the digest of its rows."""

    start: DayExportStart
    end: DayExportEnd
    rows: List[Union[DayDaily, DayQuotes, DayMarkers]]


@dataclass(frozen=True)
class ExportProgress:
    """Progress of an export: it has come to `item_id` of `up_to`, the bound of the ascending ids. `bytes` are uncompressed."""

    items: int
    bytes: int
    item_id: int
    up_to: int


def _line_of(item: Any, *names: str) -> bytes:
    """One line of a canonical part: these fields as JSON."""
    text = json.dumps({name: item[name] for name in names}, ensure_ascii=False, separators=(",", ":")) + "\n"
    return text.encode("utf-8", "backslashreplace")


class _PriceDigest:
    """The digest of the canonical price part: one line of `item_id`, `asks`, `bids` for each available item, in the export's order."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._items = 0
        self._bytes = 0

    def add(self, item: Any) -> None:
        if item["availability"] != "available":
            return
        line = _line_of(item, "item_id", "asks", "bids")
        self._hash.update(line)
        self._items += 1
        self._bytes += len(line)

    def result(self) -> VerifiedDigest:
        return VerifiedDigest(self._hash.hexdigest(), self._items, self._bytes)


class _ExportVerifier:
    """Verifies one export, or one stream of the changes since `held`, from `start` to `end`.

    After an ExportError nothing of it is to be used.
    """

    def __init__(self, address: str, request_id: Optional[str], held: Optional[MarketState] = None) -> None:
        self._held = held
        self._shapes = _SHAPES if held is None else _CHANGES_SHAPES
        self._what = "export" if held is None else "stream of changes"
        self._address = address
        self._request_id = request_id
        self._pending = b""
        self._line = 0
        self._bytes = 0
        self._items = 0
        self._removed = 0
        self._last_id = 0
        self._start: Any = None
        self._end: Any = None

    def progress(self) -> Optional[ExportProgress]:
        """None before `start` and of a stream of changes."""
        if self._start is None or self._held is not None:
            return None
        up_to = self._start["catalog_max_item_id"]
        return ExportProgress(self._items, self._bytes, self._last_id if self._end is None else up_to, up_to)

    def take(self, chunk: bytes) -> List[Any]:
        """Returns the records that end in this chunk but `end`, which is kept until the body is over. Raises ExportError."""
        self._bytes += len(chunk)
        if self._bytes > _STREAM_BYTES_MAX:
            raise self.broken("malformed", f"it is larger than {_STREAM_BYTES_MAX} bytes")
        *lines, self._pending = (self._pending + chunk).split(b"\n")
        records = []
        for line in lines:
            self._line += 1
            try:
                if len(line) > _RECORD_BYTES_MAX:
                    raise _BrokenLine(f"a record is larger than {_RECORD_BYTES_MAX} bytes")
                record = self._accepted(self._read(line))
            except _BrokenLine as error:
                raise self.broken("malformed", str(error)) from None
            if record is not None:
                records.append(record)
        if len(self._pending) > _RECORD_BYTES_MAX:
            self._line += 1
            raise self.broken("malformed", f"a record is larger than {_RECORD_BYTES_MAX} bytes")
        return records

    def finish(self) -> Any:
        """Returns `end`, once the body is over."""
        if self._pending and self._end is not None:
            raise self.broken("malformed", "a record follows `end`")
        if self._end is None:
            raise self.broken("truncated", "the stream ended without its `end` record")
        return self._end

    def broken(self, reason: str, why: str) -> ExportError:
        message = f"{self._address}: the {self._what} is {_REASONS[reason]}, after {self._line} lines: {why}"
        request_id = self._request_id if self._start is None else self._start["request_id"]
        return ExportError(reason, message, request_id=request_id, line=self._line)

    def _read(self, line: bytes) -> Any:
        return _read_record(line, self._shapes)

    def _accepted(self, record: Any) -> Any:
        kind = record["type"]
        if self._end is not None:
            raise self.broken("malformed", "a record follows `end`")
        if self._start is None:
            if kind != "start":
                raise self.broken("malformed", f"`{kind}` before `start`")
            if self._request_id is not None and record["request_id"] != self._request_id:
                raise self.broken("malformed", "`start` names another request than X-Request-Id")
            if self._held is not None and record["from"] != self._held:
                raise self.broken("digest", "it starts from another state than the copy")
            self._start = record
            return record
        if kind == "start":
            raise self.broken("malformed", "a second `start`")
        if kind == "item":
            self._check_order(record["data"]["item_id"])
            self._items += 1
            return record
        if kind == "removed":
            self._check_order(record["item_id"])
            self._removed += 1
            return record
        if record["request_id"] != self._start["request_id"]:
            raise self.broken("malformed", f"`{kind}` names another request than `start`")
        if kind == "error":
            if record["code"] == "snapshot_changed":
                raise self.broken("changed", "a new generation was published meanwhile (snapshot_changed)")
            raise self.broken("interrupted", "the server gave up (snapshot_interrupted)")
        self._check_end(record)
        self._end = record
        return None

    def _check_end(self, end: Any) -> None:
        if self._held is not None:
            if end["to"] != self._start["to"]:
                raise self.broken("malformed", "`end` names another state than `start`")
            if end["removed"] != self._removed:
                raise self.broken("malformed", f"`end` counts {end['removed']} removed items, but the stream has {self._removed}")
        elif end["generation"] != self._start["generation"]:
            raise self.broken("malformed", f"`end` is of {end['generation']}, `start` of {self._start['generation']}")
        if end["items"] != self._items:
            raise self.broken("malformed", f"`end` counts {end['items']} items, but the stream has {self._items}")

    def _check_order(self, item_id: int) -> None:
        if item_id == self._last_id:
            raise self.broken("malformed", f"item {item_id} is listed twice")
        if item_id < self._last_id:
            raise self.broken("malformed", f"item {item_id} follows item {self._last_id}")
        if self._held is None and item_id > self._start["catalog_max_item_id"]:
            raise self.broken("malformed", f"item {item_id} is beyond catalog_max_item_id")
        self._last_id = item_id


class _DayVerifier(_ExportVerifier):
    """Verifies the export of one day, from `start` to `end`. After an ExportError its rows must not be used."""

    def __init__(self, address: str, request_id: Optional[str], asked: Mapping[str, Any]) -> None:
        super().__init__(address, request_id)
        self._shapes = _DAY_SHAPES
        self._what = "day"
        self._asked = asked
        self._hash = hashlib.sha256()

    def progress(self) -> None:
        return None

    def _read(self, line: bytes) -> Any:
        record = super()._read(line)
        if "data" in record:
            self._hash.update(line + b"\n")
        return record

    def _accepted(self, record: Any) -> Any:
        kind = record["type"]
        if self._start is None and kind == "start" and any(record[name] != self._asked[name] for name in self._asked):
            raise self.broken("malformed", "the first record is not the start of this day")
        if self._start is None or kind not in ("daily", "quotes", "markers"):
            return super()._accepted(record)
        if self._end is not None:
            raise self.broken("malformed", "something stands after `end`")
        if (kind == "daily") != (self._asked["resolution"] == "daily"):
            raise self.broken("malformed", "a line of the other resolution")
        self._items += 1
        return record

    def _check_end(self, end: Any) -> None:
        if end["date"] != self._start["date"] or end["revision"] != self._start["revision"]:
            raise self.broken("malformed", "`end` is of another day than `start`")
        if end["rows"] != self._items:
            raise self.broken("malformed", f"`end` counts {end['rows']} rows, and {self._items} came")
        if end["digest"] != self._hash.hexdigest():
            raise self.broken("digest", "the rows do not match the digest")


def _confirmed(start: SnapshotStart, own: VerifiedDigest, read: Callable[[], Answer[Any, Any]]) -> VerifiedDigest:
    """Compares the content of an export with the digest of its generation from `read`."""
    generation, request_id = start["generation"], start["request_id"]

    def differs(why: str) -> ExportError:
        return ExportError("digest", f"the export of {generation} is not the published market: {why}", request_id=request_id)

    try:
        data = read().data
    except (ItemtapeError, TransportError) as error:
        if isinstance(error, ItemtapeError) and error.status == 404:
            raise differs("the server has no digest of it") from error
        message = f'the export of {generation} is complete, but its digest could not be requested; digest="skip" does without'
        raise ExportError("unconfirmed", message, request_id=request_id) from error
    wanted = {"digest": own.digest, "items": own.items, "bytes": own.bytes, "generation": generation}
    for name, value in {**wanted, "ingested_at": start["ingested_at"]}.items():
        if data.get(name) != value:
            raise differs(f"its `{name}` differs from {value}")
    return own
