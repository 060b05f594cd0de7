"""Client of an Itemtape server: typed calls, retries, lists and verified exports.

One file for Python 3.9 and later that needs the standard library only. Take it from the server that you call:

    curl -O http://127.0.0.1:8080/client/itemtape.py

    import os
    from itemtape import Itemtape

    client = Itemtape("http://127.0.0.1:8080", api_key=os.environ["ITEMTAPE_API_KEY"])
    print(client.get_item(445).data["market_hash_name"])
    for item in client.list_items_rows(q="karambit"):
        print(item["item_id"], item["phase"])
"""
# Made from openapi.yaml and scripts/contract/python by `npm run generate`; edit those instead.
from __future__ import annotations

import email.utils
import hashlib
import http.client
import json
import math
import random
import re
import socket
import ssl
import time
import zlib
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Callable, Dict, Generic, Iterable, Iterator, List, Literal, Mapping, NoReturn, Optional, Tuple, TypedDict, TypeVar, Union
from urllib.parse import quote, urlsplit

CONTRACT_VERSION = "0.1.0"

# Diagnostic identifier of a request, made by the server; the same as the header `X-Request-Id`.
RequestId = str


class Status(TypedDict):
    """Availability of local data sets only; not a promise of full catalog or historical coverage."""

    database: DatabaseState
    market_snapshot: MarketSnapshotState
    # Version of the running program, with its build if known.
    release: str
    contract_revision: ContractRevision
    # The sources of quotes, ordered by name.
    feeds: List[FeedStatus]
    # The market release that the server answers from; null if the market is the server's own.
    market_release: Optional[MarketRelease]
    # First instant of the past that the server can read back, such as with `known_at`; replaced data of before is not stored.
    known_since: Optional[str]


# Whether the local database can be read.
DatabaseState = Literal["ok", "unavailable"]

# State of the published quotes, by the most recently verified feed; `feeds` has the state of each.
MarketSnapshotState = Literal["available", "missing", "stale"]

# A revision of this document: the UTC day in `info.x-itemtape-revision`.
ContractRevision = str


class FeedStatus(TypedDict):
    """One source of quotes, which covers one or more providers."""

    # Name of the source of quotes.
    feed: str
    state: FeedState
    # When the feed was last verified; null if never.
    last_checked_at: Optional[str]
    # When quotes of the feed were last published; null if never.
    last_ingested_at: Optional[str]
    # When the source saved its latest body, by its own statement; null if it gives no time.
    source_saved_at: Optional[str]
    # When the source last sent new content; null if never.
    unchanged_since: Optional[str]
    # End of the time in which a new source's prices count as unconfirmed; null if they are confirmed.
    unconfirmed_until: Optional[str]


# State of the feed.
FeedState = Union[Literal["available", "stale", "dropped", "missing"], str]


class MarketRelease(TypedDict):
    """The signed market release that the server answers from."""

    # Number of the release; a later one has a higher number.
    number: int
    # Generation in the release; null if none was published.
    generation: Optional[Generation]
    # When the publisher sealed the release.
    sealed_at: str
    state: MarketReleaseState
    # When the server last found it to be its publisher's newest release; null if not since the server started.
    checked_at: Optional[str]


# Name of one published state of the whole price cache.
Generation = str

# State of the served release.
MarketReleaseState = Literal["available", "failing", "stale"]


class Meta(TypedDict):
    """Metadata of the response."""

    request_id: RequestId
    generated_at: GeneratedAt


# When this response was made. Never a price time.
GeneratedAt = str


class _Problem(TypedDict, total=False):
    # Fault of this request, in words.
    detail: str


class Problem(_Problem):
    """The record of every error. Retry 429 and 503 only."""

    # `/problems/{code}`, a page of this server that explains cause and fix.
    type: str
    # The code in words; the same for every occurrence.
    title: str
    # The HTTP status of this response.
    status: int
    code: ErrorCode
    # Diagnostic identifier of this request; the same as the header `X-Request-Id`.
    request_id: str


# The error codes, an open list: read an unknown code by its `status`.
ErrorCode = Union[Literal["malformed_request", "invalid_parameter", "invalid_body", "invalid_range", "window_too_large", "batch_limit_exceeded", "invalid_cursor", "cursor_mismatch", "unknown_provider", "unknown_methodology_version", "credential_in_url", "invalid_api_key", "expired_api_key", "revoked_api_key", "plan_upgrade_required", "insufficient_scope", "account_disabled", "item_not_found", "openable_not_found", "index_not_found", "currency_not_found", "portfolio_not_found", "generation_not_found", "changes_too_large", "day_not_found", "endpoint_not_found", "request_too_large", "rate_limited", "monthly_quota_exceeded", "snapshot_busy", "snapshot_capacity", "snapshot_daily_limit", "changes_busy", "changes_capacity", "waiting_limit", "snapshot_unavailable", "data_unavailable", "service_unavailable"], str]

# Opaque position in a list; pass it back unchanged.
PageCursor = str


class ContractChange(TypedDict):
    """One change of this document."""

    # Number of the change, ascending in time.
    change_id: int
    # The UTC day of the change.
    date: str
    revision: ContractRevision
    # The `info.version` of the document that brought the change.
    contract_version: str
    kind: ContractChangeKind
    # The operations that the change affects.
    operations: List[OperationName]
    # Description of the change.
    summary: str


# Effect of the change on clients.
ContractChangeKind = Literal["breaking", "additive", "wording"]

# An `operationId` of this document, or of an operation that was removed.
OperationName = str


class PageMeta(TypedDict):
    """Metadata of the response, with the position of the next page."""

    request_id: RequestId
    generated_at: GeneratedAt
    # Pass it unchanged as `after`. Null on the last page.
    next_page: Optional[PageCursor]


class Provider(TypedDict):
    """A marketplace with quotes now or in the past."""

    provider: ProviderSlug
    # Display name of the marketplace.
    name: str
    kind: ProviderKind
    # Whether its feed has sellers' offers.
    has_asks: bool
    # Whether its feed has buy orders.
    has_bids: bool
    # False if its feed is no longer read or no longer has its quotes; its history stays.
    active: bool
    # Highest ask that the marketplace lists at all, in US-dollar cents; null if it has no such limit.
    price_ceiling_cents: Optional[Cents]
    # Last successful verification of its feed; null if never.
    last_checked_at: Optional[Timestamp]
    # When data of its feed was last published here; null if never.
    last_ingested_at: Optional[Timestamp]
    # When the source saved the latest body of its feed, by its own statement; null if it gives no time.
    source_saved_at: Optional[Timestamp]
    # When the source of its feed last sent new content; null if never.
    unchanged_since: Optional[Timestamp]
    # Page with the terms of its source; null if unknown.
    terms_url: Optional[HttpsUrl]
    # UTC day on which these terms were last read; null if they were not.
    terms_read_on: Optional[UtcDate]
    redistribution: Redistribution
    # Text to show beside its prices, as its source asks; null if none is known.
    attribution: Optional[str]


# Exact slug of a marketplace, see `listProviders`.
ProviderSlug = str

# Kind of marketplace.
ProviderKind = Union[Literal["main_platform", "cash", "trade"], str]

# Money in integer US-dollar cents. Never zero for "unknown".
Cents = int

# RFC 3339 date-time in UTC, with milliseconds and `Z`.
Timestamp = str

# An https address.
HttpsUrl = str

# A UTC day as `YYYY-MM-DD`.
UtcDate = str

# Whether the terms of the source let you pass its prices on.
Redistribution = Literal["allowed", "not_allowed", "unknown"]

# Stable identifier of one exact variant.
ItemId = int


class CatalogItem(TypedDict):
    """A catalog item in a list. An unknown field is null."""

    item_id: ItemId
    market_hash_name: MarketHashName
    slug: ItemSlug
    # Kind of item, such as a weapon, knife, sticker or container; null if unknown.
    type: Optional[str]
    # Rarity grade in words, such as `Covert`; null if unknown.
    rarity: Optional[str]
    # Collection that the item belongs to; null if it has none or it is unknown.
    collection: Optional[str]
    # Exact paint phase; null for items without phases and for unphased identities.
    phase: Optional[PaintPhase]
    # Russian name of the item; null if unknown.
    name_ru: Optional[str]
    # HTTPS address of a picture; null if unknown.
    image_url: Optional[HttpsUrl]
    # Wear in words, such as `Factory New`; null for items without wear.
    wear: Optional[str]
    # Whether this is the stat-counter variant; null if unknown.
    stat_counter: Optional[bool]
    # Whether this is the souvenir variant; null if unknown.
    souvenir: Optional[bool]
    # Lowest cached ask of all providers, in US-dollar cents; null on the Free plan and without an ask.
    best_ask_cents: Optional[Cents]
    # Provider of that ask; null if `best_ask_cents` is null.
    best_ask_provider: Optional[ProviderSlug]
    # When this ask was first seen here at this amount; null if `best_ask_cents` is null.
    price_updated_at: Optional[Timestamp]


# Name as the main platform writes it.
MarketHashName = str

# Readable short form of the name.
ItemSlug = str

# Exact paint phase: one of `Phase 1` to `Phase 4`, `Ruby`, `Sapphire`, `Black Pearl`, `Emerald`.
PaintPhase = str


class ItemPageMeta(TypedDict):
    """Metadata of the response, with the position of the next page."""

    request_id: RequestId
    generated_at: GeneratedAt
    # The last `item_id` of this page, to pass as `cursor`; null on the last page.
    next_cursor: Optional[int]
    # The search made instead if no item has all words of `q`; null if `q` was searched unchanged.
    read_as: Optional[str]


class ResolveNamesRequest(TypedDict):
    """Request of `resolveItemNames`: the names to find."""

    # 1 to 100 different names, each a whole `market_hash_name`.
    names: List[AskedItemName]


# The name as in the request.
AskedItemName = str


class ResolvedName(TypedDict):
    """All items that have one requested name."""

    name: AskedItemName
    # True if there is more than one candidate: the name does not identify an item.
    ambiguous: bool
    # The items with this name, in ascending `item_id`.
    candidates: List[ItemCandidate]


class ItemCandidate(TypedDict):
    """An item with the requested name."""

    item_id: ItemId
    # Exact paint phase; null for items without phases and for unphased identities.
    phase: Optional[PaintPhase]
    identity: ItemIdentity
    # False if the item has left the catalog and is stored only for its history.
    in_catalog: bool


# Whether the item is one exact variant.
ItemIdentity = Literal["exact", "unphased"]


class ItemDetail(TypedDict):
    """Stored catalog metadata of one item, without prices."""

    item_id: ItemId
    market_hash_name: MarketHashName
    slug: ItemSlug
    # Kind of item, such as a weapon, knife, sticker or container; null if unknown.
    type: Optional[str]
    # Rarity grade in words, such as `Covert`; null if unknown.
    rarity: Optional[str]
    # Collection that the item belongs to; null if it has none or it is unknown.
    collection: Optional[str]
    # Exact paint phase; null for items without phases and for unphased identities.
    phase: Optional[PaintPhase]
    # Russian name of the item; null if unknown.
    name_ru: Optional[str]
    # HTTPS address of a picture; null if unknown.
    image_url: Optional[HttpsUrl]
    # Wear in words, such as `Factory New`; null for items without wear.
    wear: Optional[str]
    # Whether this is the stat-counter variant; null if unknown.
    stat_counter: Optional[bool]
    # Whether this is the souvenir variant; null if unknown.
    souvenir: Optional[bool]
    # Lower bound of the finish's wear value as a decimal string; null if unknown.
    wear_min: Optional[WearBound]
    # Upper bound of the finish's wear value as a decimal string; null if unknown.
    wear_max: Optional[WearBound]
    # Other items with the same `market_hash_name`, at most 50, in ascending order.
    shares_name_with: List[ItemId]
    identity: ItemIdentity
    # Slug of the container that this item is, for `getOpenable`; null if it is not a container or the service does not show it.
    openable_slug: Optional[OpenableSlug]
    # False if the item has left the catalog and is stored only for its history.
    in_catalog: bool
    # When the item was first imported.
    first_seen_at: str
    # When an import last changed its metadata; null if never.
    updated_at: Optional[Timestamp]


# Decimal number as a string, without an exponent.
WearBound = str

# Exact slug of a container, see `listOpenables`.
OpenableSlug = str


class MarketPrices(TypedDict):
    """Cached quotes of one item in one generation of the price cache."""

    item_id: ItemId
    market_hash_name: MarketHashName
    # Exact paint phase, or null; it never falls back to an unphased item.
    phase: Optional[PaintPhase]
    availability: Availability
    generation: Generation
    ingested_at: IngestedAt
    # Sellers' offers in no promised order; sort ascending by `amount` yourself.
    asks: List[Quote]
    # Buy orders in no promised order; sort descending by `amount` yourself.
    bids: List[Quote]


# Whether the cache has quotes of this item, without regard to filters of the request.
Availability = Literal["available", "missing"]

# When this generation of the price cache was published.
IngestedAt = str


class Quote(TypedDict):
    """One cached offer or buy order."""

    provider: ProviderSlug
    amount: Cents
    # Currency of `amount`; always `USD`.
    currency: Literal["USD"]
    # Decimal places of `amount`; always 2, so amounts are US-dollar cents.
    minor_units: Literal[2]
    # Number of units offered or wanted at this amount; null if the source does not report it.
    quantity: Optional[Quantity]
    # Page of the item at the provider; null if unknown.
    url: Optional[HttpsUrl]
    # When the source observed this quote; null (unknown) if the source gives no time.
    as_of: Optional[Timestamp]


# Number of units offered or wanted at this amount.
Quantity = int


class QuoteMeta(TypedDict):
    """Metadata of the response, with the times behind its quotes."""

    request_id: RequestId
    generated_at: GeneratedAt
    # Oldest source observation of the returned quotes; null (unknown) if any of them has none.
    as_of: Optional[Timestamp]
    freshness: Freshness
    # Whether the source was successfully verified within the last 15 minutes.
    cache_recently_checked: bool
    timestamp_quality: TimestampQuality


# Age class of `as_of`; `unknown` if `as_of` is null.
Freshness = Literal["unknown", "fresh", "stale"]

# Completeness of the source times of the response.
TimestampQuality = Literal["source_observed", "partial", "ingest_only", "unknown"]

# Side of the market; one side never falls back to the other.
SelectedSide = Literal["ask", "bid"]

# RFC 3339 date-time in UTC with `Z`.
KnownInstant = str


class DailyPrice(TypedDict):
    """Prices of one item at one provider on one UTC day."""

    # The UTC day of the prices.
    date: str
    provider: ProviderSlug
    side: QuoteSide
    # Last stored observation of the day, in US-dollar cents.
    amount: int
    # Lowest stored observation of the day, in US-dollar cents.
    low_amount: int
    # Highest stored observation of the day, in US-dollar cents.
    high_amount: int
    # Number of stored observations behind the row.
    observations: int
    # Units offered or wanted at the last observation; null if the source does not report it.
    quantity: Optional[Quantity]
    # Currency of `amount`; always `USD`.
    currency: Literal["USD"]
    # Decimal places of `amount`; always 2, so amounts are US-dollar cents.
    minor_units: Literal[2]
    # Kind of price: an observed offer or order, never a sale.
    kind: Literal["daily_cached_quote"]
    # False only for the current UTC day, because its row still changes.
    complete: bool
    # When the source observed the last quote; null (unknown) if the source gives no time.
    source_observed_at: Optional[Timestamp]
    # When the row last changed.
    recorded_at: str


# Side of the market; one side never falls back to the other.
QuoteSide = Literal["ask", "bid"]

# Metadata of the response: its window, its gaps and the times behind its rows.
DailySeriesMeta = TypedDict(
    "DailySeriesMeta",
    {
        "request_id": "RequestId",
        "generated_at": "GeneratedAt",
        "from": "UtcDate",
        "to": "UtcDate",
        "resolution": "SeriesResolutionDay",
        "missing_points": "MissingPoints",
        # Pass it unchanged as `after`. Null on the last page.
        "next_page": "Optional[PageCursor]",
        # Oldest source observation of the returned rows; null (unknown) if any of them has none.
        "as_of": "Optional[Timestamp]",
        "freshness": "Freshness",
        "timestamp_quality": "TimestampQuality",
        "known_at": "KnownAtOfResponse",
    },
)

# One row is one UTC day.
SeriesResolutionDay = Literal["day"]

# Points of the whole resolved window without a row, as a text; the same on every page.
MissingPoints = str

# The requested `known_at`, with milliseconds.
KnownAtOfResponse = str


class HourlyPrice(TypedDict):
    """The cached quote of one item, side and provider in one UTC hour, from the first verified frame."""

    # First instant of the UTC hour. Not an observation time.
    ts: str
    # Provider of the quote; null marks an hour in which no provider has a quote on the side.
    provider: Optional[ProviderSlug]
    side: QuoteSide
    # Price in US-dollar cents; null if nothing is quoted, never zero.
    amount: Optional[Cents]
    # Units offered or wanted at this amount; null if unknown.
    quantity: Optional[Quantity]
    # Currency of `amount`; always `USD`.
    currency: Literal["USD"]
    # Decimal places of `amount`; always 2, so amounts are US-dollar cents.
    minor_units: Literal[2]
    # Kind of price: an observed offer or order, never a sale.
    kind: Literal["hourly_cached_quote"]
    availability: HourlyAvailability
    # When the mirror published this state.
    ingested_at: str
    # When this state was successfully verified in the hour, by a new body or by the source's report that nothing changed (304).
    checked_at: str
    # When the frame was stored here.
    recorded_at: str
    # When the source observed this quote; null (unknown) if the feed gives no quote time.
    source_observed_at: Optional[Timestamp]


# Reason for a price or its absence.
HourlyAvailability = Literal["quoted", "item_missing", "no_quote"]

# Metadata of the response: its window, its gaps and the times behind its rows.
HourlySeriesMeta = TypedDict(
    "HourlySeriesMeta",
    {
        "request_id": "RequestId",
        "generated_at": "GeneratedAt",
        "from": "UtcDate",
        "to": "UtcDate",
        "resolution": "SeriesResolutionHour",
        "missing_points": "MissingPoints",
        # Pass it unchanged as `after`. Null on the last page.
        "next_page": "Optional[PageCursor]",
        # Oldest source observation of the returned prices; null (unknown) if any of them has none.
        "as_of": "Optional[Timestamp]",
        "freshness": "Freshness",
        "timestamp_quality": "TimestampQuality",
        "known_at": "KnownAtOfResponse",
    },
)

# One row is one UTC hour.
SeriesResolutionHour = Literal["hour"]


class HistoryDay(TypedDict):
    """One revision of a sealed day."""

    date: UtcDate
    revision: DayRevision
    condition: DayCondition
    # The feeds with a frame on the day or in the 30 days before it, ordered by name.
    feeds: List[FeedHours]
    # Number of daily rows of the day.
    rows: int
    # Size of the daily rows' lines in bytes.
    bytes: int
    digest: Sha256Digest
    # State of the hourly rows.
    hourly: Literal["available", "pruned"]
    # Number of lines of the hourly export; null if its hours were removed before the day was sealed.
    hourly_rows: Optional[int]
    # Size of these lines in bytes; null if `hourly_rows` is null.
    hourly_bytes: Optional[int]
    # SHA-256 of these lines; null if `hourly_rows` is null.
    hourly_digest: Optional[Sha256Digest]
    sealed_at: Timestamp
    # When the next revision was sealed; null for the latest revision.
    superseded_at: Optional[Timestamp]
    # Whether `streamHistoryDay` can send this revision by its number.
    kept: bool


# Number of the seal of this day, from 1.
DayRevision = int

# Completeness of the recorded hours.
DayCondition = Literal["complete", "partial", "empty"]


class FeedHours(TypedDict):
    """Recorded hours of one feed on the day."""

    feed: FeedName
    # Number of hours with a frame, 0 to 24.
    hours: int


# Name of a source of quotes.
FeedName = str

# A SHA-256 in lowercase hexadecimal digits.
Sha256Digest = str


class _DayExportRequest(TypedDict, total=False):
    revision: DayRevision


class DayExportRequest(_DayExportRequest):
    """Request of `streamHistoryDay`: the rows to export."""

    resolution: DayResolution


# Rows of the export. `daily`: one line per daily row.
DayResolution = Literal["daily", "hourly"]

# One line of the day's export; `type` selects the kind.
DayExportRecord = Union["DayExportStart", "DayDaily", "DayQuotes", "DayMarkers", "DayExportEnd", "SnapshotError"]


class DayExportStart(TypedDict):
    """First record of a day's export, exactly once."""

    # Always `start`: the first record.
    type: Literal["start"]
    request_id: RequestId
    date: UtcDate
    revision: DayRevision
    resolution: DayResolution
    generated_at: Timestamp
    sealed_at: Timestamp
    # Currency of all amounts; always `USD`.
    currency: Literal["USD"]
    # Decimal places of amounts; always 2, for US-dollar cents.
    minor_units: Literal[2]
    # The part that is sent; null if everything is sent, and the digest is then the listed one.
    selection: Optional[DaySelection]
    # The frames of the day, one entry per feed; empty in a daily export.
    frames: List[DayFrames]


class DaySelection(TypedDict):
    """The part of the day that a plan may read; only these rows are sent."""

    provider: ProviderSlug
    side: QuoteSide


class DayFrames(TypedDict):
    """The frames of one feed as parallel arrays, one entry per recorded hour."""

    feed: FeedName
    # Hours of the day with a frame, ascending.
    hours: List[HourOfDay]
    # When the mirror published each frame, in the order of `hours`.
    ingested_at: List[Timestamp]
    # When each frame was successfully verified, in the order of `hours`.
    checked_at: List[Timestamp]
    # When each frame was stored, in the order of `hours`.
    recorded_at: List[Timestamp]


# Hour of a UTC day, 0 to 23.
HourOfDay = int


class DayDaily(TypedDict):
    """Record of one daily row."""

    # Always `daily`: one daily row.
    type: Literal["daily"]
    data: DayDailyData


class DayDailyData(TypedDict):
    """One daily row; its fields are as in `getDailyPriceHistory`."""

    item_id: ItemId
    side: QuoteSide
    provider: ProviderSlug
    amount: Cents
    low_amount: Cents
    high_amount: Cents
    # Number of stored observations behind the row.
    observations: int
    quantity: KnownQuantity
    source_observed_at: KnownTime
    recorded_at: Timestamp


# Number of units; null if the source does not report it.
KnownQuantity = Optional[int]

# When the source observed the quote; null if unknown.
KnownTime = Optional[str]


class DayQuotes(TypedDict):
    """Record of the hourly quotes of one item, side, provider and feed."""

    # Always `quotes`: hourly quotes.
    type: Literal["quotes"]
    data: DayQuotesData


class DayQuotesData(TypedDict):
    """Parallel arrays with one entry for each range of hours with the same quote."""

    item_id: ItemId
    side: QuoteSide
    provider: ProviderSlug
    feed: FeedName
    # Ranges of hours of the quotes, ascending.
    hours: List[HourRange]
    # Price in each range, in US-dollar cents.
    amounts: List[Cents]
    # Units offered or wanted in each range; null if the source does not report it.
    quantities: List[KnownQuantity]
    # When the source observed each quote; null if unknown.
    source_observed_at: List[KnownTime]


# First and last hour, both inclusive.
HourRange = List[HourOfDay]


class DayMarkers(TypedDict):
    """Record of the hours without a quote on one side of an item."""

    # Always `markers`: hours without a quote.
    type: Literal["markers"]
    data: DayMarkersData


class DayMarkersData(TypedDict):
    """Parallel arrays with one entry for each range of hours with the same reason."""

    item_id: ItemId
    side: QuoteSide
    # Ranges of hours without a quote, ascending.
    hours: List[HourRange]
    # Reason for the missing quote in each range.
    availability: List[HourlyAvailability]
    # Feeds behind each range; null for all feeds with a frame in these hours.
    feeds: List[FeedsOfHours]


# Names of feeds; null for all feeds with a frame in these hours.
FeedsOfHours = Optional[List[FeedName]]


class DayExportEnd(TypedDict):
    """Last record of a complete export."""

    # Always `end`: the last record of a complete export.
    type: Literal["end"]
    request_id: RequestId
    date: UtcDate
    revision: DayRevision
    # Number of lines between `start` and `end`.
    rows: int
    digest: Sha256Digest


class SnapshotError(TypedDict):
    """Last record of a failed export, with the `request_id` of `start`."""

    # Always `error`: the export failed.
    type: Literal["error"]
    request_id: RequestId
    code: SnapshotErrorCode


# Reason for the failure.
SnapshotErrorCode = Literal["snapshot_interrupted", "snapshot_changed"]


class _BatchPricesRequest(TypedDict, total=False):
    provider: ProviderSlug
    side: QuoteSide


class BatchPricesRequest(_BatchPricesRequest):
    """Request of `getMarketPricesBatch`: items, and optional filters of their quotes."""

    # 1 to 100 different item ids; the response has their order.
    item_ids: List[ItemId]


class MarketPricesBatchEntry(TypedDict):
    """Cached quotes of one requested item."""

    item_id: ItemId
    status: BatchEntryStatus
    # Name of the item; null if the id is unknown.
    market_hash_name: Optional[MarketHashName]
    # Exact paint phase, or null; also null if the id is unknown.
    phase: Optional[PaintPhase]
    # Whether the cache has quotes of this item, without regard to filters; null if the id is unknown.
    availability: Optional[Availability]
    # Generation of the quotes, the same for all known items; null if the id is unknown.
    generation: Optional[Generation]
    # When that generation was published; null if the id is unknown.
    ingested_at: Optional[Timestamp]
    # Sellers' offers in no promised order.
    asks: List[Quote]
    # Buy orders in no promised order.
    bids: List[Quote]


# Whether the id is known. `not_found`: no item has this id.
BatchEntryStatus = Literal["found", "not_found"]


class _KnownPricesRequest(TypedDict, total=False):
    provider: ProviderSlug
    side: QuoteSide


class KnownPricesRequest(_KnownPricesRequest):
    """Request of `getMarketPricesKnownAt`: an instant, items, and optional filters of their quotes."""

    known_at: KnownInstant
    # 1 to 100 different item ids; the response has their order.
    item_ids: List[ItemId]


class KnownPrices(TypedDict):
    """Quotes as known at an instant, and the frames that they are from."""

    # Currency of all amounts; always `USD`.
    currency: Literal["USD"]
    # Decimal places of all amounts; always 2, so amounts are US-dollar cents.
    minor_units: Literal[2]
    # The frames that counted at the instant, at most one of each feed, ordered by feed.
    frames: List[KnownFrame]
    # One entry for each requested id, in the order of the request.
    items: List[KnownPricesEntry]


class KnownFrame(TypedDict):
    """The frame of one feed."""

    feed: FeedName
    # Providers that the frame covers, ordered by slug; null if it does not remember them.
    providers: Optional[List[ProviderSlug]]
    # Start of the frame's UTC hour. Not an observation time.
    ts: str
    # When the feed was verified in that hour.
    checked_at: str
    # When the server recorded the frame, at most `known_at`.
    recorded_at: str


class KnownPricesEntry(TypedDict):
    """Quotes of one requested item."""

    item_id: ItemId
    # Whether the id was known at the instant.
    status: Literal["found", "not_found"]
    # Sellers' offers, cheapest first.
    asks: List[KnownQuote]
    # Buy orders, highest first.
    bids: List[KnownQuote]


class KnownQuote(TypedDict):
    """One offer or buy order of a frame."""

    provider: ProviderSlug
    amount: Cents
    # Number of units offered or wanted at this amount; null if the source does not report it.
    quantity: Optional[Quantity]
    # When the source observed this quote; null (unknown) if the source gives no time.
    as_of: Optional[Timestamp]


class KnownPricesMeta(TypedDict):
    """Metadata of the response, with the instant and the times behind its quotes."""

    request_id: RequestId
    generated_at: GeneratedAt
    known_at: KnownAtOfResponse
    # Oldest source observation of the returned quotes; null (unknown) if any of them has none.
    as_of: Optional[Timestamp]
    freshness: Freshness
    timestamp_quality: TimestampQuality


# One line of the market export; `type` selects the kind.
SnapshotRecord = Union["SnapshotStart", "SnapshotItem", "SnapshotEnd", "SnapshotError"]


class SnapshotStart(TypedDict):
    """First record of a market export, exactly once."""

    # Always `start`: the first record.
    type: Literal["start"]
    request_id: RequestId
    generation: Generation
    # When the export started. Not an observation time.
    generated_at: str
    ingested_at: IngestedAt
    # Always null, because the feed supplies no observation time.
    price_as_of: None
    # All prices are from one generation.
    consistency: Literal["single_price_generation"]
    # Upper bound of the catalog scan; 0 if the catalog is empty.
    catalog_max_item_id: int


class SnapshotItem(TypedDict):
    """Record of one catalog item, at most 256 KiB encoded."""

    # Always `item`: one catalog item.
    type: Literal["item"]
    data: SnapshotItemData


class SnapshotItemData(TypedDict):
    """Identity of an item and its quotes."""

    item_id: ItemId
    market_hash_name: MarketHashName
    # Exact paint phase; null for items without phases and for unphased identities.
    phase: Optional[PaintPhase]
    availability: Availability
    # Sellers' offers, in no promised order.
    asks: List[SnapshotQuote]
    # Buy orders, in no promised order. Empty if `missing`.
    bids: List[SnapshotQuote]


class SnapshotQuote(TypedDict):
    """One cached offer or buy order."""

    provider: ProviderSlug
    amount: Cents
    # Currency of `amount`; always `USD`.
    currency: Literal["USD"]
    # Decimal places of `amount`; always 2, so amounts are US-dollar cents.
    minor_units: Literal[2]
    # Number of units offered or wanted at this amount; null if the source does not report it.
    quantity: Optional[Quantity]
    # Page of the item at the provider; null if unknown.
    url: Optional[HttpsUrl]
    # Time of the source's observation; always null in exports, even if a price read of the same quote has a time.
    as_of: Optional[Timestamp]


class SnapshotEnd(TypedDict):
    """Last record of a complete export, with the `request_id` and the `generation` of `start`."""

    # Always `end`: the last record of a complete export.
    type: Literal["end"]
    request_id: RequestId
    generation: Generation
    # Number of item records in the export.
    items: int


class ChangesRequest(TypedDict):
    """Request of `streamMarketChanges`: the state of the client's copy."""

    # Generation of the copy, such as `g5`.
    generation: str
    identity_digest: Sha256Digest


# One line of the stream of changes; `type` selects the kind.
ChangesRecord = Union["ChangesStart", "SnapshotItem", "ChangesRemoved", "ChangesEnd", "SnapshotError"]

# First record of a stream of changes, exactly once.
ChangesStart = TypedDict(
    "ChangesStart",
    {
        # Always `start`: the first record.
        "type": "Literal[\"start\"]",
        "request_id": "RequestId",
        "generated_at": "GeneratedAt",
        "ingested_at": "IngestedAt",
        "from": "MarketState",
        "to": "MarketState",
    },
)


class MarketState(TypedDict):
    """State of the market at one time, with the digests of `getGeneration`."""

    generation: Generation
    digest: Sha256Digest
    identity_digest: Sha256Digest


class ChangesRemoved(TypedDict):
    """Record of an item in the copy that exports no longer contain."""

    # Always `removed`: an item to delete from the copy.
    type: Literal["removed"]
    item_id: ItemId


class ChangesEnd(TypedDict):
    """Last record, with the `request_id` and the `to` of `start`."""

    # Always `end`: the last record of complete changes.
    type: Literal["end"]
    request_id: RequestId
    to: MarketState
    # Number of `item` records in the stream.
    items: int
    # Number of `removed` records in the stream.
    removed: int


class PublishedGeneration(TypedDict):
    """Totals and digests of the complete export of one generation; see `getGeneration` for the canonical price part."""

    generation: Generation
    ingested_at: IngestedAt
    # Number of available items: one line each in the canonical price part.
    items: int
    # Length of the canonical price part in UTF-8 bytes, line feeds included.
    bytes: int
    # SHA-256 of the canonical price part, in lowercase hexadecimal digits.
    digest: str
    # SHA-256 of the canonical identity part as it is now, in lowercase hexadecimal digits; null for a superseded generation.
    identity_digest: Optional[Sha256Digest]


class MarketIndex(TypedDict):
    """A price index over the daily asks of one provider, with its latest level under the current methodology."""

    index_id: IndexId
    # Display name of the index.
    name: str
    # Composition of the index in words.
    description: str
    # First UTC day of the index.
    base_date: str
    base_value: DecimalString
    # Latest level; null if too few constituents had a price (coverage under 90 %), if less than half of the members had one both then and on the last day with a value, or if no level exists yet.
    value: Optional[IndexValue]
    # Price times units in US-dollar cents, summed over the constituents with a price; null if `value` is null.
    capitalization_cents: Optional[CapitalizationCents]
    # Number of items in the membership version.
    constituent_count: int
    # Number of constituents with a price on the day of the level; null if no level exists yet.
    priced_constituent_count: Optional[int]
    # Priced constituents as a share of all; null if no level exists yet.
    coverage_pct: Optional[PercentageString]
    provider: ProviderSlug
    weighting: IndexWeighting
    methodology_version: MethodologyVersion
    membership_version: MembershipVersion
    # False if the index is no longer calculated; its history stays.
    active: bool
    # Oldest source observation behind the level; null (unknown) if any price has none.
    as_of: Optional[Timestamp]
    # When the index was last calculated, even without a change; null if never.
    calculated_at: Optional[Timestamp]


# Exact slug of an index, see `listIndexes`.
IndexId = str

# Decimal number as a string, so that no reader rounds it.
DecimalString = str

# Level of an index as a decimal string with four decimal places.
IndexValue = str

# Capitalization in integer US-dollar cents, as a string of digits because a JSON number may lose precision.
CapitalizationCents = str

# A share of 0 to 100 percent as a decimal string.
PercentageString = str

# Weights of the constituents.
IndexWeighting = Literal["equal", "capitalization"]

# Version of the method behind a value.
MethodologyVersion = str

# Version of an index's members, counted from 1.
MembershipVersion = int


class IndexMeta(TypedDict):
    """Metadata of the response, with the times behind the level."""

    request_id: RequestId
    generated_at: GeneratedAt
    # Oldest source observation behind the level; null (unknown) if any price has none.
    as_of: Optional[Timestamp]
    freshness: Freshness


class IndexLevel(TypedDict):
    """Level of an index on one UTC day under one methodology."""

    # The UTC day of the level.
    date: str
    # The level; null if coverage was under the floor of the methodology (90 %), or if less than half of the members had a price both then and on the last day with a value.
    value: Optional[IndexValue]
    # Price times units in US-dollar cents, summed over the constituents with a price; null if `value` is null.
    capitalization_cents: Optional[CapitalizationCents]
    # Number of items in the membership version.
    constituent_count: int
    # Number of constituents with a price on the day of the level.
    priced_constituent_count: int
    coverage_pct: PercentageString
    methodology_version: MethodologyVersion
    membership_version: MembershipVersion
    # Oldest source observation behind the level; null (unknown) if any price has none.
    as_of: Optional[Timestamp]
    # When the stored row was written. Not an observation time.
    recorded_at: str
    # Number of the level of the day, from 1.
    revision: int
    # Kind of value: a level calculated from observed offers.
    kind: Literal["index_level"]


class IndexMember(TypedDict):
    """An item in one membership version of an index."""

    item_id: ItemId
    market_hash_name: MarketHashName
    # Exact paint phase, or null; it never falls back to an unphased item.
    phase: Optional[PaintPhase]
    # Share in the index at the latest level of this version with a value; null without such a level, or if that level had no price of the item.
    weight_pct: Optional[PercentageString]
    # First UTC day of the item's unbroken membership.
    added_on: str
    # First UTC day of a later version without the item; null if none dropped it.
    removed_on: Optional[UtcDate]


# ISO 4217 code of a currency.
CurrencyCode = str


class ExchangeRate(TypedDict):
    """Latest stored rate of one currency."""

    currency: CurrencyCode
    rate_per_usd: RatePerUsd
    # Decimal places of the currency's smallest unit.
    currency_minor_units: int
    # When the source observed the rate; null if unknown.
    as_of: Optional[Timestamp]
    # When the rate was stored here; null for USD, which is 1 by definition.
    ingested_at: Optional[Timestamp]
    # Source of the rate, or of the rates behind it.
    source: str
    methodology_version: MethodologyVersion


# Units of the currency per US dollar, as a decimal string.
RatePerUsd = str


class ExchangeRatePoint(TypedDict):
    """Rate of one currency on one UTC day."""

    # The UTC day of the rate.
    date: str
    currency: CurrencyCode
    rate_per_usd: RatePerUsd
    # When the source observed the rate; null if unknown.
    as_of: Optional[Timestamp]
    # When the stored row was written. Not an observation time.
    recorded_at: str
    # Source of the rate, or of the rates behind it.
    source: str
    methodology_version: MethodologyVersion
    # Kind of rate: a reference rate, not an offer to exchange.
    kind: Literal["exchange_rate"]


# Valuation model, not an individual marketplace and not guaranteed proceeds.
SelectedValuationMode = Literal["steam_gross", "cash_ask"]


class Openable(TypedDict):
    """A container that is opened for one random item, with its current calculation in one valuation mode."""

    slug: OpenableSlug
    # Name of the container as the main platform writes it.
    name: str
    item_id: ItemId
    type: OpenableType
    # HTTPS address of a picture; null if unknown.
    image_url: Optional[HttpsUrl]
    # False if the pool is retired.
    active: bool
    # UTC day of the container's release; null if unknown.
    released_on: Optional[UtcDate]
    # UTC day of the pool's retirement; null if it is not retired or the day is unknown.
    retired_on: Optional[UtcDate]
    # Whether an opening needs a key.
    requires_key: bool
    # Number of exact items with a probability above zero.
    outcome_count: int
    valuation_mode: ValuationMode
    # The current calculation; null if none is published for this mode and the current methodology; null is not zero ROI.
    current: Optional[RoiCalculation]
    # The tier with the share `current.price_coverage.lowest_tier_coverage_pct`, the first of several; null without a calculation.
    lowest_tier: Optional[TierName]


# Kind of container. `case`: weapons and gloves or knives.
OpenableType = Literal["case", "souvenir_package", "capsule", "other"]

# Valuation model, not an individual marketplace and not guaranteed proceeds.
ValuationMode = Literal["steam_gross", "cash_ask"]


class RoiCalculation(TypedDict):
    """The model's result for one opening, calculated from observed asks, not from sales."""

    revision_id: PoolRevisionId
    revision_number: PoolRevisionNumber
    methodology_version: MethodologyVersion
    valuation_mode: ValuationMode
    # When the model last calculated or confirmed these numbers.
    calculated_at: str
    # Oldest source time of the values and of the container's price; null (unknown) if a source gave none for any of them.
    price_as_of: Optional[Timestamp]
    # Whether the calculation is stale now: more than 8 hours old, with an unknown price time, or with a price more than 24 hours old.
    stale: bool
    # Reasons why the calculation is stale; empty if it is not.
    stale_reasons: List[StaleReason]
    # Currency of every amount; always `USD`.
    currency: Literal["USD"]
    # Decimal places of the amounts; always 2, for US-dollar cents.
    minor_units: Literal[2]
    # Modeled cost of one opening in US-dollar cents: container plus key.
    cost_cents: int
    # The container's lowest ask in this mode, in US-dollar cents.
    container_cost_cents: int
    container_cost_provider: ProviderSlug
    # Source time of the container's ask; null if the source gave none.
    container_cost_as_of: Optional[Timestamp]
    # Fixed store price of the key in US-dollar cents, never a listing; 0 if the container needs none.
    key_cost_cents: int
    # Modeled expected value of one opening in US-dollar cents; null if too little is priced for a point value.
    expected_value_cents: Optional[int]
    # Lower bound of the expected value, with unpriced outcomes worth nothing.
    expected_value_lower_cents: int
    # Upper bound of the expected value; null is unknown, not zero.
    expected_value_upper_cents: Optional[int]
    # Expected value minus cost, in US-dollar cents; may be negative, null without an expected value.
    expected_profit_cents: Optional[int]
    # Expected value / cost x 100, from the published integers; may exceed 100, null without an expected value.
    return_pct: Optional[ReturnPercentage]
    # `return_pct` minus 100; null without an expected value; null is not zero ROI.
    profit_roi_pct: Optional[ProfitPercentage]
    # Modeled probability that the outcome is worth more than the cost; null if too little is priced for a point value.
    profit_chance_pct: Optional[FinePercentage]
    # Lower bound of the chance: every unpriced outcome counts as a loss.
    profit_chance_lower_pct: str
    # Upper bound of the chance: every unpriced outcome counts as a profit.
    profit_chance_upper_pct: str
    # Probability of the possible outcomes with a price, rounded down: it is `100.0000` only if all have one.
    priced_probability_mass_pct: str
    price_coverage: PriceCoverage
    # Spread of the value of one opening; null if nothing is priced.
    quantiles: Optional[ValueQuantiles]
    confidence: RoiConfidence
    # Cautions about the numbers, always in the order of the list of flags.
    flags: List[RoiFlag]


# Id of one published definition of a pool.
PoolRevisionId = str

# Number of the published definition of the container's pool, from 1.
PoolRevisionNumber = int

# Reason why a calculation is stale.
StaleReason = Literal["calculation_age", "price_time_unknown", "price_age"]

# Expected value / cost x 100, as a decimal string with two decimal places, rounded half up.
ReturnPercentage = str

# `return_pct` minus 100, as a decimal string with two decimal places.
ProfitPercentage = str

# A share of 0 to 100 percent as a decimal string with four decimal places.
FinePercentage = str


class PriceCoverage(TypedDict):
    """How much of the pool is priced, counted in outcomes."""

    # Number of outcomes with a probability above zero.
    outcome_count: int
    # Number of these outcomes with a price.
    priced_outcome_count: int
    # Priced outcomes as a share of all by number, rounded down.
    priced_outcome_pct: str
    # Smallest priced share of a tier's own probability over all tiers, rounded down.
    lowest_tier_coverage_pct: str


class ValueQuantiles(TypedDict):
    """Quantiles of the value of one opening over the priced outcomes, in integer US-dollar cents."""

    p05: Cents
    p25: Cents
    p50: Cents
    p75: Cents
    p95: Cents
    p99: Cents


# Reliability of the point values, by a fixed rule; not a probability.
RoiConfidence = Literal["high", "medium", "low", "insufficient"]

# Caution about a calculation.
RoiFlag = Union[Literal["unpriced_outcomes", "phases_unpriced", "tier_coverage_low", "upper_bound_unknown", "upper_bound_assumed", "above_price_ceiling", "odds_inferred", "single_provider", "price_time_unknown", "price_stale", "calculation_stale", "retired_pool"], str]

# Name of a group of outcomes that the pool draws first, such as a rarity.
TierName = str


class OpenablePageMeta(TypedDict):
    """Metadata of the response: the position of the next page and the times behind its values."""

    request_id: RequestId
    generated_at: GeneratedAt
    # Pass it unchanged as `after`. Null on the last page.
    next_page: Optional[PageCursor]
    # Oldest source time of the returned values; null (unknown) if any of them has no time, or without values.
    as_of: Optional[Timestamp]
    freshness: Freshness


class OpenableDetail(TypedDict):
    """A container with its pool and its current calculation in one valuation mode."""

    slug: OpenableSlug
    # Name of the container as the main platform writes it.
    name: str
    item_id: ItemId
    type: OpenableType
    # HTTPS address of a picture; null if unknown.
    image_url: Optional[HttpsUrl]
    # False if the pool is retired.
    active: bool
    # UTC day of the container's release; null if unknown.
    released_on: Optional[UtcDate]
    # UTC day of the pool's retirement; null if it is not retired or the day is unknown.
    retired_on: Optional[UtcDate]
    # Whether an opening needs a key.
    requires_key: bool
    # Number of exact items with a probability above zero.
    outcome_count: int
    valuation_mode: ValuationMode
    # The current calculation; null if none is published for this mode and the current methodology; null is not zero ROI.
    current: Optional[RoiCalculation]
    pool: OpenablePool


class OpenablePool(TypedDict):
    """The current pool, published as one immutable revision."""

    revision_id: PoolRevisionId
    revision_number: PoolRevisionNumber
    odds_source: OddsSource
    # Cautions about the definition; often empty.
    flags: List[PoolFlag]
    # Model that spreads an item's probability over its wears, such as `wear-1`.
    wear_model: str
    # The tiers, in the order of the pool.
    tiers: List[PoolTier]


# Origin of the odds. `published`: by the game's operator.
OddsSource = Union[Literal["published", "community", "inferred"], str]

# Caution about a pool's definition.
PoolFlag = Union[Literal["pool_completed"], str]


class PoolTier(TypedDict):
    """A tier of a pool."""

    tier: TierName
    # Weight of the tier relative to the weights of the other tiers.
    weight: int
    probability_pct: ProbabilityPercentage
    # Number of items in the tier.
    item_count: int
    # Priced share of the tier's own probability in the current calculation, rounded down; null without a calculation of this revision.
    priced_probability_mass_pct: Optional[FinePercentage]


# A probability in percent as a decimal string with eight decimal places, rounded half up.
ProbabilityPercentage = str


class OpenableMeta(TypedDict):
    """Metadata of the response, with the times behind the calculation."""

    request_id: RequestId
    generated_at: GeneratedAt
    # `price_as_of` of the calculation; null (unknown) if that is null or without a calculation.
    as_of: Optional[Timestamp]
    freshness: Freshness


# Whether a row is one UTC hour or one UTC day.
SelectedRoiGranularity = Literal["hour", "day"]


class RoiHistoryRow(TypedDict):
    """The model's last result in one UTC hour or day."""

    # Kind of row: a snapshot of the model, not a sale or a realized return.
    kind: Literal["model_snapshot"]
    # Start of the UTC hour or day of the row.
    ts: str
    # When the stored row was written. Not a price time.
    recorded_at: str
    revision_id: PoolRevisionId
    revision_number: PoolRevisionNumber
    methodology_version: MethodologyVersion
    # Origin of the row's inputs; it is not recorded.
    provenance: Literal["not_recorded"]
    valuation_mode: ValuationMode
    granularity: RoiGranularity
    # Modeled cost of one opening in US-dollar cents: container plus key.
    cost_cents: int
    # Modeled expected value of one opening in US-dollar cents, not a median or guaranteed sale value; null if too little was priced for a point value; not zero.
    expected_value_cents: Optional[int]
    # Expected value minus cost, in US-dollar cents; may be negative, null without an expected value.
    expected_profit_cents: Optional[int]
    # Expected value / cost x 100; may exceed 100, null without an expected value.
    return_pct: Optional[ReturnPercentage]
    # Modeled probability that the outcome is worth more than the cost; null if too little was priced for a point value.
    profit_chance_pct: Optional[FinePercentage]
    # Probability of the possible outcomes with a price, rounded down.
    priced_probability_mass_pct: str
    # Oldest source time of the prices; null (unknown) if any of them has none.
    price_as_of: Optional[Timestamp]
    # Currency of every amount; always `USD`.
    currency: Literal["USD"]
    # Decimal places of the amounts; always 2, for US-dollar cents.
    minor_units: Literal[2]


# Whether a row is one UTC hour or one UTC day.
RoiGranularity = Literal["hour", "day"]

# Metadata of the response: its window, its gaps and the times behind its rows.
RoiSeriesMeta = TypedDict(
    "RoiSeriesMeta",
    {
        "request_id": "RequestId",
        "generated_at": "GeneratedAt",
        "from": "UtcDate",
        "to": "UtcDate",
        "resolution": "RoiGranularity",
        "missing_points": "MissingPoints",
        # Pass it unchanged as `after`. Null on the last page.
        "next_page": "Optional[PageCursor]",
        # Oldest `price_as_of` of the returned rows; null (unknown) if any of them has none.
        "as_of": "Optional[Timestamp]",
        "freshness": "Freshness",
        "timestamp_quality": "TimestampQuality",
        "known_at": "KnownAtOfResponse",
    },
)


class OpenableOutcome(TypedDict):
    """One exact item of a pool, with its odds and its value in the current calculation."""

    item_id: ItemId
    market_hash_name: MarketHashName
    # Exact paint phase, or null; it never falls back to another phase or an unphased item.
    phase: Optional[PaintPhase]
    tier: TierName
    # Numerator of the outcome's probability, in digits.
    probability_numerator: str
    # Denominator of the probability, in digits; the same for all outcomes of the pool.
    probability_denominator: str
    probability_pct: ProbabilityPercentage
    status: OutcomeStatus
    # Lowest ask in this mode at the calculation, in US-dollar cents; null if not priced.
    value_cents: Optional[Cents]
    # Provider of that ask; null if the outcome is not priced.
    value_provider: Optional[ProviderSlug]
    # Source time of that ask; null if the source gave none or the outcome is not priced.
    value_as_of: Optional[Timestamp]
    # Highest daily ask of exactly this item among the mode's providers in the 90 completed UTC days before the calculation, in US-dollar cents; null for priced outcomes and if none is stored.
    recent_high_cents: Optional[Cents]
    # Price ceiling of the mode's providers, in US-dollar cents, if this unpriced outcome counts as above it, else null.
    above_ceiling_cents: Optional[Cents]


# State of an outcome in the calculation.
OutcomeStatus = Literal["priced", "unpriced", "excluded"]


class DataEvent(TypedDict):
    """One event of the data."""

    # Number of the event, never given again.
    event_id: int
    at: Timestamp
    # The last refusal of this body; null for other kinds, and for a body that was refused once.
    last_at: Optional[Timestamp]
    kind: DataEventKind
    cause: DataEventCause
    # The feed concerned; null for an event that is not of one feed.
    feed: Optional[FeedName]
    # The provider concerned; null for a whole feed, and for an event that is not of a provider.
    provider: Optional[ProviderSlug]
    # The index concerned; null for an event that is not of an index.
    index_id: Optional[IndexId]
    # The container concerned; null for an event that is not of a container.
    openable: Optional[OpenableSlug]
    # The first items concerned, ascending.
    item_ids: List[ItemId]
    window_from: Timestamp
    window_to: Timestamp
    # The separate times within the window, ascending, of a gap or of frames.
    spans: List[DataEventSpan]
    # Number of refused bodies, accepted bodies, missing hours, frames, dropped quotes, daily rows, rates, items or levels, depending on the kind; 1 for a revised day and a published pool.
    count: int
    # The guard that refused the body or was overruled; null for other kinds.
    guard: Optional[str]
    # The measured figure in words; null for kinds without a guard, and on the Free plan.
    figure: Optional[str]
    # SHA-256 of the refused, accepted or imported body; null if it is unknown, and for other kinds.
    body_digest: Optional[Sha256Digest]
    # The revision before the event; null if there was none, and for other kinds.
    before: Optional[DataEventState]
    # The revision after the event; null for kinds without a revision.
    after: Optional[DataEventState]
    # The first changes of values; empty for kinds without them, and on the Free plan.
    changes: List[DataEventChange]


# Kind of event.
DataEventKind = Union[Literal["body_refused", "exception_accepted", "gap", "late_frame", "frame_retracted", "feed_dropped", "days_imported", "days_replaced", "day_revised", "rates_corrected", "items_moved", "index_revised", "pool_published"], str]

# Cause of the event.
DataEventCause = Union[Literal["guard", "operator", "import", "saved_body", "delay", "catalog", "prices", "body_refused", "late_frame", "frame_retracted", "feed_dropped", "days_imported", "days_replaced", "several", "not_known"], str]

# One time within the window of an event, from `from` until before `to`.
DataEventSpan = TypedDict(
    "DataEventSpan",
    {
        "from": "Timestamp",
        "to": "Timestamp",
    },
)


class DataEventState(TypedDict):
    """A revision of a sealed day, of an index level or of a pool."""

    # Number of the revision.
    revision: int
    # SHA-256 of the day's daily lines; null for an index level and a pool.
    digest: Optional[Sha256Digest]
    # SHA-256 of the day's hourly lines; null if its hours were removed, and for other kinds.
    hourly_digest: Optional[Sha256Digest]


class DataEventChange(TypedDict):
    """One value that the event changed."""

    # Name of the value that changed.
    field: Union[Literal["ask_cents", "bid_cents", "rate_per_usd", "market_hash_name", "phase", "identity", "in_catalog", "value"], str]
    # The item whose value changed; null for rates and index levels.
    item_id: Optional[ItemId]
    # The currency whose rate changed; null for other values.
    currency: Optional[CurrencyCode]
    # The value before, as text; null if there was none.
    before: Optional[str]
    # The value after, as text; null if there is none.
    after: Optional[str]


class Usage(TypedDict):
    """Usage of the account, over all its keys."""

    plan: PlanName
    # When the plan ends; null for a plan without an end.
    plan_ends_at: Optional[Timestamp]
    # First instant of the current UTC calendar month.
    month_starts_at: str
    # First instant of the next UTC calendar month, when usage restarts at zero.
    month_ends_at: str
    # Units of the plan per UTC calendar month.
    monthly_limit: int
    # Units used in this month.
    monthly_used: int
    # Units left in this month; 0 if more are used than the plan has.
    monthly_remaining: int
    # Requests per minute that the plan allows, over all keys.
    minute_limit: int
    # Export starts in the last 24 hours, a running export included.
    snapshot_starts_used: int
    # Export starts that the plan allows in any 24 hours; 0 if it has no exports.
    snapshot_starts_limit: int
    # When the next start becomes free; null if a start is free now or the plan has no exports.
    snapshot_next_start_at: Optional[Timestamp]


# Plan of the account.
PlanName = Literal["free", "builder", "trader", "quant"]


class Portfolio(TypedDict):
    """Settings of one portfolio."""

    portfolio_id: PortfolioId
    # Name that the owner gave to the portfolio.
    name: str
    # ISO 4217 code of the currency for the owner's display.
    display_currency: str
    # Currency of all money of the portfolio; always `USD`, also with another `display_currency`.
    currency: Literal["USD"]
    # Decimal places of amounts; always 2, for US-dollar cents.
    minor_units: Literal[2]
    # Whether the owner shares the portfolio publicly on the web.
    is_public: bool
    # Slug of the provider that values new days by its daily asks, or the reserved word `lowest-ask`: each lot at the lowest daily ask of all providers with a feed checked that day.
    price_source: str
    # Number of lots in the portfolio now.
    holding_count: int
    # Number of rows in this owner's ledger, over all days.
    transaction_count: int
    # When the portfolio was created here.
    created_at: str
    # When its settings, lots or ledger last changed.
    updated_at: str


# Id of a portfolio. It is not a secret and grants no access.
PortfolioId = str


class PortfolioHolding(TypedDict):
    """One lot: units of one exact item that were added together."""

    holding_id: HoldingId
    item_id: ItemId
    market_hash_name: LotItemName
    # Exact paint phase, or null; it never falls back to an unphased item.
    phase: Optional[PaintPhase]
    # Number of units in the lot.
    quantity: int
    # Cost of one unit in US-dollar cents; null is unknown, 0 is free.
    unit_cost_cents: Optional[int]
    # Whether `unit_cost_cents` is an estimate, not a paid amount.
    cost_estimated: bool
    # UTC day on which the lot was acquired; null if unknown.
    acquired_on: Optional[UtcDate]
    origin: HoldingOrigin
    # When the lot was recorded here.
    created_at: str
    # When the lot last changed here.
    updated_at: str
    # Currency of all amounts; always `USD`, also with another `display_currency`.
    currency: Literal["USD"]
    # Decimal places of amounts; always 2, for US-dollar cents.
    minor_units: Literal[2]


# Id of one lot in a portfolio.
HoldingId = str

# Name of the item; null (unknown, like its phase) if the server does not have the item yet, as one of several servers may for some seconds.
LotItemName = Optional[MarketHashName]

# Origin of the lot: by hand, by an import, or from a row of the ledger.
HoldingOrigin = Literal["manual", "import", "transaction"]


class PortfolioTransaction(TypedDict):
    """One row of this owner's ledger."""

    transaction_id: TransactionId
    # The lot of the row, which may no longer exist; null if none is recorded.
    holding_id: Optional[HoldingId]
    kind: TransactionKind
    item_id: ItemId
    market_hash_name: LotItemName
    # Exact paint phase, or null; it never falls back to an unphased item.
    phase: Optional[PaintPhase]
    # Number of units, never 0.
    quantity: int
    # Amount per unit in US-dollar cents; null is unknown, 0 is nothing.
    unit_amount_cents: Optional[int]
    # Fees of the whole row in US-dollar cents; null is unknown, 0 means no fees.
    fee_cents: Optional[int]
    # Amount of the whole row in US-dollar cents, without a sign, as the owner recorded it; null is unknown, 0 is nothing.
    total_amount_cents: Optional[int]
    # Whether the amounts are estimates, not paid amounts.
    cost_estimated: bool
    # Marketplace of the transaction, as the owner recorded it; null if none is recorded.
    provider: Optional[ProviderSlug]
    # UTC day of the transaction.
    occurred_on: str
    # Time of the transaction; null if only the day is known.
    occurred_at: Optional[Timestamp]
    # When the row was written here.
    recorded_at: str
    # Currency of all amounts; always `USD`, also with another `display_currency`.
    currency: Literal["USD"]
    # Decimal places of amounts; always 2, for US-dollar cents.
    minor_units: Literal[2]


# Id of one row of a ledger.
TransactionId = str

# Kind of ledger row. `buy`, `sell`: units against money.
TransactionKind = Literal["buy", "sell", "transfer_in", "transfer_out", "adjustment"]

# Metadata of the response: its window and the position of the next page.
LedgerMeta = TypedDict(
    "LedgerMeta",
    {
        "request_id": "RequestId",
        "generated_at": "GeneratedAt",
        "from": "UtcDate",
        "to": "UtcDate",
        # Pass it unchanged as `after`. Null on the last page.
        "next_page": "Optional[PageCursor]",
    },
)


class PortfolioValuation(TypedDict):
    """Value of a portfolio on one UTC day, from daily asks: observed offers, not completed sales."""

    # The UTC day of the value.
    date: str
    # Kind of value: a valuation at observed offers, not a return.
    kind: Literal["portfolio_valuation"]
    # Daily ask times quantity in US-dollar cents, summed over the lots with a price; null if no lot had one, never 0 for an unknown.
    value_cents: Optional[int]
    # Unit cost times quantity in US-dollar cents, summed over all lots of the day, priced or not; null if the cost of any lot is unknown.
    cost_basis_cents: Optional[int]
    # Number of lots on that day.
    holding_count: int
    # Number of lots with a stored price of that day at `price_source` for their exact item.
    priced_holding_count: int
    # Number of lots without such a price.
    unpriced_holding_count: int
    # True if `unpriced_holding_count` is 0.
    complete: bool
    # Number of lots with a price of that day and a known unit cost; null in rows that an earlier release wrote.
    compared_holding_count: Optional[int]
    # Value of these lots alone, in US-dollar cents; null without such lots, and in rows that an earlier release wrote.
    compared_value_cents: Optional[int]
    # Unit cost times quantity of the same lots, in US-dollar cents; null if `compared_value_cents` is null.
    compared_cost_cents: Optional[int]
    # Provider of the daily asks, or `lowest-ask`; null is an unknown legacy source.
    price_source: Optional[ProviderSlug]
    # Slugs of the providers with daily asks in `value_cents`, in ascending order; null if `price_source` is unknown.
    price_providers: Optional[List[ProviderSlug]]
    # Oldest source observation of the prices; null (unknown) if any of them has none.
    price_as_of: Optional[Timestamp]
    # When this value was calculated.
    recorded_at: str
    # Currency of all amounts; always `USD`, also with another `display_currency`.
    currency: Literal["USD"]
    # Decimal places of amounts; always 2, for US-dollar cents.
    minor_units: Literal[2]


class Operation(TypedDict):
    """One operation as a client needs it."""

    method: str
    path: str
    path_params: Dict[str, str]
    query_params: Dict[str, str]
    body_fields: Optional[Dict[str, str]]
    required: List[str]
    is_protected: bool
    paging: Optional[str]
    is_stream: bool


# Every operation of the contract, in its order.
OPERATIONS: Dict[str, Operation] = {
    "getStatus": {
        "method": "GET",
        "path": "/v1/status",
        "path_params": {},
        "query_params": {},
        "body_fields": None,
        "required": [],
        "is_protected": False,
        "paging": None,
        "is_stream": False,
    },
    "listContractChanges": {
        "method": "GET",
        "path": "/v1/changelog",
        "path_params": {},
        "query_params": {"limit": "integer", "after": "string"},
        "body_fields": None,
        "required": [],
        "is_protected": True,
        "paging": "after",
        "is_stream": False,
    },
    "listProviders": {
        "method": "GET",
        "path": "/v1/providers",
        "path_params": {},
        "query_params": {"limit": "integer", "after": "string"},
        "body_fields": None,
        "required": [],
        "is_protected": True,
        "paging": "after",
        "is_stream": False,
    },
    "listItems": {
        "method": "GET",
        "path": "/v1/items",
        "path_params": {},
        "query_params": {"cursor": "integer", "limit": "integer", "q": "string", "item_type": "string", "rarity": "string", "weapon": "string", "wear": "string", "phase": "string", "stat_counter": "boolean", "souvenir": "boolean", "provider": "string", "ask_min": "integer", "ask_max": "integer", "item_ids": "integer[]"},
        "body_fields": None,
        "required": [],
        "is_protected": True,
        "paging": "cursor",
        "is_stream": False,
    },
    "resolveItemNames": {
        "method": "POST",
        "path": "/v1/items/resolve",
        "path_params": {},
        "query_params": {},
        "body_fields": {"names": "string[]"},
        "required": ["names"],
        "is_protected": True,
        "paging": None,
        "is_stream": False,
    },
    "getItem": {
        "method": "GET",
        "path": "/v1/items/{item_id}",
        "path_params": {"item_id": "integer"},
        "query_params": {},
        "body_fields": None,
        "required": ["item_id"],
        "is_protected": True,
        "paging": None,
        "is_stream": False,
    },
    "getMarketPrices": {
        "method": "GET",
        "path": "/v1/items/{item_id}/markets",
        "path_params": {"item_id": "integer"},
        "query_params": {"provider": "string"},
        "body_fields": None,
        "required": ["item_id"],
        "is_protected": True,
        "paging": None,
        "is_stream": False,
    },
    "getDailyPriceHistory": {
        "method": "GET",
        "path": "/v1/items/{item_id}/history",
        "path_params": {"item_id": "integer"},
        "query_params": {"provider": "string", "side": "string", "from": "string", "to": "string", "known_at": "string", "limit": "integer", "after": "string"},
        "body_fields": None,
        "required": ["item_id"],
        "is_protected": True,
        "paging": "after",
        "is_stream": False,
    },
    "getHourlyPriceHistory": {
        "method": "GET",
        "path": "/v1/items/{item_id}/history/hourly",
        "path_params": {"item_id": "integer"},
        "query_params": {"side": "string", "provider": "string", "from": "string", "to": "string", "known_at": "string", "limit": "integer", "after": "string"},
        "body_fields": None,
        "required": ["item_id"],
        "is_protected": True,
        "paging": "after",
        "is_stream": False,
    },
    "listHistoryDays": {
        "method": "GET",
        "path": "/v1/history/days",
        "path_params": {},
        "query_params": {"limit": "integer", "after": "string"},
        "body_fields": None,
        "required": [],
        "is_protected": True,
        "paging": "after",
        "is_stream": False,
    },
    "streamHistoryDay": {
        "method": "POST",
        "path": "/v1/history/days/{date}/export",
        "path_params": {"date": "string"},
        "query_params": {},
        "body_fields": {"resolution": "string", "revision": "integer"},
        "required": ["date", "resolution"],
        "is_protected": True,
        "paging": None,
        "is_stream": True,
    },
    "getMarketPricesBatch": {
        "method": "POST",
        "path": "/v1/markets/batch",
        "path_params": {},
        "query_params": {},
        "body_fields": {"item_ids": "integer[]", "provider": "string", "side": "string"},
        "required": ["item_ids"],
        "is_protected": True,
        "paging": None,
        "is_stream": False,
    },
    "getMarketPricesKnownAt": {
        "method": "POST",
        "path": "/v1/markets/known",
        "path_params": {},
        "query_params": {},
        "body_fields": {"known_at": "string", "item_ids": "integer[]", "provider": "string", "side": "string"},
        "required": ["known_at", "item_ids"],
        "is_protected": True,
        "paging": None,
        "is_stream": False,
    },
    "streamMarketSnapshot": {
        "method": "POST",
        "path": "/v1/markets/snapshot",
        "path_params": {},
        "query_params": {},
        "body_fields": None,
        "required": [],
        "is_protected": True,
        "paging": None,
        "is_stream": True,
    },
    "streamMarketChanges": {
        "method": "POST",
        "path": "/v1/markets/changes",
        "path_params": {},
        "query_params": {},
        "body_fields": {"generation": "string", "identity_digest": "string"},
        "required": ["generation", "identity_digest"],
        "is_protected": True,
        "paging": None,
        "is_stream": True,
    },
    "getCurrentGeneration": {
        "method": "GET",
        "path": "/v1/markets/generations/current",
        "path_params": {},
        "query_params": {"after": "string", "wait_seconds": "integer"},
        "body_fields": None,
        "required": [],
        "is_protected": True,
        "paging": None,
        "is_stream": False,
    },
    "getGeneration": {
        "method": "GET",
        "path": "/v1/markets/generations/{generation}",
        "path_params": {"generation": "string"},
        "query_params": {},
        "body_fields": None,
        "required": ["generation"],
        "is_protected": True,
        "paging": None,
        "is_stream": False,
    },
    "listIndexes": {
        "method": "GET",
        "path": "/v1/indexes",
        "path_params": {},
        "query_params": {"limit": "integer", "after": "string"},
        "body_fields": None,
        "required": [],
        "is_protected": True,
        "paging": "after",
        "is_stream": False,
    },
    "getIndex": {
        "method": "GET",
        "path": "/v1/indexes/{index_id}",
        "path_params": {"index_id": "string"},
        "query_params": {},
        "body_fields": None,
        "required": ["index_id"],
        "is_protected": True,
        "paging": None,
        "is_stream": False,
    },
    "getIndexHistory": {
        "method": "GET",
        "path": "/v1/indexes/{index_id}/history",
        "path_params": {"index_id": "string"},
        "query_params": {"from": "string", "to": "string", "methodology_version": "string", "known_at": "string", "limit": "integer", "after": "string"},
        "body_fields": None,
        "required": ["index_id"],
        "is_protected": True,
        "paging": "after",
        "is_stream": False,
    },
    "listIndexMembers": {
        "method": "GET",
        "path": "/v1/indexes/{index_id}/members",
        "path_params": {"index_id": "string"},
        "query_params": {"membership_version": "integer", "limit": "integer", "after": "string"},
        "body_fields": None,
        "required": ["index_id"],
        "is_protected": True,
        "paging": "after",
        "is_stream": False,
    },
    "listExchangeRates": {
        "method": "GET",
        "path": "/v1/exchange-rates",
        "path_params": {},
        "query_params": {"currency": "string", "limit": "integer", "after": "string"},
        "body_fields": None,
        "required": [],
        "is_protected": True,
        "paging": "after",
        "is_stream": False,
    },
    "getExchangeRateHistory": {
        "method": "GET",
        "path": "/v1/exchange-rates/{currency}/history",
        "path_params": {"currency": "string"},
        "query_params": {"from": "string", "to": "string", "known_at": "string", "limit": "integer", "after": "string"},
        "body_fields": None,
        "required": ["currency"],
        "is_protected": True,
        "paging": "after",
        "is_stream": False,
    },
    "listOpenables": {
        "method": "GET",
        "path": "/v1/openables",
        "path_params": {},
        "query_params": {"valuation_mode": "string", "limit": "integer", "after": "string"},
        "body_fields": None,
        "required": [],
        "is_protected": True,
        "paging": "after",
        "is_stream": False,
    },
    "getOpenable": {
        "method": "GET",
        "path": "/v1/openables/{slug}",
        "path_params": {"slug": "string"},
        "query_params": {"valuation_mode": "string"},
        "body_fields": None,
        "required": ["slug"],
        "is_protected": True,
        "paging": None,
        "is_stream": False,
    },
    "getOpenableHistory": {
        "method": "GET",
        "path": "/v1/openables/{slug}/history",
        "path_params": {"slug": "string"},
        "query_params": {"from": "string", "to": "string", "granularity": "string", "valuation_mode": "string", "methodology_version": "string", "known_at": "string", "limit": "integer", "after": "string"},
        "body_fields": None,
        "required": ["slug"],
        "is_protected": True,
        "paging": "after",
        "is_stream": False,
    },
    "listOpenableOutcomes": {
        "method": "GET",
        "path": "/v1/openables/{slug}/outcomes",
        "path_params": {"slug": "string"},
        "query_params": {"valuation_mode": "string", "limit": "integer", "after": "string"},
        "body_fields": None,
        "required": ["slug"],
        "is_protected": True,
        "paging": "after",
        "is_stream": False,
    },
    "listDataEvents": {
        "method": "GET",
        "path": "/v1/data-events",
        "path_params": {},
        "query_params": {"kind": "string", "feed": "string", "provider": "string", "from": "string", "to": "string", "limit": "integer", "after": "string"},
        "body_fields": None,
        "required": [],
        "is_protected": True,
        "paging": "after",
        "is_stream": False,
    },
    "getUsage": {
        "method": "GET",
        "path": "/v1/usage",
        "path_params": {},
        "query_params": {},
        "body_fields": None,
        "required": [],
        "is_protected": True,
        "paging": None,
        "is_stream": False,
    },
    "listPortfolios": {
        "method": "GET",
        "path": "/v1/me/portfolios",
        "path_params": {},
        "query_params": {"limit": "integer", "after": "string"},
        "body_fields": None,
        "required": [],
        "is_protected": True,
        "paging": "after",
        "is_stream": False,
    },
    "getPortfolio": {
        "method": "GET",
        "path": "/v1/me/portfolios/{portfolio_id}",
        "path_params": {"portfolio_id": "string"},
        "query_params": {},
        "body_fields": None,
        "required": ["portfolio_id"],
        "is_protected": True,
        "paging": None,
        "is_stream": False,
    },
    "listPortfolioHoldings": {
        "method": "GET",
        "path": "/v1/me/portfolios/{portfolio_id}/holdings",
        "path_params": {"portfolio_id": "string"},
        "query_params": {"limit": "integer", "after": "string"},
        "body_fields": None,
        "required": ["portfolio_id"],
        "is_protected": True,
        "paging": "after",
        "is_stream": False,
    },
    "listPortfolioTransactions": {
        "method": "GET",
        "path": "/v1/me/portfolios/{portfolio_id}/transactions",
        "path_params": {"portfolio_id": "string"},
        "query_params": {"from": "string", "to": "string", "limit": "integer", "after": "string"},
        "body_fields": None,
        "required": ["portfolio_id"],
        "is_protected": True,
        "paging": "after",
        "is_stream": False,
    },
    "getPortfolioHistory": {
        "method": "GET",
        "path": "/v1/me/portfolios/{portfolio_id}/history",
        "path_params": {"portfolio_id": "string"},
        "query_params": {"from": "string", "to": "string", "limit": "integer", "after": "string"},
        "body_fields": None,
        "required": ["portfolio_id"],
        "is_protected": True,
        "paging": "after",
        "is_stream": False,
    },
}


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


@dataclass(frozen=True)
class _Outgoing:
    """One request as it goes out. `address` never holds the key."""

    operation_id: str
    method: str
    address: str
    target: str
    headers: Mapping[str, str]
    body: Optional[bytes]
    wait_s: float
    """Time for which it lets the server wait before the answer; the limits of its times are that much later."""


_INTEGER_MAX = 2**53 - 1
_KINDS: Dict[str, str] = {
    "integer": "an integer",
    "string": "a string of well-formed Unicode",
    "boolean": "True or False",
    "integer[]": "a list of integers",
    "string[]": "a list of strings",
}


def _is_of_kind(kind: str, value: Any) -> bool:
    if kind.endswith("[]"):
        return isinstance(value, (list, tuple)) and all(_is_of_kind(kind[:-2], one) for one in value)
    if kind == "integer":
        return type(value) is int and -_INTEGER_MAX <= value <= _INTEGER_MAX
    if kind == "boolean":
        return isinstance(value, bool)
    return isinstance(value, str) and not any("\ud800" <= one <= "\udfff" for one in value)


def _request_of(
    settings: _Settings, operation_id: str, params: Mapping[str, Any], if_none_match: Optional[str] = None
) -> _Outgoing:
    """Builds the request of an operation; parameters that are None are left out. TypeError names a wrong one."""
    operation = OPERATIONS.get(operation_id)
    if operation is None:
        raise TypeError(f"the contract has no operation {operation_id}")
    given = {name: value for name, value in params.items() if value is not None}
    _check_params(settings, operation_id, operation, given)
    body_fields = operation["body_fields"]
    body = None
    if body_fields is not None:
        fields = {name: value for name, value in given.items() if name in body_fields}
        body = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
    headers = {
        "accept": f"{'application/x-ndjson' if operation['is_stream'] else 'application/json'}, application/problem+json",
        "accept-encoding": "gzip",
        "user-agent": settings.user_agent,
    }
    if settings.api_key is not None and operation["is_protected"]:
        headers["authorization"] = f"Bearer {settings.api_key}"
    if body is not None:
        headers["content-type"] = "application/json"
    if if_none_match is not None:
        if not (isinstance(if_none_match, str) and re.fullmatch(r'(?:W/)?"[!#-~]{0,200}"', if_none_match)):
            raise TypeError("if_none_match: must be the `etag` of an answer")
        headers["if-none-match"] = if_none_match
    target = _target_of(operation, given)
    address = settings.address + target
    # The service refuses longer waits.
    wait_s = float(min(max(given["wait_seconds"], 0), 30)) if "wait_seconds" in given else 0.0
    return _Outgoing(operation_id, operation["method"], address, settings.path + target, headers, body, wait_s)


def _check_params(settings: _Settings, operation_id: str, operation: Operation, given: Mapping[str, Any]) -> None:
    for name in operation["required"]:
        if name not in given:
            raise TypeError(f"{operation_id}: the parameter `{name}` is missing")
    kinds = {**operation["path_params"], **operation["query_params"], **(operation["body_fields"] or {})}
    for name, value in given.items():
        kind = kinds.get(name)
        if kind is None:
            raise TypeError(f"{operation_id}: has no parameter `{name}`")
        if not _is_of_kind(kind, value):
            raise TypeError(f"{operation_id}: the parameter `{name}` must be {_KINDS[kind]}")
        if isinstance(value, str) and _holds_key(value, settings.api_key):
            raise TypeError(f"{operation_id}: the parameter `{name}` contains an API key, which must never be in a URL")


def _target_of(operation: Operation, given: Mapping[str, Any]) -> str:
    path = operation["path"]
    for name in operation["path_params"]:
        value = str(given[name])
        # A segment of dots would make the address one of another operation.
        if value in ("", ".", ".."):
            raise TypeError(f"the parameter `{name}` must be a name, not {json.dumps(value)}")
        path = path.replace("{" + name + "}", quote(value, safe=""))
    query = [f"{name}={quote(_text_of(value), safe='')}" for name, value in given.items() if name in operation["query_params"]]
    return path + ("?" + "&".join(query) if query else "")


def _text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)

# First pause where the server names none; each further one is twice as long.
_BACKOFF_S = 0.5
_EXPORT_PAUSE_S = 1.0
_EXPORT_PAUSE_S_MAX = 30.0
_JITTER_S_LEAST = 0.25
_JITTER_SHARE = 0.1


def _wait_for(
    refusal: ItemtapeError, attempt: int, left_s: float, limits: Tuple[int, float], chance: float
) -> Optional[float]:
    """Returns how many seconds to wait before the same request is sent again; None: never. `limits`: most attempts, longest wait.

    Jitter makes the wait longer than what the server asks for, never shorter, so that clients that were refused together do not
    come back together.
    """
    attempts_max, wait_s_max = limits
    if refusal.status not in (429, 503) or refusal.code == "monthly_quota_exceeded" or attempt >= attempts_max:
        return None
    asked_s = refusal.retry_after_s or 0.0
    least_s = asked_s if asked_s > 0 else min(_BACKOFF_S * 2 ** (attempt - 1), wait_s_max)
    if least_s > wait_s_max or least_s >= left_s:
        return None
    jitter_s = max(_JITTER_S_LEAST, asked_s * _JITTER_SHARE) if asked_s > 0 else least_s
    # Half of what is left stays for the answer.
    return least_s + chance * min(jitter_s, (left_s - least_s) / 2)


def _pause_for(attempt: int, chance: float) -> float:
    """Returns how many seconds to wait before a whole export is begun again: the server named no time."""
    least_s = min(_EXPORT_PAUSE_S * 2 ** (attempt - 1), _EXPORT_PAUSE_S_MAX)
    return least_s + chance * least_s


def _retry_after_s(headers: Mapping[str, str], now_s: float) -> Optional[float]:
    """Returns `Retry-After` as seconds from now on, by the server's own clock where it tells its time; None: absent or no such value."""
    text = (headers.get("retry-after") or "").strip()
    if re.fullmatch(r"[0-9]+", text):
        return float(min(int(text[:16]), _INTEGER_MAX))
    at_s = _http_date(text)
    if at_s is None:
        return None
    sent_s = _http_date(headers.get("date") or "")
    return max(0.0, at_s - (now_s if sent_s is None else sent_s))


_HTTP_DATES = (
    re.compile(r"[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT"),
    re.compile(r"[A-Z][a-z]{5,8}, [0-9]{2}-[A-Z][a-z]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT"),
    re.compile(r"[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2} [0-9]{4}"),
)


def _http_date(text: str) -> Optional[float]:
    """Parses the three forms of an HTTP date to seconds since 1970."""
    parsed = email.utils.parsedate_tz(text) if any(form.fullmatch(text) for form in _HTTP_DATES) else None
    if parsed is None:
        return None
    try:
        return float(email.utils.mktime_tz(parsed))
    except (ValueError, OverflowError):
        return None

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

_CURSOR_CHARACTERS_MAX = 512


class _Pager:
    """Follows the cursors of one list."""

    def __init__(self, operation_id: str, params: Mapping[str, Any]) -> None:
        operation = OPERATIONS.get(operation_id)
        paging = None if operation is None else operation["paging"]
        if paging is None:
            raise TypeError(f"{operation_id}: has no pages")
        self._operation_id = operation_id
        self._paging = paging
        cursor = params.get("cursor")
        self._cursor = cursor if type(cursor) is int else -1
        self._seen = {params.get("after")}

    def next(self, meta: Mapping[str, Any]) -> Optional[Dict[str, Any]]:
        """Returns the parameter of the page after one with this `meta`; None: it was the last. Raises TransportError `paging`."""
        if self._paging == "cursor":
            cursor = meta.get("next_cursor", "")
            if cursor is None:
                return None
            if type(cursor) is not int or not 0 <= cursor <= _ITEM_ID_MAX:
                raise self._broken("`meta.next_cursor` is neither an item id nor null")
            if cursor <= self._cursor:
                raise self._broken("`meta.next_cursor` does not advance")
            self._cursor = cursor
            return {"cursor": cursor}
        after = meta.get("next_page", "")
        if after is None:
            return None
        if not isinstance(after, str) or not 0 < len(after) <= _CURSOR_CHARACTERS_MAX:
            raise self._broken("`meta.next_page` is neither a cursor nor null")
        if after in self._seen:
            raise self._broken("`meta.next_page` is repeated")
        self._seen.add(after)
        return {"after": after}

    def _broken(self, why: str) -> TransportError:
        return TransportError("paging", f"{self._operation_id}: the list does not end: {why}")


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

    def get_status(self, *, retry: Optional[RetryPolicy] = None) -> Answer[Status, Meta]:
        """Check the availability of the local data. Needs no key."""
        return self.call("getStatus", {}, retry=retry)

    def list_contract_changes(self, *, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Answer[List[ContractChange], PageMeta]:
        """List the changes of this contract. All plans; one monthly unit."""
        return self.call("listContractChanges", {"limit": limit, "after": after}, retry=retry)

    def list_contract_changes_rows(self, *, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Iterator[ContractChange]:
        """Yields the rows of all pages of `list_contract_changes`, one by one; each page costs its unit."""
        return self.rows("listContractChanges", {"limit": limit, "after": after}, retry=retry)

    def list_providers(self, *, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Answer[List[Provider], PageMeta]:
        """List the providers of quotes. All plans; one monthly unit."""
        return self.call("listProviders", {"limit": limit, "after": after}, retry=retry)

    def list_providers_rows(self, *, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Iterator[Provider]:
        """Yields the rows of all pages of `list_providers`, one by one; each page costs its unit."""
        return self.rows("listProviders", {"limit": limit, "after": after}, retry=retry)

    def list_items(self, *, cursor: Optional[int] = None, limit: Optional[int] = None, q: Optional[str] = None, item_type: Optional[Literal["Weapon", "Knife", "Gloves", "Sticker", "Sticker Slab", "Graffiti", "Patch", "Charm", "Music Kit", "Agent", "Collectible", "Container", "Key", "Tool"]] = None, rarity: Optional[str] = None, weapon: Optional[str] = None, wear: Optional[Literal["Factory New", "Minimal Wear", "Field-Tested", "Well-Worn", "Battle-Scarred"]] = None, phase: Optional[Literal["Phase 1", "Phase 2", "Phase 3", "Phase 4", "Ruby", "Sapphire", "Black Pearl", "Emerald"]] = None, stat_counter: Optional[bool] = None, souvenir: Optional[bool] = None, provider: Optional[str] = None, ask_min: Optional[int] = None, ask_max: Optional[int] = None, item_ids: Optional[List[ItemId]] = None, retry: Optional[RetryPolicy] = None) -> Answer[List[CatalogItem], ItemPageMeta]:
        """List or search the items of the catalog. All plans; one monthly unit."""
        return self.call("listItems", {"cursor": cursor, "limit": limit, "q": q, "item_type": item_type, "rarity": rarity, "weapon": weapon, "wear": wear, "phase": phase, "stat_counter": stat_counter, "souvenir": souvenir, "provider": provider, "ask_min": ask_min, "ask_max": ask_max, "item_ids": item_ids}, retry=retry)

    def list_items_rows(self, *, cursor: Optional[int] = None, limit: Optional[int] = None, q: Optional[str] = None, item_type: Optional[Literal["Weapon", "Knife", "Gloves", "Sticker", "Sticker Slab", "Graffiti", "Patch", "Charm", "Music Kit", "Agent", "Collectible", "Container", "Key", "Tool"]] = None, rarity: Optional[str] = None, weapon: Optional[str] = None, wear: Optional[Literal["Factory New", "Minimal Wear", "Field-Tested", "Well-Worn", "Battle-Scarred"]] = None, phase: Optional[Literal["Phase 1", "Phase 2", "Phase 3", "Phase 4", "Ruby", "Sapphire", "Black Pearl", "Emerald"]] = None, stat_counter: Optional[bool] = None, souvenir: Optional[bool] = None, provider: Optional[str] = None, ask_min: Optional[int] = None, ask_max: Optional[int] = None, item_ids: Optional[List[ItemId]] = None, retry: Optional[RetryPolicy] = None) -> Iterator[CatalogItem]:
        """Yields the rows of all pages of `list_items`, one by one; each page costs its unit."""
        return self.rows("listItems", {"cursor": cursor, "limit": limit, "q": q, "item_type": item_type, "rarity": rarity, "weapon": weapon, "wear": wear, "phase": phase, "stat_counter": stat_counter, "souvenir": souvenir, "provider": provider, "ask_min": ask_min, "ask_max": ask_max, "item_ids": item_ids}, retry=retry)

    def resolve_item_names(self, names: List[AskedItemName], *, retry: Optional[RetryPolicy] = None) -> Answer[List[ResolvedName], Meta]:
        """Find the items with up to 100 exact names. All plans; one monthly unit."""
        return self.call("resolveItemNames", {"names": names}, retry=retry)

    def get_item(self, item_id: ItemId, *, retry: Optional[RetryPolicy] = None) -> Answer[ItemDetail, Meta]:
        """Get the stored metadata of one item. All plans; one monthly unit."""
        return self.call("getItem", {"item_id": item_id}, retry=retry)

    def get_market_prices(self, item_id: ItemId, *, provider: Optional[ProviderSlug] = None, retry: Optional[RetryPolicy] = None) -> Answer[MarketPrices, QuoteMeta]:
        """Get the current cached quotes of one item. Paid plans; one monthly unit."""
        return self.call("getMarketPrices", {"item_id": item_id, "provider": provider}, retry=retry)

    def get_daily_price_history(self, item_id: ItemId, *, provider: Optional[ProviderSlug] = None, side: Optional[SelectedSide] = None, from_: Optional[UtcDate] = None, to: Optional[UtcDate] = None, known_at: Optional[KnownInstant] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Answer[List[DailyPrice], DailySeriesMeta]:
        """Get the daily price history of one item. All plans; one monthly unit."""
        return self.call("getDailyPriceHistory", {"item_id": item_id, "provider": provider, "side": side, "from": from_, "to": to, "known_at": known_at, "limit": limit, "after": after}, retry=retry)

    def get_daily_price_history_rows(self, item_id: ItemId, *, provider: Optional[ProviderSlug] = None, side: Optional[SelectedSide] = None, from_: Optional[UtcDate] = None, to: Optional[UtcDate] = None, known_at: Optional[KnownInstant] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Iterator[DailyPrice]:
        """Yields the rows of all pages of `get_daily_price_history`, one by one; each page costs its unit."""
        return self.rows("getDailyPriceHistory", {"item_id": item_id, "provider": provider, "side": side, "from": from_, "to": to, "known_at": known_at, "limit": limit, "after": after}, retry=retry)

    def get_hourly_price_history(self, item_id: ItemId, *, side: Optional[SelectedSide] = None, provider: Optional[ProviderSlug] = None, from_: Optional[UtcDate] = None, to: Optional[UtcDate] = None, known_at: Optional[KnownInstant] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Answer[List[HourlyPrice], HourlySeriesMeta]:
        """Get the hourly price history of one item. Paid plans; one monthly unit."""
        return self.call("getHourlyPriceHistory", {"item_id": item_id, "side": side, "provider": provider, "from": from_, "to": to, "known_at": known_at, "limit": limit, "after": after}, retry=retry)

    def get_hourly_price_history_rows(self, item_id: ItemId, *, side: Optional[SelectedSide] = None, provider: Optional[ProviderSlug] = None, from_: Optional[UtcDate] = None, to: Optional[UtcDate] = None, known_at: Optional[KnownInstant] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Iterator[HourlyPrice]:
        """Yields the rows of all pages of `get_hourly_price_history`, one by one; each page costs its unit."""
        return self.rows("getHourlyPriceHistory", {"item_id": item_id, "side": side, "provider": provider, "from": from_, "to": to, "known_at": known_at, "limit": limit, "after": after}, retry=retry)

    def list_history_days(self, *, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Answer[List[HistoryDay], PageMeta]:
        """List the sealed days of history. All plans; one monthly unit."""
        return self.call("listHistoryDays", {"limit": limit, "after": after}, retry=retry)

    def list_history_days_rows(self, *, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Iterator[HistoryDay]:
        """Yields the rows of all pages of `list_history_days`, one by one; each page costs its unit."""
        return self.rows("listHistoryDays", {"limit": limit, "after": after}, retry=retry)

    def get_market_prices_batch(self, item_ids: List[ItemId], *, provider: Optional[ProviderSlug] = None, side: Optional[QuoteSide] = None, retry: Optional[RetryPolicy] = None) -> Answer[List[MarketPricesBatchEntry], QuoteMeta]:
        """Get the current cached quotes of up to 100 items. Paid plans; one monthly unit."""
        return self.call("getMarketPricesBatch", {"item_ids": item_ids, "provider": provider, "side": side}, retry=retry)

    def get_market_prices_known_at(self, known_at: KnownInstant, item_ids: List[ItemId], *, provider: Optional[ProviderSlug] = None, side: Optional[QuoteSide] = None, retry: Optional[RetryPolicy] = None) -> Answer[KnownPrices, KnownPricesMeta]:
        """Get the quotes of up to 100 items as known at an instant. Paid plans; one monthly unit."""
        return self.call("getMarketPricesKnownAt", {"known_at": known_at, "item_ids": item_ids, "provider": provider, "side": side}, retry=retry)

    def get_current_generation(self, *, after: Optional[str] = None, wait_seconds: Optional[int] = None, retry: Optional[RetryPolicy] = None) -> Answer[PublishedGeneration, Meta]:
        """Wait for the next generation of quotes. Paid plans; one monthly unit."""
        return self.call("getCurrentGeneration", {"after": after, "wait_seconds": wait_seconds}, retry=retry)

    def get_generation(self, generation: str, *, retry: Optional[RetryPolicy] = None) -> Answer[PublishedGeneration, Meta]:
        """Get the digest of one published generation. Paid plans; one monthly unit."""
        return self.call("getGeneration", {"generation": generation}, retry=retry)

    def list_indexes(self, *, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Answer[List[MarketIndex], PageMeta]:
        """List the price indexes with their latest levels. Paid plans; one monthly unit."""
        return self.call("listIndexes", {"limit": limit, "after": after}, retry=retry)

    def list_indexes_rows(self, *, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Iterator[MarketIndex]:
        """Yields the rows of all pages of `list_indexes`, one by one; each page costs its unit."""
        return self.rows("listIndexes", {"limit": limit, "after": after}, retry=retry)

    def get_index(self, index_id: IndexId, *, retry: Optional[RetryPolicy] = None) -> Answer[MarketIndex, IndexMeta]:
        """Get one price index with its latest level. Paid plans; one monthly unit."""
        return self.call("getIndex", {"index_id": index_id}, retry=retry)

    def get_index_history(self, index_id: IndexId, *, from_: Optional[UtcDate] = None, to: Optional[UtcDate] = None, methodology_version: Optional[MethodologyVersion] = None, known_at: Optional[KnownInstant] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Answer[List[IndexLevel], DailySeriesMeta]:
        """Get the daily levels of one price index. Paid plans; one monthly unit."""
        return self.call("getIndexHistory", {"index_id": index_id, "from": from_, "to": to, "methodology_version": methodology_version, "known_at": known_at, "limit": limit, "after": after}, retry=retry)

    def get_index_history_rows(self, index_id: IndexId, *, from_: Optional[UtcDate] = None, to: Optional[UtcDate] = None, methodology_version: Optional[MethodologyVersion] = None, known_at: Optional[KnownInstant] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Iterator[IndexLevel]:
        """Yields the rows of all pages of `get_index_history`, one by one; each page costs its unit."""
        return self.rows("getIndexHistory", {"index_id": index_id, "from": from_, "to": to, "methodology_version": methodology_version, "known_at": known_at, "limit": limit, "after": after}, retry=retry)

    def list_index_members(self, index_id: IndexId, *, membership_version: Optional[MembershipVersion] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Answer[List[IndexMember], PageMeta]:
        """List the members of one price index. Paid plans; one monthly unit."""
        return self.call("listIndexMembers", {"index_id": index_id, "membership_version": membership_version, "limit": limit, "after": after}, retry=retry)

    def list_index_members_rows(self, index_id: IndexId, *, membership_version: Optional[MembershipVersion] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Iterator[IndexMember]:
        """Yields the rows of all pages of `list_index_members`, one by one; each page costs its unit."""
        return self.rows("listIndexMembers", {"index_id": index_id, "membership_version": membership_version, "limit": limit, "after": after}, retry=retry)

    def list_exchange_rates(self, *, currency: Optional[CurrencyCode] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Answer[List[ExchangeRate], PageMeta]:
        """List the latest exchange rates. Paid plans; one monthly unit."""
        return self.call("listExchangeRates", {"currency": currency, "limit": limit, "after": after}, retry=retry)

    def list_exchange_rates_rows(self, *, currency: Optional[CurrencyCode] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Iterator[ExchangeRate]:
        """Yields the rows of all pages of `list_exchange_rates`, one by one; each page costs its unit."""
        return self.rows("listExchangeRates", {"currency": currency, "limit": limit, "after": after}, retry=retry)

    def get_exchange_rate_history(self, currency: CurrencyCode, *, from_: Optional[UtcDate] = None, to: Optional[UtcDate] = None, known_at: Optional[KnownInstant] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Answer[List[ExchangeRatePoint], DailySeriesMeta]:
        """Get the daily exchange rates of one currency. Paid plans; one monthly unit."""
        return self.call("getExchangeRateHistory", {"currency": currency, "from": from_, "to": to, "known_at": known_at, "limit": limit, "after": after}, retry=retry)

    def get_exchange_rate_history_rows(self, currency: CurrencyCode, *, from_: Optional[UtcDate] = None, to: Optional[UtcDate] = None, known_at: Optional[KnownInstant] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Iterator[ExchangeRatePoint]:
        """Yields the rows of all pages of `get_exchange_rate_history`, one by one; each page costs its unit."""
        return self.rows("getExchangeRateHistory", {"currency": currency, "from": from_, "to": to, "known_at": known_at, "limit": limit, "after": after}, retry=retry)

    def list_openables(self, *, valuation_mode: Optional[SelectedValuationMode] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Answer[List[Openable], OpenablePageMeta]:
        """List the containers with their current ROI calculation. Paid plans; one monthly unit."""
        return self.call("listOpenables", {"valuation_mode": valuation_mode, "limit": limit, "after": after}, retry=retry)

    def list_openables_rows(self, *, valuation_mode: Optional[SelectedValuationMode] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Iterator[Openable]:
        """Yields the rows of all pages of `list_openables`, one by one; each page costs its unit."""
        return self.rows("listOpenables", {"valuation_mode": valuation_mode, "limit": limit, "after": after}, retry=retry)

    def get_openable(self, slug: OpenableSlug, *, valuation_mode: Optional[SelectedValuationMode] = None, retry: Optional[RetryPolicy] = None) -> Answer[OpenableDetail, OpenableMeta]:
        """Get one container with its pool and ROI calculation. Paid plans; one monthly unit."""
        return self.call("getOpenable", {"slug": slug, "valuation_mode": valuation_mode}, retry=retry)

    def get_openable_history(self, slug: OpenableSlug, *, from_: Optional[UtcDate] = None, to: Optional[UtcDate] = None, granularity: Optional[SelectedRoiGranularity] = None, valuation_mode: Optional[SelectedValuationMode] = None, methodology_version: Optional[MethodologyVersion] = None, known_at: Optional[KnownInstant] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Answer[List[RoiHistoryRow], RoiSeriesMeta]:
        """Get the model's history of one container. Paid plans; one monthly unit."""
        return self.call("getOpenableHistory", {"slug": slug, "from": from_, "to": to, "granularity": granularity, "valuation_mode": valuation_mode, "methodology_version": methodology_version, "known_at": known_at, "limit": limit, "after": after}, retry=retry)

    def get_openable_history_rows(self, slug: OpenableSlug, *, from_: Optional[UtcDate] = None, to: Optional[UtcDate] = None, granularity: Optional[SelectedRoiGranularity] = None, valuation_mode: Optional[SelectedValuationMode] = None, methodology_version: Optional[MethodologyVersion] = None, known_at: Optional[KnownInstant] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Iterator[RoiHistoryRow]:
        """Yields the rows of all pages of `get_openable_history`, one by one; each page costs its unit."""
        return self.rows("getOpenableHistory", {"slug": slug, "from": from_, "to": to, "granularity": granularity, "valuation_mode": valuation_mode, "methodology_version": methodology_version, "known_at": known_at, "limit": limit, "after": after}, retry=retry)

    def list_openable_outcomes(self, slug: OpenableSlug, *, valuation_mode: Optional[SelectedValuationMode] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Answer[List[OpenableOutcome], OpenablePageMeta]:
        """List the outcomes of one container with odds and values. Paid plans; one monthly unit."""
        return self.call("listOpenableOutcomes", {"slug": slug, "valuation_mode": valuation_mode, "limit": limit, "after": after}, retry=retry)

    def list_openable_outcomes_rows(self, slug: OpenableSlug, *, valuation_mode: Optional[SelectedValuationMode] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Iterator[OpenableOutcome]:
        """Yields the rows of all pages of `list_openable_outcomes`, one by one; each page costs its unit."""
        return self.rows("listOpenableOutcomes", {"slug": slug, "valuation_mode": valuation_mode, "limit": limit, "after": after}, retry=retry)

    def list_data_events(self, *, kind: Optional[str] = None, feed: Optional[str] = None, provider: Optional[ProviderSlug] = None, from_: Optional[UtcDate] = None, to: Optional[UtcDate] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Answer[List[DataEvent], PageMeta]:
        """List events of the data. All plans; one monthly unit."""
        return self.call("listDataEvents", {"kind": kind, "feed": feed, "provider": provider, "from": from_, "to": to, "limit": limit, "after": after}, retry=retry)

    def list_data_events_rows(self, *, kind: Optional[str] = None, feed: Optional[str] = None, provider: Optional[ProviderSlug] = None, from_: Optional[UtcDate] = None, to: Optional[UtcDate] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Iterator[DataEvent]:
        """Yields the rows of all pages of `list_data_events`, one by one; each page costs its unit."""
        return self.rows("listDataEvents", {"kind": kind, "feed": feed, "provider": provider, "from": from_, "to": to, "limit": limit, "after": after}, retry=retry)

    def get_usage(self, *, retry: Optional[RetryPolicy] = None) -> Answer[Usage, Meta]:
        """Get the account's plan, usage and remaining allowance. All plans; no monthly unit."""
        return self.call("getUsage", {}, retry=retry)

    def list_portfolios(self, *, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Answer[List[Portfolio], PageMeta]:
        """List the portfolios that this token can read. All plans; one monthly unit."""
        return self.call("listPortfolios", {"limit": limit, "after": after}, retry=retry)

    def list_portfolios_rows(self, *, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Iterator[Portfolio]:
        """Yields the rows of all pages of `list_portfolios`, one by one; each page costs its unit."""
        return self.rows("listPortfolios", {"limit": limit, "after": after}, retry=retry)

    def get_portfolio(self, portfolio_id: str, *, retry: Optional[RetryPolicy] = None) -> Answer[Portfolio, Meta]:
        """Get the settings of one portfolio. All plans; one monthly unit."""
        return self.call("getPortfolio", {"portfolio_id": portfolio_id}, retry=retry)

    def list_portfolio_holdings(self, portfolio_id: str, *, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Answer[List[PortfolioHolding], PageMeta]:
        """List the inventory lots of one portfolio. All plans; one monthly unit."""
        return self.call("listPortfolioHoldings", {"portfolio_id": portfolio_id, "limit": limit, "after": after}, retry=retry)

    def list_portfolio_holdings_rows(self, portfolio_id: str, *, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Iterator[PortfolioHolding]:
        """Yields the rows of all pages of `list_portfolio_holdings`, one by one; each page costs its unit."""
        return self.rows("listPortfolioHoldings", {"portfolio_id": portfolio_id, "limit": limit, "after": after}, retry=retry)

    def list_portfolio_transactions(self, portfolio_id: str, *, from_: Optional[UtcDate] = None, to: Optional[UtcDate] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Answer[List[PortfolioTransaction], LedgerMeta]:
        """List the ledger rows of one portfolio. All plans; one monthly unit."""
        return self.call("listPortfolioTransactions", {"portfolio_id": portfolio_id, "from": from_, "to": to, "limit": limit, "after": after}, retry=retry)

    def list_portfolio_transactions_rows(self, portfolio_id: str, *, from_: Optional[UtcDate] = None, to: Optional[UtcDate] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Iterator[PortfolioTransaction]:
        """Yields the rows of all pages of `list_portfolio_transactions`, one by one; each page costs its unit."""
        return self.rows("listPortfolioTransactions", {"portfolio_id": portfolio_id, "from": from_, "to": to, "limit": limit, "after": after}, retry=retry)

    def get_portfolio_history(self, portfolio_id: str, *, from_: Optional[UtcDate] = None, to: Optional[UtcDate] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Answer[List[PortfolioValuation], DailySeriesMeta]:
        """Get the daily values of one portfolio. All plans; one monthly unit."""
        return self.call("getPortfolioHistory", {"portfolio_id": portfolio_id, "from": from_, "to": to, "limit": limit, "after": after}, retry=retry)

    def get_portfolio_history_rows(self, portfolio_id: str, *, from_: Optional[UtcDate] = None, to: Optional[UtcDate] = None, limit: Optional[int] = None, after: Optional[PageCursor] = None, retry: Optional[RetryPolicy] = None) -> Iterator[PortfolioValuation]:
        """Yields the rows of all pages of `get_portfolio_history`, one by one; each page costs its unit."""
        return self.rows("getPortfolioHistory", {"portfolio_id": portfolio_id, "from": from_, "to": to, "limit": limit, "after": after}, retry=retry)

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
