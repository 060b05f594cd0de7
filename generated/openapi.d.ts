// Derived from openapi.yaml by `npm run generate`; edit the document instead.

export interface paths {
    "/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tell whether the local data can be read
         * @description Describes the availability of local data sets only. It is not a promise of full catalog or historical coverage.
         *
         *     Needs no credential, takes no parameters, costs nothing.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/changelog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of this contract
         * @description What changed in this document, newest first: operations, fields, codes and what they mean. The list is the one of
         *     the document itself, root key `x-itemtape-changelog`, newest last there. It says nothing of the data: corrected or
         *     late rows and published generations are no changes of the contract.
         *
         *     A `breaking` entry names the operations that it touches. An empty `operations` concerns the whole document. An
         *     empty list says that nothing changed since the first version.
         *
         *     Pass `meta.next_page` unchanged as `after` until it is null. All plans; one monthly unit.
         */
        get: operations["listContractChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the providers of quotes
         * @description All marketplaces whose quotes are or were stored, in ascending order of their slug. This is where the exact slug
         *     for a `provider` filter is found.
         *
         *     Pass `meta.next_page` unchanged as `after` until it is null. All plans; one monthly unit.
         */
        get: operations["listProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or search the items of the catalog
         * @description Items that are in the catalog, in ascending `item_id`, unphased identities included. Several phases can share one
         *     `market_hash_name`.
         *
         *     Pass `meta.next_cursor` as `cursor` until it is null. All plans; one monthly unit. On the Free plan the three price
         *     fields are null, and `provider`, `ask_min` and `ask_max` are refused.
         */
        get: operations["listItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/items/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the items of up to 100 names
         * @description One entry for each name, in the order of the request, with all items that have exactly this `market_hash_name`,
         *     in ascending `item_id`. Names repeat: several phases of one finish and its unphased identity share one. An entry
         *     with more than one candidate is `ambiguous`, and the name alone cannot say which item is meant; nothing is chosen
         *     for the caller.
         *
         *     - Names are compared in NFC and otherwise exactly: case, spaces and signs such as `★` and `™` count, Russian
         *       names are not looked at. For a search by part of a name see `listItems`.
         *     - A name that no item has never fails the request: its entry has no candidates and is not ambiguous.
         *     - Items that have left the catalog are candidates too, with `in_catalog: false`; so are variants that only a feed
         *       of quotes names.
         *
         *     Holds no prices. All plans. Up to 100 names are one request: one monthly unit.
         */
        post: operations["resolveItemNames"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/items/{item_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the stored metadata of one item
         * @description Locally stored catalog metadata of one item, also of one that has left the catalog. Missing fields are null.
         *     Nothing is fetched upstream on a cache miss. Holds no prices.
         *
         *     All plans; one monthly unit, also when the item does not exist.
         */
        get: operations["getItem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/items/{item_id}/markets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the current cached quotes of one item
         * @description Sellers' offers (`asks`) and buy orders (`bids`) of one item in one generation of the price cache. Quotes are
         *     observed offers, not completed sales. The lists come in no promised order: sort asks ascending and bids
         *     descending by `amount` yourself. Bids never stand in for asks.
         *
         *     An item without quotes is answered with 200, `availability: missing` and two empty lists; nothing is fetched
         *     upstream. Items that have left the catalog can still be read. Paid plans, because the Free plan has no current
         *     quotes; one monthly unit, also when the item does not exist.
         */
        get: operations["getMarketPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/items/{item_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the daily price history of one item
         * @description One row per UTC day and provider with at least one stored observation, in ascending order of `date`, then
         *     `provider`. Prices are offers and buy orders that were observed, not completed sales, and `amount` is no median.
         *     A day without an observation has no row; an empty history says that nothing was observed, not that the price was
         *     zero. Nothing is carried forward or interpolated.
         *
         *     - There is no fallback between sides, providers or phases: what was not observed stays absent.
         *     - Without dates: the last 30 completed UTC days. With `from` alone, `to` is 29 days later, but not after the
         *       last completed day; with `to` alone, `from` is 29 days earlier. `from` <= `to` <= today, at most 366 days.
         *       Only the current day has `complete: false`.
         *     - `meta.missing_points` counts, in the whole resolved window and the same on every page, the days that have
         *       begun and have no row, the current day included.
         *     - Pass `meta.next_page` unchanged as `after` until it is null. The cursor remembers omitted filters and resolved
         *       dates; others than those of its first page are refused with `cursor_mismatch`. Pages are no frozen export:
         *       late insertions and imports may require rereading the window and deduplicating by item ID, `date`, provider
         *       and side.
         *     - Items that have left the catalog keep their history.
         *
         *     All plans; one monthly unit, also for an empty window and for an item that does not exist. The Free plan reads
         *     asks of the main platform, chosen by itself, of the last 30 completed UTC days; another provider, `side=bid`,
         *     today or an earlier day is refused with `plan_upgrade_required` before any charge. Bad ranges and mismatched
         *     cursors are refused before any charge too.
         */
        get: operations["getDailyPriceHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/items/{item_id}/history/hourly": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the hourly cached quotes of one item
         * @description Cached quotes by UTC hour, in ascending order of `ts`, then `provider`, markers (`provider: null`) first. Quotes
         *     are offers and buy orders that were observed, not completed sales.
         *
         *     - A frame is one verified state of one feed in one UTC hour. Only the first verified frame of an hour is stored;
         *       later refreshes in that hour do not overwrite it. An hour with no recorded frame has no row, and neither has one
         *       whose frame the operator of the server has removed, as happens to old ones, or taken back because it was wrong;
         *       `meta.missing_points` tells it. A saved body of that hour may take the place of a frame that was taken back.
         *     - A frame remembers the providers that its feed covered and the names that it could give to no item. A frame that
         *       was recorded by an earlier version of the server, or with more than 50,000 such names, does not remember the
         *       names: of items that the catalog got after it was recorded it says nothing, and there is no row.
         *     - Without `provider`, each provider that has a quote on the side gets a row; providers that were left out are
         *       not listed as missing. Where the side has no quote at all, the hour has one marker row with `provider: null`.
         *       With `provider`, each hour in which its feed has a frame that covers it has one row that keeps the requested
         *       name, quoted or not. A selected provider that is missing never falls back to another.
         *     - A missing price is `amount: null` with `availability` telling why; it is never zero and never the last known
         *       value. There is no fallback between sides, providers or phases.
         *     - Without dates: today and the 30 days before it. `from` <= `to` <= today, at most 31 inclusive UTC days. With
         *       `from` alone, `to` is 30 days later, but not after today; with `to` alone, `from` is 30 days earlier.
         *     - `meta.missing_points` counts, in the whole resolved window and the same on every page, the hours that have
         *       begun and have no row, the current hour included.
         *     - Pass `meta.next_page` unchanged as `after` until it is null, with item, side, provider and dates unchanged.
         *       The cursor remembers omitted filters and resolved dates; others are refused with `cursor_mismatch`.
         *     - Pagination is not a frozen export. Late insertions may require rereading the window and deduplicating by item
         *       ID, `ts`, provider and side.
         *     - Items that have left the catalog keep their history. An empty history says that nothing was recorded, not that
         *       the price was zero.
         *
         *     Paid plans; one monthly unit, also for an empty window and for an item that does not exist. Invalid ranges and
         *     mismatched cursors are refused before any charge.
         */
        get: operations["getHourlyPriceHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/history/days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sealed days of history
         * @description Each UTC day that is over and whose daily rows are stored is sealed: this is what `streamHistoryDay` then sends, with
         *     the SHA-256 of its lines. Newest day first, then newest revision. A late import or frame seals a day again under a higher
         *     revision; earlier ones stay listed with `superseded_at`. Until it is sealed again, its export is not found. Where the
         *     server's operator has removed the hours of a day, `hourly` is `pruned` and the digests stay.
         *
         *     Pass `meta.next_page` unchanged as `after` until it is null. All plans; one monthly unit.
         */
        get: operations["listHistoryDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/history/days/{date}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export one sealed day of the whole market as NDJSON
         * @description Streams one record per line: one `start`, the lines of the day in ascending `item_id`, asks first, then one `end` with
         *     their number and the SHA-256 of these lines, line feeds included. **HTTP 200 alone never proves success**: accept the
         *     export only at an `end` whose digest is that of the lines received. A revision that is superseded meanwhile ends it with
         *     `snapshot_changed`.
         *
         *     - `daily`: a `daily` record for each row that `getDailyPriceHistory` tells of the day.
         *     - `hourly`: what `getHourlyPriceHistory` tells without `provider`, folded. A `quotes` record for each item, side,
         *       provider and feed; its arrays are parallel, one entry for each range of hours in which a quote stayed the same. A
         *       `markers` record for an item and side with the hours in which no provider had a quote. The times of an hour are in
         *       `frames` of `start`; a marker has the latest of its feeds. Items that the catalog got after the day was sealed are not
         *       in it.
         *     - There is no pagination or resume. The deadline is two minutes. Slow readers are waited for.
         *
         *     Paid plans read everything. The Free plan gets the asks of the main platform (`selection`) of the last 30 completed UTC
         *     days, daily; more is refused before any charge. On every plan so is a day that is not over (`invalid_range`). One monthly
         *     unit, also for a day that is not found. It takes the place of the account's one export and one of the eight of the
         *     service, and is no export start.
         */
        post: operations["streamHistoryDay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/markets/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the current cached quotes of up to 100 items
         * @description One entry for each id, in the order of the request, all of one generation of the price cache. An unknown id
         *     never fails the batch: its entry has `status: not_found`. Quotes are observed offers, not completed sales, in no
         *     promised order.
         *
         *     Paid plans. A batch of up to 100 items is one request: one monthly unit.
         */
        post: operations["getMarketPricesBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/markets/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export the whole cached market as NDJSON
         * @description Streams one record per line: exactly one `start`, one `item` per catalog item in ascending `item_id` up to
         *     `catalog_max_item_id`, then one `end` whose `request_id` and `generation` match `start` and whose `items` is the
         *     number of item records. **HTTP 200 alone never proves success**: accept the export only at a matching `end`. Any
         *     unknown, extra, malformed or truncated record, an `error` record or a connection that closes without `end` makes
         *     it invalid.
         *
         *     - All prices come from one generation of the price cache. Catalog identity is scanned by id; it is not a
         *       database snapshot. A publication during the export ends it with `snapshot_changed`. A change of the catalog
         *       that takes a quoted item away or brings one back is a publication too. `getGeneration` tells the digest of the
         *       prices of each generation.
         *     - A missing quote is marked by `availability: missing` and empty lists. Bids never substitute for asks. Nothing
         *       is fetched upstream.
         *     - `price_as_of` and each quote's `as_of` are null because the feed supplies no observation time. `ingested_at`
         *       and `generated_at` are not observation times. The export is not a feed of completed transactions.
         *     - There is no filter, pagination or resume. After a failure discard the partial data and retry the whole request
         *       with bounded backoff. An encoded record is at most 256 KiB. The deadline is two minutes.
         *
         *     Takes no body and no query parameters. Paid plans; one active export per account over all its keys, eight over
         *     the whole service, and a ceiling of starts in any 24 hours. Refusals by a busy account, a full service or the
         *     ceiling come before the monthly unit is charged. A failure before the stream begins gives the start back but not
         *     the unit. Once it has begun, a cancellation or a later failure still counts as a start. Slow readers are waited
         *     for; a disconnect stops the export.
         */
        post: operations["streamMarketSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/markets/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stream what changed in the market since a copy was made
         * @description Whoever holds a complete export, or has applied these changes to one, names its state by `generation` and
         *     `identity_digest` (see `getGeneration`) and gets what differs now, one record per line: one `start` with both
         *     states, then in ascending `item_id` one `item` (the whole record) for each item that changed or is new and one
         *     `removed` for each that is gone, then one `end` with the state of `start` and the counts. Applied to the copy, they
         *     give exactly the state `to`: both its digests prove it. Accept nothing before a matching `end`.
         *
         *     - A copy that is current gets an empty stream. A change meanwhile ends it with `snapshot_changed`; retry.
         *     - The states of the last 24 hours, at most 300, can be named. Any other is `generation_not_found`, and more than
         *       half of an export's bytes is `changes_too_large`: admitted reads, which cost the unit. Take an export then.
         *     - A `generation` newer than the server's own is `service_unavailable` at a server that follows signed releases, which
         *       can be behind: retry. At any other server it is `generation_not_found`, as after a restore: take an export.
         *
         *     Paid plans; one monthly unit, no export start. One stream per account and eight over the whole service, beside
         *     exports; such a refusal costs nothing. The deadline is two minutes.
         */
        post: operations["streamMarketChanges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/markets/generations/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Wait for the next generation of quotes
         * @description Tells the generation that is published now, as `getGeneration` does: at once where it is newer than `after` (the
         *     numbers rise), else when a newer one is published or after `wait_seconds`. A `generation` that is not newer says that
         *     the time is over or that the server is being restarted; it may be older than `after`, because one of several servers
         *     can be behind for some seconds. The key is checked again before a late answer. No promise of real time.
         *
         *     Paid plans; one monthly unit. At most four requests of an account wait at once; one more that would have to wait is
         *     refused and costs nothing.
         */
        get: operations["getCurrentGeneration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/markets/generations/{generation}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the digest of one published generation of quotes
         * @description What a complete export of this generation holds, fixed when it was published. Whoever has an export compares its
         *     `generation` here and recomputes the digest.
         *
         *     **The canonical price part** is one line for each `item` record of the export whose `availability` is `available`,
         *     in ascending `item_id`:
         *
         *         {"item_id":N,"asks":[…],"bids":[…]}
         *
         *     and a line feed (U+000A) after each, the last included. Each line is JSON in UTF-8 without white space, the two
         *     lists as the export sends them: quotes in its order, their keys in the order `provider`, `amount`, `currency`,
         *     `minor_units`, `quantity`, `url`, `as_of`, every `as_of` null, nothing escaped that the export does not escape. It
         *     is what `JSON.stringify({ item_id, asks, bids })` makes of each parsed record. `items` counts these lines, `bytes`
         *     their UTF-8 bytes with line feeds, and `digest` is the SHA-256 over them. Names, phases, missing items and the
         *     records `start` and `end` are not part of it.
         *
         *     **The canonical identity part** is one line for each `item` record, missing ones too, in the same form and order:
         *
         *         {"item_id":N,"market_hash_name":"…","phase":…,"availability":"…"}
         *
         *     `identity_digest` is the SHA-256 over these lines with their line feeds, of the catalog as it is now: renames and
         *     unquoted items that come or go change it without a new generation. It is null for a generation that was superseded.
         *
         *     - Every complete export of one generation has this price part: a change of the catalog that takes a quoted item
         *       away, or brings one back, publishes a new generation, with the same quotes.
         *     - The generation that is published now is always known. An older one is known for 30 days after the next one was
         *       published; then, as for a lower number that never was one, the answer is `generation_not_found`. Generations that
         *       were superseded before digests were kept are not known either.
         *     - One that is newer than the server's own is `service_unavailable` at a server that follows signed releases, which can
         *       be behind (see `market_release` of `getStatus`): retry. At any other server it is `generation_not_found`, as after a
         *       restore.
         *     - `ingested_at` is when the generation was published, not when anything was observed.
         *
         *     Holds no prices. Paid plans, as the export; one monthly unit, also when the generation is not known.
         */
        get: operations["getGeneration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/indexes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the price indexes
         * @description All price indexes with their latest level, in ascending order of `index_id`, closed ones (`active: false`)
         *     included. An index is made of daily asks of one provider: observed offers, not completed sales. Where too few
         *     constituents have a price, or too few can be compared with the last day that has a value, `value` is null and
         *     not the last one that was known.
         *
         *     Pass `meta.next_page` unchanged as `after` until it is null. Paid plans; one monthly unit.
         */
        get: operations["listIndexes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/indexes/{index_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one price index with its latest level
         * @description Definition and latest level of one index under its current methodology. `value` is null when less than 90 % of
         *     the constituents had a price, or when less than half of the members had one both then and on the last day with a
         *     value (the floors of the methodology); it is then neither zero nor the last value that was known.
         *
         *     `meta.as_of` is the oldest source observation behind the level, null where any of them is unknown. Paid plans;
         *     one monthly unit, also when the index does not exist.
         */
        get: operations["getIndex"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/indexes/{index_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the daily levels of one price index
         * @description One row per UTC day for which a level was calculated, in ascending order of `date`. A day without a calculation,
         *     or on which no constituent had a price, has no row. Nothing is carried forward or interpolated.
         *
         *     - A row has `value: null` for one of two causes. Its `coverage_pct` is under 90: too few constituents had a price.
         *       Or, with enough of them, nothing links the day to the last one with a value: less than half of the members of
         *       that day, and less than half of those in force now, had a price on both days. Later days are then compared with
         *       that same day.
         *     - All rows of an answer are of one methodology: the current one, or the one that `methodology_version` names.
         *       Levels of different methodology versions are never merged; pass the version to keep a backfill stable. A
         *       version that no level of the index has, and that is not its current one, is refused with
         *       `unknown_methodology_version`.
         *     - A change of members is recorded as a new `membership_version` and never applied backwards. Levels are chained
         *       over it, so that the change alone moves nothing: the first level of the new members still moves with the prices
         *       of the old ones (with their own, if too few of those have a price), later ones with their own from that day on.
         *     - Without dates: the last 31 days, today included. `from` <= `to` <= today, at most 366 days. With `from` alone,
         *       `to` is 30 days later, but not after today; with `to` alone, `from` is 30 days earlier.
         *     - `meta.missing_points` counts, in the whole resolved window and the same on every page, the days that have
         *       begun and have no row, the current day included. A row with `value: null` is not missing.
         *     - Pass `meta.next_page` unchanged as `after` until it is null. The cursor remembers omitted filters and resolved
         *       dates; others are refused with `cursor_mismatch`. Later days are appended; a corrected level has a
         *       higher `revision`.
         *
         *     Paid plans; one monthly unit, also for an empty window and for an index that does not exist. Bad ranges and
         *     mismatched cursors are refused before any charge.
         */
        get: operations["getIndexHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/indexes/{index_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of one price index
         * @description The items of one membership version, in ascending order of `item_id`: the version of the latest level, or the
         *     one that `membership_version` names. Versions are recorded when they take effect and are never applied
         *     backwards. Items that have left the catalog stay listed.
         *
         *     A version that the index does not have is refused with `invalid_parameter`. Pass `meta.next_page` unchanged as
         *     `after` until it is null; the cursor remembers the version, another one is refused with `cursor_mismatch`. Paid
         *     plans; one monthly unit, also when the index does not exist.
         */
        get: operations["listIndexMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exchange-rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the latest exchange rates
         * @description The latest stored rate of each currency, in ascending order of `currency`. `rate_per_usd` is how many units of
         *     the currency one US dollar is; USD itself is listed as `"1"`, by definition and without times. A rate is the
         *     last that its source told: look at `as_of`, it may be days old. Nothing is fetched upstream. A currency without a
         *     rate for more than 30 days, while others of the same source go on, has ended: it is in its history alone.
         *
         *     Pass `meta.next_page` unchanged as `after` until it is null. With `currency` only that one is listed. Paid
         *     plans; one monthly unit, also when no source names the currency.
         */
        get: operations["listExchangeRates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exchange-rates/{currency}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the daily exchange rates of one currency
         * @description One row per UTC day for which a rate is stored, in ascending order of `date`. Nothing is carried forward or
         *     interpolated: a weekend or holiday without a rate has no row. An empty history says that no rate is stored, not
         *     that it is zero. The dollar is 1 by definition and has no history.
         *
         *     - All rows of a window are of one `source` and one `methodology_version`, also over several pages. Do not merge
         *       windows of different versions into one curve.
         *     - Without dates: the last 31 days, today included. `from` <= `to` <= today, at most 366 days. With `from` alone,
         *       `to` is 30 days later, but not after today; with `to` alone, `from` is 30 days earlier.
         *     - `meta.missing_points` counts, in the whole resolved window and the same on every page, the days that have
         *       begun and have no row, weekends and the current day included.
         *     - Pass `meta.next_page` unchanged as `after` until it is null. The cursor remembers resolved dates; others are
         *       refused with `cursor_mismatch`. Pages are no frozen export: late insertions may require rereading the window
         *       and deduplicating by `currency`, `date` and `source`.
         *
         *     Paid plans; one monthly unit, also for an empty window and for a currency that does not exist. Bad ranges and
         *     mismatched cursors are refused before any charge.
         */
        get: operations["getExchangeRateHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the containers with their current ROI calculation
         * @description All containers that are opened for a random item, with the current calculation of one valuation mode, in ascending
         *     order of `slug`. The whole catalog of containers is listed page by page, not a selection of the best. Retired pools
         *     are kept with `active: false`; other inactive containers, drafts and their calculations are hidden.
         *
         *     - `current` is null when nothing is published for the mode and the current methodology, such as when the price of
         *       the container itself is unknown there. Null is not zero ROI, and the other mode never stands in.
         *     - Values are modeled on observed asks: neither medians nor sales, nor a promise of what an opening gives or what
         *       its result sells for. The model is recalculated on a six-hour schedule, at 00, 06, 12 and 18 UTC; more frequent
         *       calls do not make it fresher.
         *     - `meta.as_of` is the oldest `price_as_of` of the calculations on the page, null where one of them is unknown or
         *       there is none. `meta.freshness` is `unknown` when it is null, else `stale` when one of them is stale.
         *
         *     Pass `meta.next_page` unchanged as `after` until it is null; the cursor remembers the mode, another one is refused
         *     with `cursor_mismatch`. Paid plans; one monthly unit.
         */
        get: operations["listOpenables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openables/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one container with its pool and its current ROI calculation
         * @description One container, the odds of its pool in force, and the current calculation of one valuation mode.
         *
         *     - `current` is null when nothing is published for the mode and the current methodology. Null is not zero ROI, and
         *       neither the other mode nor an older methodology stands in.
         *     - Expected value, profit and chance are null, while their bounds stay, when too little of the pool is priced: less
         *       than 95 % of all possible outcomes by probability, or less than 75 % of those of any tier. A bound that is null
         *       is unknown, not zero.
         *     - The two modes are valuation models of observed asks. They are no marketplaces, and neither promises what the
         *       result of an opening can be sold for.
         *     - The model is recalculated on a six-hour schedule; `stale` and `stale_reasons` are judged when answering.
         *     - `listOpenableOutcomes` tells every outcome with its odds and its value, so that anybody can recompute these
         *       numbers.
         *
         *     `meta.as_of` is `price_as_of` of the calculation; `meta.freshness` is `unknown` when it is null, else `stale` when
         *     the calculation is. Paid plans; one monthly unit, also when the container does not exist.
         */
        get: operations["getOpenable"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openables/{slug}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the ROI model said about one container over time
         * @description One row per UTC hour or day in which the model was calculated, its last run in it, in ascending order of `ts`. A run
         *     that finds the cost unknown writes none and leaves the one of an earlier run of the same hour or day standing. A row
         *     is a model snapshot: neither a sale nor a realized return.
         *
         *     - Only the asked granularity, mode and methodology are returned. Nothing falls back, is interpolated or filled in;
         *       a container without matching points has an empty history.
         *     - All rows of an answer are of one methodology: the one that `methodology_version` names, or that of the current
         *       calculation. Incompatible versions are never merged into one curve; pass the version to keep a backfill stable. A
         *       version other than the current one by which nothing was ever calculated for the container is refused with
         *       `unknown_methodology_version`.
         *     - Each row names the pool revision of its time. Revisions that were replaced or retired later stay readable.
         *     - Rows come from the current stored history, not from an immutable export: later reconstruction may revise them.
         *     - Without dates: the last 31 days, today included. `from` <= `to` <= today, at most 366 days. With `from` alone,
         *       `to` is 30 days later, but not after today; with `to` alone, `from` is 30 days earlier. A longer backfill uses
         *       consecutive windows, each finished by following `meta.next_page`.
         *     - `meta.missing_points` counts, in the whole resolved window and the same on every page, the days that have begun,
         *       or with `granularity=hour` the scheduled hours 00, 06, 12 and 18 UTC, that have no row. Scheduled hours that
         *       follow one another, 6 hours apart, are one range: `2026-01-14T00:00Z/2026-01-14T12:00Z` is three of them.
         *     - `meta.as_of` is the oldest `price_as_of` of the returned rows, null when one of them is unknown; it is fresh up to
         *       24 hours.
         *     - Pass `meta.next_page` unchanged as `after` until it is null. The cursor remembers omitted filters and resolved
         *       dates; others are refused with `cursor_mismatch`.
         *
         *     Paid plans; one monthly unit, also for an empty window and for a container that does not exist. Bad ranges and
         *     mismatched cursors are refused before any charge.
         */
        get: operations["getOpenableHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openables/{slug}/outcomes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every outcome of one container with its odds and its value
         * @description The ledger behind a calculation: each exact item that the pool names, its probability as a fraction, and the value
         *     that the current calculation of the mode took it for, in the order of the pool. With it anybody can recompute the
         *     published numbers. It is of the calculation in force and its pool revision, not of this moment: a newer quote or
         *     revision changes nothing here before the next run.
         *
         *     - An outcome is one exact item: wear, stat-counter variant and phase. There is no fallback to a bid, another phase,
         *       the other mode or a shared name; an outcome without an ask is `unpriced`, never worth zero.
         *     - When no calculation is published for the mode, every possible outcome is `unpriced`, without value or high.
         *     - `meta.as_of` is the oldest source time of the returned values, null where one of them is unknown or there is none;
         *       `meta.freshness` follows the stale rule of the calculation.
         *
         *     Pass `meta.next_page` unchanged as `after` until it is null; the cursor remembers the mode, another one is refused
         *     with `cursor_mismatch`, and so is a page of a revision that was replaced meanwhile. Pages are no frozen export: the
         *     values of a run between two pages show in the later ones. Paid plans; one monthly unit, also when the container
         *     does not exist.
         */
        get: operations["listOpenableOutcomes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the account has used and may still use
         * @description Plan, month, minute limit and export starts of the account that the calling key belongs to. All its keys,
         *     and pages that read for its owner, share one allowance. A purchase or a manual change of the plan does not reset the month.
         *
         *     Every valid key of any scope, all plans; costs no monthly unit but counts against the minute limit.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/portfolios": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the portfolios that this token may read
         * @description The portfolios that the owner selected for this personal token and that still belong to its account, in
         *     ascending order of `portfolio_id`. Deleted portfolios and those that went to another account are absent from the
         *     next request on; public sharing (`is_public`) adds none. No live prices: see `getPortfolioHistory` for daily
         *     values.
         *
         *     Pass `meta.next_page` unchanged as `after` until it is null. Personal tokens only, all plans; one monthly unit of
         *     the account, which all its keys share, also when no portfolio is left.
         */
        get: operations["listPortfolios"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/portfolios/{portfolio_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settings of one portfolio
         * @description Settings of one selected portfolio. All money of portfolios is integer US-dollar cents, whatever
         *     `display_currency` says; nothing is converted. Notes, account identifiers of external marketplaces and
         *     references of integrations are never returned.
         *
         *     An id that is unselected, another account's, deleted, shared with everybody, nonexistent or malformed is the same
         *     404 `portfolio_not_found`; selection and ownership are checked at each request. Personal tokens only, all plans;
         *     one monthly unit, also for that 404.
         */
        get: operations["getPortfolio"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/portfolios/{portfolio_id}/holdings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the inventory lots of one portfolio
         * @description The lots that the portfolio holds now, in ascending order of `holding_id`. Several lots may hold the same item.
         *     `unit_cost_cents` is what one unit cost in US-dollar cents: null is unknown, 0 is really free. Lots carry no price:
         *     portfolios are on the Free plan, today's prices are not.
         *
         *     Pass `meta.next_page` unchanged as `after` until it is null; a cursor of another portfolio or account is refused
         *     with `cursor_mismatch`. Personal tokens only, all plans; one monthly unit, also when the portfolio holds nothing
         *     and for a 404.
         */
        get: operations["listPortfolioHoldings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/portfolios/{portfolio_id}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the ledger rows of one portfolio
         * @description Rows of this owner's own ledger, in ascending order of `occurred_on` and `transaction_id`. They are not
         *     marketplace-wide sales and say nothing about what others paid. Money is in US-dollar cents as the owner recorded
         *     it; null is unknown, 0 is really nothing. A portfolio that is transferred takes its lots along and no ledger:
         *     rows stay those of the account that owned it when they were recorded, and are absent for every other one.
         *
         *     - Without dates: the last 31 days, today included. `from` <= `to` <= today, at most 366 days. With `from` alone,
         *       `to` is 30 days later, but not after today; with `to` alone, `from` is 30 days earlier. An empty list says that
         *       no row is recorded.
         *     - Pass `meta.next_page` unchanged as `after` until it is null. The cursor remembers resolved dates; others, another
         *       portfolio and another account are refused with `cursor_mismatch`. Pages are no frozen export: late insertions
         *       may require rereading the window and deduplicating by `transaction_id`.
         *
         *     Personal tokens only, all plans; one monthly unit, also for an empty window and for a 404. Bad ranges and
         *     mismatched cursors are refused before any charge.
         */
        get: operations["listPortfolioTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/portfolios/{portfolio_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the daily values of one portfolio
         * @description One row per UTC day for which a valuation is stored, in ascending order of `date`: what the lots of that day were
         *     worth at daily asks of one provider, observed offers and not completed sales. The current day has no row yet, and
         *     a day without lots never gets one. Nothing is carried forward or interpolated, and an empty history is not a value
         *     of zero. Rows that were recorded while another account owned the portfolio are absent.
         *
         *     - A change of value is no return: money that was put in or taken out moves it too. This is no time-weighted and no
         *       money-weighted return (no TWR, no IRR), and neither can be had from these rows alone.
         *     - Lots without a stored price of the day are left out of `value_cents` and counted in `unpriced_holding_count`;
         *       `complete` is then false. `value_cents` is null when no lot had a price, never 0 for an unknown.
         *     - `value_cents` and `cost_basis_cents` are sums over different lots where prices or costs are unknown. Subtract
         *       `compared_cost_cents` from `compared_value_cents`: both are over the lots that have a price and a known cost.
         *     - `price_source` is the provider whose daily asks were used, or `lowest-ask` if each lot has the lowest ask of all
         *       providers; `price_providers` then lists them. Null is an unknown source of rows that are older than this record
         *       of it. On the Free plan all values are those at the main platform, whatever the portfolio's own
         *       provider. Days without a value at it are absent and count in `missing_points`: all days, if the server has no feed of
         *       the main platform.
         *     - A day whose prices are corrected is valued again by the next daily job, which moves `recorded_at`. A day whose
         *       lots were changed after it was valued keeps its value.
         *     - Money is in US-dollar cents, whatever the portfolio's `display_currency`.
         *     - Without dates: the last 31 days, today included. `from` <= `to` <= today, at most 366 days. With `from` alone,
         *       `to` is 30 days later, but not after today; with `to` alone, `from` is 30 days earlier.
         *     - `meta.missing_points` counts, in the whole resolved window and the same on every page, the days that have
         *       begun and have no row, the current day included. A row with `value_cents: null` is not missing.
         *     - `meta.as_of` is the oldest `price_as_of` of the returned rows that have a value, and null when any of these has
         *       none. Without a value on the page it is null too and `meta.timestamp_quality` is `unknown`.
         *     - Pass `meta.next_page` unchanged as `after` until it is null. The cursor remembers resolved dates; others, another
         *       portfolio and another account are refused with `cursor_mismatch`. Late insertions may require rereading the
         *       window and deduplicating by `date`.
         *
         *     Personal tokens only, all plans; one monthly unit, also for an empty window and for a 404. Bad ranges and
         *     mismatched cursors are refused before any charge.
         */
        get: operations["getPortfolioHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description Diagnostic identifier of a request, made by the server; the same as the header `X-Request-Id`.
         * @example req_0mkfedmo00000001demodemo00
         */
        RequestId: string;
        /** @description Answer of `getStatus`. */
        StatusEnvelope: {
            data: components["schemas"]["Status"];
            meta: components["schemas"]["Meta"];
        };
        /** @description Availability of local data sets only; not a promise of full catalog or historical coverage. */
        Status: {
            database: components["schemas"]["DatabaseState"];
            market_snapshot: components["schemas"]["MarketSnapshotState"];
            /** @description Version of the running program, with its build where known. */
            release: string;
            contract_revision: components["schemas"]["ContractRevision"];
            /** @description The sources of the quotes, by name. Empty also when the database cannot be read. */
            feeds: components["schemas"]["FeedStatus"][];
            /** @description The release that is answered from; null where the market is the server's own. */
            market_release: components["schemas"]["MarketRelease"] | null;
        };
        /**
         * @description Whether the local database can be read.
         * @enum {string}
         */
        DatabaseState: "ok" | "unavailable";
        /**
         * @description `available`: a generation of quotes is published. `missing`: none is. `stale`: one is, but no feed was verified
         *     for 24 hours. It looks at the feed that was verified last; `feeds` tells of each.
         * @enum {string}
         */
        MarketSnapshotState: "available" | "missing" | "stale";
        /**
         * Format: date
         * @description A revision of this document, the UTC day at `info.x-itemtape-revision`.
         * @example 2026-11-30
         */
        ContractRevision: string;
        /** @description One source of quotes, which covers one or more providers. */
        FeedStatus: {
            /** @description Name of the feed. */
            feed: string;
            state: components["schemas"]["FeedState"];
            /**
             * Format: date-time
             * @description When the feed was last verified; null if never.
             */
            last_checked_at: string | null;
            /**
             * Format: date-time
             * @description When quotes of the feed were last published; null if never.
             */
            last_ingested_at: string | null;
            /**
             * Format: date-time
             * @description When the source says that it saved its latest body; null if it does not say.
             */
            source_saved_at: string | null;
            /**
             * Format: date-time
             * @description When the source last said something new; null if never. Far before `last_checked_at`, the source stands still.
             */
            unchanged_since: string | null;
            /**
             * Format: date-time
             * @description Until when the prices of a new source count as unconfirmed, because no other source could be compared with them, or the operator accepted that others are far from them; null if another source confirms them, and after seven days.
             */
            unconfirmed_until: string | null;
        };
        /**
         * @description `available`: quotes of the feed are published, and it was verified within 24 hours. `stale`: it was not, but its
         *     quotes are still in reads and exports. `dropped`: the operator took them out; the next body that is accepted brings
         *     them back. `missing`: it never published a quote.
         */
        FeedState: "available" | "stale" | "dropped" | "missing";
        /** @description A signed release of the market. */
        MarketRelease: {
            /**
             * Format: int64
             * @description Number of the release; a later one has a higher number.
             */
            number: number;
            /** @description The generation in it; null if none was published. */
            generation: components["schemas"]["Generation"] | null;
            /**
             * Format: date-time
             * @description When its publisher sealed it.
             */
            sealed_at: string;
            state: components["schemas"]["MarketReleaseState"];
            /**
             * Format: date-time
             * @description When it was last found to be the newest of its publisher; null if not since this server started.
             */
            checked_at: string | null;
        };
        /**
         * @description Names one published state of the whole price cache. Opaque: compare it for equality only.
         * @example g1
         */
        Generation: string;
        /**
         * @description `available`: the newest release that was found is served. `failing`: the source of releases could not be read, or its
         *     newest release was refused; this one is served on. `stale`: this one is older than the operator allows, by default 24
         *     hours; it is served on, whatever else holds.
         * @enum {string}
         */
        MarketReleaseState: "available" | "failing" | "stale";
        /** @description About the answer. */
        Meta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
        };
        /**
         * Format: date-time
         * @description When this answer was made. Never a price time.
         * @example 2026-01-15T12:00:00.000Z
         */
        GeneratedAt: string;
        /** @description Every error is this record. Retry 429 and 503 only. */
        Problem: {
            /**
             * Format: uri-reference
             * @description `/problems/{code}`, a page of this server that explains cause and fix.
             */
            type: string;
            /** @description The code in words; the same for every occurrence. */
            title: string;
            /**
             * Format: int32
             * @description The HTTP status of this answer.
             */
            status: number;
            /** @description What is wrong with this request. A parameter is named as in ``query parameter `limit`: must be <= 100``. */
            detail?: string;
            code: components["schemas"]["ErrorCode"];
            /** @description Diagnostic identifier of this request; the same as the header `X-Request-Id`. */
            request_id: string;
        };
        /**
         * @description The error codes, an open list: read an unknown code by its `status`. Each is explained at `/problems/{code}`.
         *
         *     400: `malformed_request` (not valid HTTP or URL), `invalid_parameter` (type, bound, enum, unknown or repeated),
         *     `invalid_body` (also repeated batch ids), `invalid_range`, `window_too_large`, `batch_limit_exceeded`,
         *     `invalid_cursor`, `cursor_mismatch` (a valid cursor with other filters), `unknown_provider`,
         *     `unknown_methodology_version`, `credential_in_url`. 401: `invalid_api_key`, `expired_api_key`,
         *     `revoked_api_key`. 403: `plan_upgrade_required` (a paid plan is needed), `insufficient_scope`,
         *     `account_disabled`. 404: `item_not_found`, `openable_not_found`, `index_not_found`, `currency_not_found`,
         *     `portfolio_not_found`, `generation_not_found`, `changes_too_large`, `day_not_found`, `endpoint_not_found` (also a wrong method). 413:
         *     `request_too_large`. 429: `rate_limited`, `monthly_quota_exceeded`, `snapshot_busy`, `snapshot_capacity`,
         *     `snapshot_daily_limit`, `changes_busy`, `changes_capacity`, `waiting_limit`. 503:
         *     `snapshot_unavailable`, `data_unavailable`, `service_unavailable`.
         */
        ErrorCode: "malformed_request" | "invalid_parameter" | "invalid_body" | "invalid_range" | "window_too_large" | "batch_limit_exceeded" | "invalid_cursor" | "cursor_mismatch" | "unknown_provider" | "unknown_methodology_version" | "credential_in_url" | "invalid_api_key" | "expired_api_key" | "revoked_api_key" | "plan_upgrade_required" | "insufficient_scope" | "account_disabled" | "item_not_found" | "openable_not_found" | "index_not_found" | "currency_not_found" | "portfolio_not_found" | "generation_not_found" | "changes_too_large" | "day_not_found" | "endpoint_not_found" | "request_too_large" | "rate_limited" | "monthly_quota_exceeded" | "snapshot_busy" | "snapshot_capacity" | "snapshot_daily_limit" | "changes_busy" | "changes_capacity" | "waiting_limit" | "snapshot_unavailable" | "data_unavailable" | "service_unavailable";
        /** @description Opaque position in a list. */
        PageCursor: string;
        /** @description Answer of `listContractChanges`. */
        ContractChangeListEnvelope: {
            /** @description In descending order of `change_id`. */
            data: components["schemas"]["ContractChange"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description One change of this document. */
        ContractChange: {
            /**
             * Format: int32
             * @description Number of the change, ascending in time.
             */
            change_id: number;
            /**
             * Format: date
             * @description The UTC day of the change.
             */
            date: string;
            revision: components["schemas"]["ContractRevision"];
            /** @description The `info.version` of the document that brought the change. */
            contract_version: string;
            kind: components["schemas"]["ContractChangeKind"];
            /** @description The operations that the change touches. Empty when it concerns the whole document. */
            operations: components["schemas"]["OperationName"][];
            /** @description What changed, in words. */
            summary: string;
        };
        /**
         * @description `breaking`: a client that was right before may fail or misread. `additive`: there is more than before, and what was
         *     there stays. `wording`: the same contract, said better.
         * @enum {string}
         */
        ContractChangeKind: "breaking" | "additive" | "wording";
        /**
         * @description An `operationId` of this document, or of an operation that was removed.
         * @example getItem
         */
        OperationName: string;
        /** @description About the answer, with the position of the next page. */
        PageMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            /** @description Pass it unchanged as `after`. Null on the last page. */
            next_page: components["schemas"]["PageCursor"] | null;
        };
        /** @description Answer of `listProviders`. */
        ProviderListEnvelope: {
            /** @description In ascending order of `provider`. */
            data: components["schemas"]["Provider"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description A marketplace whose quotes are or were stored. */
        Provider: {
            provider: components["schemas"]["ProviderSlug"];
            /** @description Name for display. */
            name: string;
            kind: components["schemas"]["ProviderKind"];
            /** @description Whether its feed tells sellers' offers. */
            has_asks: boolean;
            /** @description Whether its feed tells buy orders. */
            has_bids: boolean;
            /** @description False when its feed is no longer read, or no longer has quotes of it; its history stays. */
            active: boolean;
            /** @description Dearest ask that the marketplace lists at all, in US-dollar cents. What costs more is missing there, not cheap. Null when it has no such limit. */
            price_ceiling_cents: components["schemas"]["Cents"] | null;
            /** @description Last successful verification of its feed, changed or not, also when the feed no longer has quotes of it. Not a quote time. Null when there was none. */
            last_checked_at: components["schemas"]["Timestamp"] | null;
            /** @description When data of its feed was last published here. Not a quote time. It stands still while the source says the same. Null when none ever was. */
            last_ingested_at: components["schemas"]["Timestamp"] | null;
            /** @description When the source says that it saved the latest body of its feed. Not a quote time. Null if it does not say. */
            source_saved_at: components["schemas"]["Timestamp"] | null;
            /** @description When the source of its feed last said something new; null if never. Far before `last_checked_at`, the source stands still. */
            unchanged_since: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description Exact slug of a marketplace, see `listProviders`.
         * @example steam
         */
        ProviderSlug: string;
        /**
         * @description `main_platform`: the game's own market. `cash`: a marketplace that pays out money. `trade`: one that trades
         *     items for items or credit.
         */
        ProviderKind: "main_platform" | "cash" | "trade";
        /**
         * Format: int64
         * @description Money in integer US-dollar cents. Never zero for "unknown".
         * @example 12345
         */
        Cents: number;
        /**
         * Format: date-time
         * @description RFC 3339 in UTC, with milliseconds and `Z`.
         * @example 2026-01-15T12:00:00.000Z
         */
        Timestamp: string;
        /**
         * Format: int32
         * @description Stable identifier of one exact variant: wear, stat-counter and souvenir variants and paint phases each have
         *     their own. Never reused.
         * @example 661
         */
        ItemId: number;
        /** @description Answer of `listItems`. */
        ItemListEnvelope: {
            /** @description In ascending `item_id`. */
            data: components["schemas"]["CatalogItem"][];
            meta: components["schemas"]["ItemPageMeta"];
        };
        /** @description An item as lists show it. A field that is not known is null. */
        CatalogItem: {
            item_id: components["schemas"]["ItemId"];
            market_hash_name: components["schemas"]["MarketHashName"];
            slug: components["schemas"]["ItemSlug"];
            /** @description Kind of item, such as a weapon, knife, sticker or container. */
            type: string | null;
            /** @description Rarity grade in words. */
            rarity: string | null;
            /** @description Collection that the item belongs to. */
            collection: string | null;
            /** @description Exact paint phase; null for items without phases and for unphased identities. */
            phase: components["schemas"]["PaintPhase"] | null;
            /** @description Russian name. */
            name_ru: string | null;
            /** @description Address of a picture. */
            image_url: components["schemas"]["HttpsUrl"] | null;
            /** @description Wear in words, such as `Factory New`; null for items without wear. */
            wear: string | null;
            /** @description Whether this is the stat-counter variant. */
            stat_counter: boolean | null;
            /** @description Whether this is the souvenir variant. */
            souvenir: boolean | null;
            /**
             * @description Lowest cached ask over all providers, in US-dollar cents: an observed offer, not a sale. Null on the Free
             *     plan and when there is no ask.
             */
            best_ask_cents: components["schemas"]["Cents"] | null;
            /** @description Provider of that ask. Null when `best_ask_cents` is. */
            best_ask_provider: components["schemas"]["ProviderSlug"] | null;
            /**
             * @description When this ask was first seen here at this amount: when its source saved the state that brought it, if that is
             *     known, else when the poll that brought it was answered. Never later than its publication, and not the time of
             *     the offer. Null when `best_ask_cents` is.
             */
            price_updated_at: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description Name as the main platform writes it. May be shared by several phases; never merge items by it.
         * @example ★ Karambit | Doppler (Factory New)
         */
        MarketHashName: string;
        /**
         * @description Readable short form of the name. May be shared by several items; it identifies none.
         * @example glock-18-fade-factory-new
         */
        ItemSlug: string;
        /**
         * @description Exact paint phase: one of `Phase 1` to `Phase 4`, `Ruby`, `Sapphire`, `Black Pearl`, `Emerald`.
         * @example Phase 2
         */
        PaintPhase: string;
        /**
         * Format: uri
         * @description An https address. It is passed on as stored and never fetched by this service.
         * @example https://example.com/items/1
         */
        HttpsUrl: string;
        /** @description About the answer, with the position of the next page. */
        ItemPageMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            /**
             * Format: int32
             * @description The last `item_id` of this page; pass it as `cursor`. Null on the last page.
             */
            next_cursor: number | null;
            /**
             * @description The search that was made because no item has all words of `q`: a mistyped word is replaced by the nearest one.
             *     Null if `q` was searched for as it is.
             * @example karambit doppler
             */
            read_as: string | null;
        };
        /** @description The names to look for. */
        ResolveNamesRequest: {
            /** @description 1 to 100 different names, each a whole `market_hash_name`. */
            names: components["schemas"]["AskedItemName"][];
        };
        /**
         * @description The name as the request says it.
         * @example ★ Karambit | Doppler (Factory New)
         */
        AskedItemName: string;
        /** @description Answer of `resolveItemNames`. */
        ResolvedNameListEnvelope: {
            /** @description One entry for each requested name, in the order of the request. */
            data: components["schemas"]["ResolvedName"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description All items that have one requested name. */
        ResolvedName: {
            name: components["schemas"]["AskedItemName"];
            /** @description True when there is more than one candidate, so that the name does not say which item is meant. */
            ambiguous: boolean;
            /** @description In ascending `item_id`. Empty when no item has the name. */
            candidates: components["schemas"]["ItemCandidate"][];
        };
        /** @description An item that has the name. */
        ItemCandidate: {
            item_id: components["schemas"]["ItemId"];
            /** @description Exact paint phase; null for items without phases and for unphased identities. */
            phase: components["schemas"]["PaintPhase"] | null;
            identity: components["schemas"]["ItemIdentity"];
            /** @description False when the item has left the catalog and is kept only for its history. */
            in_catalog: boolean;
        };
        /**
         * @description `exact`: one exact variant. `unphased`: stands for a phased finish as sources see it that do not tell phases
         *     apart; it is an item of its own and never a substitute for one of the phases.
         * @enum {string}
         */
        ItemIdentity: "exact" | "unphased";
        /** @description Answer of `getItem`. */
        ItemEnvelope: {
            data: components["schemas"]["ItemDetail"];
            meta: components["schemas"]["Meta"];
        };
        /** @description Locally stored catalog metadata of one item. Holds no prices. A field that is not known is null. */
        ItemDetail: {
            item_id: components["schemas"]["ItemId"];
            market_hash_name: components["schemas"]["MarketHashName"];
            slug: components["schemas"]["ItemSlug"];
            /** @description Kind of item, such as a weapon, knife, sticker or container. */
            type: string | null;
            /** @description Rarity grade in words. */
            rarity: string | null;
            /** @description Collection that the item belongs to. */
            collection: string | null;
            /** @description Exact paint phase; null for items without phases and for unphased identities. */
            phase: components["schemas"]["PaintPhase"] | null;
            /** @description Russian name. */
            name_ru: string | null;
            /** @description Address of a picture. */
            image_url: components["schemas"]["HttpsUrl"] | null;
            /** @description Wear in words, such as `Factory New`; null for items without wear. */
            wear: string | null;
            /** @description Whether this is the stat-counter variant. */
            stat_counter: boolean | null;
            /** @description Whether this is the souvenir variant. */
            souvenir: boolean | null;
            /** @description Lower bound of the finish's wear value. */
            wear_min: components["schemas"]["WearBound"] | null;
            /** @description Upper bound of the finish's wear value. */
            wear_max: components["schemas"]["WearBound"] | null;
            /** @description Other items with the same `market_hash_name`, at most 50, in ascending order. */
            shares_name_with: components["schemas"]["ItemId"][];
            identity: components["schemas"]["ItemIdentity"];
            /** @description Slug of the container that this item is, for `getOpenable`; null when it is none that the service shows. */
            openable_slug: components["schemas"]["OpenableSlug"] | null;
            /** @description False when the item has left the catalog and is kept only for its history. */
            in_catalog: boolean;
            /**
             * Format: date-time
             * @description When the item was first imported.
             */
            first_seen_at: string;
            /** @description When an import last changed its metadata; null when none ever did. */
            updated_at: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description Decimal number as a string, never with an exponent.
         * @example 0.07
         */
        WearBound: string;
        /**
         * @description Exact slug of a container, see `listOpenables`. Identifies one; the container's item may have another slug.
         * @example kilowatt-case
         */
        OpenableSlug: string;
        /** @description Answer of `getMarketPrices`. */
        MarketPricesEnvelope: {
            data: components["schemas"]["MarketPrices"];
            meta: components["schemas"]["QuoteMeta"];
        };
        /** @description Cached quotes of one item in one generation. */
        MarketPrices: {
            item_id: components["schemas"]["ItemId"];
            market_hash_name: components["schemas"]["MarketHashName"];
            /** @description Exact paint phase; there is no fallback to an unphased item. */
            phase: components["schemas"]["PaintPhase"] | null;
            availability: components["schemas"]["Availability"];
            generation: components["schemas"]["Generation"];
            ingested_at: components["schemas"]["IngestedAt"];
            /** @description Sellers' offers in no promised order; sort ascending by `amount` yourself. */
            asks: components["schemas"]["Quote"][];
            /** @description Buy orders in no promised order; sort descending by `amount` yourself. Never a substitute for asks. */
            bids: components["schemas"]["Quote"][];
        };
        /**
         * @description `available`: the cache holds at least one quote of this exact item, on either side. `missing`: it holds none;
         *     both lists are empty. Filters of a request do not change it. There is no fallback to an unphased item or another
         *     side.
         * @enum {string}
         */
        Availability: "available" | "missing";
        /**
         * Format: date-time
         * @description When this generation of the price cache was published. Not an observation time.
         * @example 2026-01-15T11:50:00.000Z
         */
        IngestedAt: string;
        /** @description One cached offer or order. It was observed; it is not a completed sale. */
        Quote: {
            provider: components["schemas"]["ProviderSlug"];
            amount: components["schemas"]["Cents"];
            /**
             * @description Always US dollars.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of `amount`: cents.
             * @constant
             * @enum {integer}
             */
            minor_units: 2;
            /** @description How many units are offered or wanted at this amount; null when the source does not say. */
            quantity: components["schemas"]["Quantity"] | null;
            /** @description Page of the item at the provider, where known. */
            url: components["schemas"]["HttpsUrl"] | null;
            /** @description When the source observed this quote; null (unknown) when the source did not say. */
            as_of: components["schemas"]["Timestamp"] | null;
        };
        /**
         * Format: int64
         * @description How many units are offered or wanted at this amount.
         * @example 3
         */
        Quantity: number;
        /** @description About the answer and the times behind its quotes. */
        QuoteMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            /** @description Oldest source observation among the returned quotes; null (unknown) when any of them has none. */
            as_of: components["schemas"]["Timestamp"] | null;
            freshness: components["schemas"]["Freshness"];
            /**
             * @description Whether the source was successfully verified (new data, or its word that nothing changed) within the last 15
             *     minutes. A saved file that an operator imports is verified when the source saved it. It describes the cache and
             *     is no sign of a new marketplace quote.
             */
            cache_recently_checked: boolean;
            timestamp_quality: components["schemas"]["TimestampQuality"];
        };
        /**
         * @description `unknown` when `as_of` is null, else by the age of `as_of`: `fresh` up to 30 minutes for quotes and hourly rows,
         *     36 hours for exchange rates, 48 hours for daily rows, indexes and daily values of portfolios, 24 hours for rows of
         *     ROI history, then `stale`. A ROI calculation has a rule of its own, its `stale`. The time of import or of a check
         *     never turns unknown into fresh.
         * @enum {string}
         */
        Freshness: "unknown" | "fresh" | "stale";
        /**
         * @description `source_observed`: every returned value carries its source's time. `partial`: some do, or the source tells the day
         *     and not the time. `ingest_only`: none does, only the time of publication is known. `unknown`: nothing is returned or
         *     no time is known.
         * @enum {string}
         */
        TimestampQuality: "source_observed" | "partial" | "ingest_only" | "unknown";
        /**
         * @description `ask`: sellers' offers. `bid`: buy orders. There is no fallback between the two.
         * @default ask
         * @enum {string}
         */
        SelectedSide: "ask" | "bid";
        /**
         * Format: date
         * @description A UTC day as `YYYY-MM-DD`.
         */
        UtcDate: string;
        /** @description Answer of `getDailyPriceHistory`. */
        DailyPriceHistoryEnvelope: {
            /** @description In ascending order of `date`, then `provider`. Empty when nothing was observed. */
            data: components["schemas"]["DailyPrice"][];
            meta: components["schemas"]["DailySeriesMeta"];
        };
        /**
         * @description What one item cost at one provider on one UTC day. A day without a stored observation has no row. Amounts are
         *     observed offers or orders, not completed sales.
         */
        DailyPrice: {
            /**
             * Format: date
             * @description The UTC day.
             */
            date: string;
            provider: components["schemas"]["ProviderSlug"];
            side: components["schemas"]["QuoteSide"];
            /**
             * Format: int64
             * @description USD cents of the last stored observation of the day. Not a median and not a sale.
             */
            amount: number;
            /**
             * Format: int64
             * @description USD cents of the lowest stored observation of the day.
             */
            low_amount: number;
            /**
             * Format: int64
             * @description USD cents of the highest stored observation of the day.
             */
            high_amount: number;
            /**
             * Format: int32
             * @description Stored observations of the day that the row is made of; of recorded frames, their hours.
             */
            observations: number;
            /** @description Units offered or wanted at the last observation; null when the source does not say. */
            quantity: components["schemas"]["Quantity"] | null;
            /**
             * @description Always US dollars.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of `amount`: cents.
             * @constant
             * @enum {integer}
             */
            minor_units: 2;
            /**
             * @description Not a feed of sales.
             * @constant
             * @enum {string}
             */
            kind: "daily_cached_quote";
            /** @description False only for the current UTC day, whose row still changes. */
            complete: boolean;
            /** @description When the source observed the last quote; null (unknown) when the source did not say. */
            source_observed_at: components["schemas"]["Timestamp"] | null;
            /**
             * Format: date-time
             * @description When the row last changed. A frame that comes late for the day moves it if the frame has the price. Not an observation time.
             */
            recorded_at: string;
        };
        /**
         * @description `ask`: sellers' offers. `bid`: buy orders. There is no fallback between the two.
         * @enum {string}
         */
        QuoteSide: "ask" | "bid";
        /** @description About the answer, its window, its gaps and the times behind its rows. */
        DailySeriesMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            from: components["schemas"]["UtcDate"];
            to: components["schemas"]["UtcDate"];
            resolution: components["schemas"]["SeriesResolutionDay"];
            missing_points: components["schemas"]["MissingPoints"];
            /** @description Pass it unchanged as `after`. Null on the last page. */
            next_page: components["schemas"]["PageCursor"] | null;
            /** @description Oldest source observation among the returned rows; null (unknown) when any of them has none. */
            as_of: components["schemas"]["Timestamp"] | null;
            freshness: components["schemas"]["Freshness"];
            timestamp_quality: components["schemas"]["TimestampQuality"];
        };
        /**
         * @description One row stands for a UTC day.
         * @constant
         * @enum {string}
         */
        SeriesResolutionDay: "day";
        /**
         * @description Points of the whole resolved window that have begun at the request and have no row, the running one included; the
         *     same on every page. `none`, or such as `4 of 30 days absent: 2025-12-20, 2025-12-27/2025-12-29`, for hours such as `2 of 24
         *     hours absent: 2026-01-14T05:00Z/2026-01-14T06:00Z`: at most 20 ranges, then `, +k more`. Of ROI history only the
         *     hours for which the model is scheduled count, every sixth, and a range goes in their steps: `3 of 4 hours absent:
         *     2026-01-14T06:00Z/2026-01-14T18:00Z`. Hours that were recorded and that the operator of the server has removed since
         *     have no row either, and their days follow: `…; recorded and since removed: 2026-01-01/2026-01-10`, at most 5 ranges.
         *     So do hours with a frame that the operator took back because it was wrong: `…; retracted: 2026-01-14T05:00Z`, at most
         *     5 ranges, or one after removed days.
         *     A missing point is not a zero.
         * @example none
         * @example 3 of 30 days absent: 2025-12-20, 2025-12-28/2025-12-29
         */
        MissingPoints: string;
        /** @description Answer of `getHourlyPriceHistory`. */
        HourlyPriceHistoryEnvelope: {
            /** @description In ascending order of `ts`, then `provider`, markers first. Empty when nothing was recorded. */
            data: components["schemas"]["HourlyPrice"][];
            meta: components["schemas"]["HourlySeriesMeta"];
        };
        /**
         * @description The cached quote of one item, side and provider in the first verified frame of one UTC hour, or a marker that
         *     says why there is none. An hour with no recorded frame has no row.
         */
        HourlyPrice: {
            /**
             * Format: date-time
             * @description First instant of the UTC hour. Not an observation time.
             */
            ts: string;
            /**
             * @description Null marks an hour in which no provider has a quote on the side; such rows come only without a provider
             *     filter. With one, every row keeps the requested name.
             */
            provider: components["schemas"]["ProviderSlug"] | null;
            side: components["schemas"]["QuoteSide"];
            /** @description USD cents; null when nothing is quoted, never zero. */
            amount: components["schemas"]["Cents"] | null;
            /** @description Units offered or wanted at this amount; null when unknown. */
            quantity: components["schemas"]["Quantity"] | null;
            /**
             * @description Always US dollars.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of `amount`: cents.
             * @constant
             * @enum {integer}
             */
            minor_units: 2;
            /**
             * @description Not a feed of sales.
             * @constant
             * @enum {string}
             */
            kind: "hourly_cached_quote";
            availability: components["schemas"]["HourlyAvailability"];
            /**
             * Format: date-time
             * @description When the mirror published this state. Where its publication was held back because the last one was so recent, and for a saved file that came too late to be published, when the state was taken in. Of a marker without provider, the latest of the hour's frames. Not an observation time.
             */
            ingested_at: string;
            /**
             * Format: date-time
             * @description When this state was successfully verified in the hour, by a new body or by the source's word that nothing changed (304); of a saved file that was imported later, when the source saved it. Of a marker without provider, the latest of the hour's frames.
             */
            checked_at: string;
            /**
             * Format: date-time
             * @description When the frame was stored here. Later than the hour for a saved file that was imported later. Of a marker without provider, the latest of the hour's frames.
             */
            recorded_at: string;
            /** @description When the source observed this quote; null (unknown) when the feed gives no real quote time. */
            source_observed_at: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description `quoted`: a stored price exists for this provider and side. `item_missing`: a frame was recorded but this exact
         *     item or phase was absent from its feed; without a provider filter, from all frames of the hour. `no_quote`: the
         *     item was present but had no quote for the selection. An item is present, too, where the feed has its name but the
         *     price could not be read, where several items share the name, and where the catalog got the item only later.
         * @enum {string}
         */
        HourlyAvailability: "quoted" | "item_missing" | "no_quote";
        /** @description About the answer, its window, its gaps and the times behind its rows. */
        HourlySeriesMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            from: components["schemas"]["UtcDate"];
            to: components["schemas"]["UtcDate"];
            resolution: components["schemas"]["SeriesResolutionHour"];
            missing_points: components["schemas"]["MissingPoints"];
            /** @description Pass it unchanged as `after`. Null on the last page. */
            next_page: components["schemas"]["PageCursor"] | null;
            /** @description Oldest source observation among the returned prices; null (unknown) when any of them has none. */
            as_of: components["schemas"]["Timestamp"] | null;
            freshness: components["schemas"]["Freshness"];
            timestamp_quality: components["schemas"]["TimestampQuality"];
        };
        /**
         * @description One row stands for a UTC hour.
         * @constant
         * @enum {string}
         */
        SeriesResolutionHour: "hour";
        /** @description Answer of `listHistoryDays`. */
        HistoryDayListEnvelope: {
            /** @description Newest day first, then newest revision. */
            data: components["schemas"]["HistoryDay"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description One revision of a sealed day. Rows, bytes and digests are of the lines between `start` and `end` of its export. */
        HistoryDay: {
            date: components["schemas"]["UtcDate"];
            revision: components["schemas"]["DayRevision"];
            condition: components["schemas"]["DayCondition"];
            /** @description The feeds with a frame on the day or in the 30 days before it, by name. */
            feeds: components["schemas"]["FeedHours"][];
            /**
             * Format: int64
             * @description Daily rows.
             */
            rows: number;
            /**
             * Format: int64
             * @description Bytes of their lines.
             */
            bytes: number;
            digest: components["schemas"]["Sha256Digest"];
            /**
             * @description `pruned`: the hours were removed from the server.
             * @enum {string}
             */
            hourly: "available" | "pruned";
            /**
             * Format: int64
             * @description Lines of the hourly export; null where its hours were removed before the day was sealed.
             */
            hourly_rows: number | null;
            /**
             * Format: int64
             * @description Bytes of these lines.
             */
            hourly_bytes: number | null;
            /** @description Digest of these lines. */
            hourly_digest: components["schemas"]["Sha256Digest"] | null;
            sealed_at: components["schemas"]["Timestamp"];
            /** @description When the next revision was sealed; null for the last one. */
            superseded_at: components["schemas"]["Timestamp"] | null;
        };
        /**
         * Format: int32
         * @description Counts how often the day was sealed.
         */
        DayRevision: number;
        /**
         * @description `complete`: each feed has a frame in each of the 24 hours. `partial`: some hours lack one. `empty`: there is none;
         *     daily rows may have been imported.
         * @enum {string}
         */
        DayCondition: "complete" | "partial" | "empty";
        /** @description How much of a day a feed was recorded. */
        FeedHours: {
            feed: components["schemas"]["FeedName"];
            /**
             * Format: int32
             * @description Hours with a frame.
             */
            hours: number;
        };
        /** @description Name of a source of quotes. */
        FeedName: string;
        /** @description A SHA-256 in lowercase hexadecimal digits. */
        Sha256Digest: string;
        /** @description What to export of the day. */
        DayExportRequest: {
            resolution: components["schemas"]["DayResolution"];
        };
        /**
         * @description `daily`: a line per daily row. `hourly`: the cached quotes by hour, folded.
         * @enum {string}
         */
        DayResolution: "daily" | "hourly";
        /** @description One line of the export of a day. */
        DayExportRecord: components["schemas"]["DayExportStart"] | components["schemas"]["DayDaily"] | components["schemas"]["DayQuotes"] | components["schemas"]["DayMarkers"] | components["schemas"]["DayExportEnd"] | components["schemas"]["SnapshotError"];
        /** @description The first record, exactly once. */
        DayExportStart: {
            /**
             * @description Kind of record. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "start";
            request_id: components["schemas"]["RequestId"];
            date: components["schemas"]["UtcDate"];
            revision: components["schemas"]["DayRevision"];
            resolution: components["schemas"]["DayResolution"];
            generated_at: components["schemas"]["Timestamp"];
            sealed_at: components["schemas"]["Timestamp"];
            /**
             * @description Always US dollars.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of amounts: cents.
             * @constant
             * @enum {integer}
             */
            minor_units: 2;
            /** @description Null where everything is sent; then the digest is the listed one. */
            selection: components["schemas"]["DaySelection"] | null;
            /** @description The frames of the day by feed; empty in a daily export. */
            frames: components["schemas"]["DayFrames"][];
        };
        /** @description The only rows that are sent. */
        DaySelection: {
            provider: components["schemas"]["ProviderSlug"];
            side: components["schemas"]["QuoteSide"];
        };
        /** @description The frames of one feed; parallel arrays. */
        DayFrames: {
            feed: components["schemas"]["FeedName"];
            /** @description Hours with a frame. */
            hours: components["schemas"]["HourOfDay"][];
            /** @description Mirror publication times. */
            ingested_at: components["schemas"]["Timestamp"][];
            /** @description Times of the successful verification. */
            checked_at: components["schemas"]["Timestamp"][];
            /** @description When the frames were stored. */
            recorded_at: components["schemas"]["Timestamp"][];
        };
        /**
         * Format: int32
         * @description Hour of a UTC day.
         */
        HourOfDay: number;
        /** @description One daily row. */
        DayDaily: {
            /**
             * @description Kind of record. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "daily";
            data: components["schemas"]["DayDailyData"];
        };
        /** @description As in `getDailyPriceHistory`. */
        DayDailyData: {
            item_id: components["schemas"]["ItemId"];
            side: components["schemas"]["QuoteSide"];
            provider: components["schemas"]["ProviderSlug"];
            amount: components["schemas"]["Cents"];
            low_amount: components["schemas"]["Cents"];
            high_amount: components["schemas"]["Cents"];
            /**
             * Format: int32
             * @description Observations behind the row.
             */
            observations: number;
            quantity: components["schemas"]["KnownQuantity"];
            source_observed_at: components["schemas"]["KnownTime"];
            recorded_at: components["schemas"]["Timestamp"];
        };
        /**
         * Format: int64
         * @description Units; null when the source does not say.
         */
        KnownQuantity: number | null;
        /**
         * Format: date-time
         * @description Time of the source's observation; null when it is unknown.
         */
        KnownTime: string | null;
        /** @description Quotes of one item, side, provider and feed. */
        DayQuotes: {
            /**
             * @description Kind of record. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "quotes";
            data: components["schemas"]["DayQuotesData"];
        };
        /** @description Parallel arrays, an entry for each range of hours. */
        DayQuotesData: {
            item_id: components["schemas"]["ItemId"];
            side: components["schemas"]["QuoteSide"];
            provider: components["schemas"]["ProviderSlug"];
            feed: components["schemas"]["FeedName"];
            /** @description Ascending. */
            hours: components["schemas"]["HourRange"][];
            /** @description Amounts. */
            amounts: components["schemas"]["Cents"][];
            /** @description Units. */
            quantities: components["schemas"]["KnownQuantity"][];
            /** @description Source times. */
            source_observed_at: components["schemas"]["KnownTime"][];
        };
        /** @description First and last hour, both inclusive. */
        HourRange: components["schemas"]["HourOfDay"][];
        /** @description Hours in which a side of an item had no quote. */
        DayMarkers: {
            /**
             * @description Kind of record. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "markers";
            data: components["schemas"]["DayMarkersData"];
        };
        /** @description Parallel arrays, an entry for each range of hours. */
        DayMarkersData: {
            item_id: components["schemas"]["ItemId"];
            side: components["schemas"]["QuoteSide"];
            /** @description Ascending. */
            hours: components["schemas"]["HourRange"][];
            /** @description Why. */
            availability: components["schemas"]["HourlyAvailability"][];
            /** @description The feeds that tell of the item. */
            feeds: components["schemas"]["FeedsOfHours"][];
        };
        /** @description Null for all with a frame in these hours. */
        FeedsOfHours: components["schemas"]["FeedName"][] | null;
        /** @description The last record of a complete export. Only now is it accepted. */
        DayExportEnd: {
            /**
             * @description Kind of record. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "end";
            request_id: components["schemas"]["RequestId"];
            date: components["schemas"]["UtcDate"];
            revision: components["schemas"]["DayRevision"];
            /**
             * Format: int64
             * @description Lines between `start` and `end`.
             */
            rows: number;
            digest: components["schemas"]["Sha256Digest"];
        };
        /**
         * @description The last record of a failed export, with the `request_id` of `start`. No `end` follows; discard the data and
         *     retry the whole request.
         */
        SnapshotError: {
            /**
             * @description Kind of record. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "error";
            request_id: components["schemas"]["RequestId"];
            code: components["schemas"]["SnapshotErrorCode"];
        };
        /**
         * @description `snapshot_changed`: the price cache changed its generation, or the day its revision, during the export. `snapshot_interrupted`: the export
         *     failed or passed its deadline.
         * @enum {string}
         */
        SnapshotErrorCode: "snapshot_interrupted" | "snapshot_changed";
        /**
         * @description Which items to read, and which of their quotes. With `provider` only quotes of that provider are returned, and a
         *     missing one never falls back to another; with `side` the list of the other side comes back empty.
         */
        BatchPricesRequest: {
            /** @description 1 to 100 different items. */
            item_ids: components["schemas"]["ItemId"][];
            provider?: components["schemas"]["ProviderSlug"];
            side?: components["schemas"]["QuoteSide"];
        };
        /** @description Answer of `getMarketPricesBatch`. */
        MarketPricesBatchEnvelope: {
            /** @description One entry for each requested id, in the order of the request. */
            data: components["schemas"]["MarketPricesBatchEntry"][];
            meta: components["schemas"]["QuoteMeta"];
        };
        /** @description Cached quotes of one requested item, or word that there is no such item. */
        MarketPricesBatchEntry: {
            item_id: components["schemas"]["ItemId"];
            status: components["schemas"]["BatchEntryStatus"];
            /** @description Null when not found. */
            market_hash_name: components["schemas"]["MarketHashName"] | null;
            /** @description Exact paint phase, without fallback to an unphased item. Null also when not found. */
            phase: components["schemas"]["PaintPhase"] | null;
            /** @description Whether the cache holds quotes of this item, filters aside. Null when not found. */
            availability: components["schemas"]["Availability"] | null;
            /** @description The same for all entries that were found. Null when not found. */
            generation: components["schemas"]["Generation"] | null;
            /** @description When that generation was published. Not an observation time. Null when not found. */
            ingested_at: components["schemas"]["Timestamp"] | null;
            /** @description Sellers' offers in no promised order. Empty when missing, filtered out or not found. */
            asks: components["schemas"]["Quote"][];
            /** @description Buy orders in no promised order. Empty when missing, filtered out or not found. */
            bids: components["schemas"]["Quote"][];
        };
        /**
         * @description `not_found`: no item has this id.
         * @enum {string}
         */
        BatchEntryStatus: "found" | "not_found";
        /** @description One line of the export. */
        SnapshotRecord: components["schemas"]["SnapshotStart"] | components["schemas"]["SnapshotItem"] | components["schemas"]["SnapshotEnd"] | components["schemas"]["SnapshotError"];
        /** @description The first record, exactly once. */
        SnapshotStart: {
            /**
             * @description Kind of record. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "start";
            request_id: components["schemas"]["RequestId"];
            generation: components["schemas"]["Generation"];
            /**
             * Format: date-time
             * @description When the export started. Not an observation time.
             */
            generated_at: string;
            ingested_at: components["schemas"]["IngestedAt"];
            /** @description Always null: the feed supplies no observation time. */
            price_as_of: null;
            /**
             * @description All prices come from one generation; catalog identity is scanned by id and is no database snapshot.
             * @constant
             * @enum {string}
             */
            consistency: "single_price_generation";
            /**
             * Format: int32
             * @description Upper bound of the catalog scan; 0 when the catalog is empty.
             */
            catalog_max_item_id: number;
        };
        /** @description One item of the catalog. At most 256 KiB encoded. Item records come in ascending `item_id`. */
        SnapshotItem: {
            /**
             * @description Kind of record. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "item";
            data: components["schemas"]["SnapshotItemData"];
        };
        /** @description An item with its quotes. */
        SnapshotItemData: {
            item_id: components["schemas"]["ItemId"];
            market_hash_name: components["schemas"]["MarketHashName"];
            /** @description Exact paint phase. No fallback to an unphased item. */
            phase: components["schemas"]["PaintPhase"] | null;
            availability: components["schemas"]["Availability"];
            /** @description Sellers' offers. Empty when `missing`; bids never substitute for them. */
            asks: components["schemas"]["SnapshotQuote"][];
            /** @description Buy orders. Empty when `missing`. */
            bids: components["schemas"]["SnapshotQuote"][];
        };
        /** @description One cached offer or order. It was observed; it is not a completed sale. */
        SnapshotQuote: {
            provider: components["schemas"]["ProviderSlug"];
            amount: components["schemas"]["Cents"];
            /**
             * @description Always US dollars.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of `amount`: cents.
             * @constant
             * @enum {integer}
             */
            minor_units: 2;
            /** @description How many units are offered or wanted at this amount; null when the source does not say. */
            quantity: components["schemas"]["Quantity"] | null;
            /** @description Page of the item at the provider, where known. */
            url: components["schemas"]["HttpsUrl"] | null;
            /**
             * @description Time of the source's observation. The export always says null, also where a price read of the same quote
             *     tells a time.
             */
            as_of: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description The last record of a complete export, with the `request_id` and the `generation` of `start`. Only now is the
         *     export accepted.
         */
        SnapshotEnd: {
            /**
             * @description Kind of record. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "end";
            request_id: components["schemas"]["RequestId"];
            generation: components["schemas"]["Generation"];
            /**
             * Format: int32
             * @description Number of item records that were sent.
             */
            items: number;
        };
        /** @description The state of the market that the caller holds. */
        ChangesRequest: {
            /** @description Generation of the copy. */
            generation: string;
            identity_digest: components["schemas"]["Sha256Digest"];
        };
        /** @description One line of the stream. */
        ChangesRecord: components["schemas"]["ChangesStart"] | components["schemas"]["SnapshotItem"] | components["schemas"]["ChangesRemoved"] | components["schemas"]["ChangesEnd"] | components["schemas"]["SnapshotError"];
        /** @description The first record, exactly once. */
        ChangesStart: {
            /**
             * @description Kind of record. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "start";
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            ingested_at: components["schemas"]["IngestedAt"];
            from: components["schemas"]["MarketState"];
            to: components["schemas"]["MarketState"];
        };
        /** @description What an export holds at one time; see `getGeneration` for both digests. */
        MarketState: {
            generation: components["schemas"]["Generation"];
            digest: components["schemas"]["Sha256Digest"];
            identity_digest: components["schemas"]["Sha256Digest"];
        };
        /** @description An item that the copy holds and that exports do not hold any more. */
        ChangesRemoved: {
            /**
             * @description Kind of record. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "removed";
            item_id: components["schemas"]["ItemId"];
        };
        /** @description The last record, with the `request_id` and the `to` of `start`. Only now the changes are accepted. */
        ChangesEnd: {
            /**
             * @description Kind of record. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "end";
            request_id: components["schemas"]["RequestId"];
            to: components["schemas"]["MarketState"];
            /**
             * Format: int32
             * @description Number of `item` records that were sent.
             */
            items: number;
            /**
             * Format: int32
             * @description Number of `removed` records that were sent.
             */
            removed: number;
        };
        /** @description Answer of `getGeneration`. */
        PublishedGenerationEnvelope: {
            data: components["schemas"]["PublishedGeneration"];
            meta: components["schemas"]["Meta"];
        };
        /** @description What every complete export of one generation holds; see `getGeneration` for the canonical price part. */
        PublishedGeneration: {
            generation: components["schemas"]["Generation"];
            ingested_at: components["schemas"]["IngestedAt"];
            /**
             * Format: int32
             * @description Available items, each one line of the canonical price part.
             */
            items: number;
            /**
             * Format: int64
             * @description Length of the canonical price part in UTF-8, line feeds included.
             */
            bytes: number;
            /** @description SHA-256 of the canonical price part, in lowercase hexadecimal digits. */
            digest: string;
            /** @description SHA-256 of the canonical identity part as it is now; null for a superseded generation. */
            identity_digest: components["schemas"]["Sha256Digest"] | null;
        };
        /** @description Answer of `listIndexes`. */
        IndexListEnvelope: {
            /** @description In ascending order of `index_id`. */
            data: components["schemas"]["MarketIndex"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * @description A price index over the daily asks of one provider, with its latest level under the current methodology. It is
         *     made of observed offers, not of completed sales.
         */
        MarketIndex: {
            index_id: components["schemas"]["IndexId"];
            /** @description Name for display. */
            name: string;
            /** @description What the index is made of, in words. */
            description: string;
            /**
             * Format: date
             * @description First UTC day of the index. The first day from it on with enough prices carries the base value.
             */
            base_date: string;
            base_value: components["schemas"]["DecimalString"];
            /** @description Latest level; null when too few constituents had a price (coverage under 90 %), when less than half of the members had one both then and on the last day with a value, or when no level was calculated yet. */
            value: components["schemas"]["IndexValue"] | null;
            /** @description Price times units, summed over the constituents that had a price; see `coverage_pct`. Null when `value` is null. */
            capitalization_cents: components["schemas"]["CapitalizationCents"] | null;
            /**
             * Format: int32
             * @description Items in the membership version.
             */
            constituent_count: number;
            /**
             * Format: int32
             * @description Constituents that had a price on the day of the level; null when no level was calculated yet.
             */
            priced_constituent_count: number | null;
            /** @description Priced constituents as a share of all; null when no level was calculated yet. */
            coverage_pct: components["schemas"]["PercentageString"] | null;
            provider: components["schemas"]["ProviderSlug"];
            weighting: components["schemas"]["IndexWeighting"];
            methodology_version: components["schemas"]["MethodologyVersion"];
            membership_version: components["schemas"]["MembershipVersion"];
            /** @description False when the index is no longer calculated; its history stays. */
            active: boolean;
            /** @description Oldest source observation behind the level; null (unknown) when any price has none. */
            as_of: components["schemas"]["Timestamp"] | null;
            /** @description When the index was last calculated, changed or not. Not an observation time. Null when it never was. */
            calculated_at: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description Exact slug of an index, see `listIndexes`.
         * @example knives-equal
         */
        IndexId: string;
        /**
         * @description Decimal number as a string, so that no reader rounds it. Never with an exponent.
         * @example 100
         */
        DecimalString: string;
        /**
         * @description Level of an index as a decimal string with four decimal places.
         * @example 103.4821
         */
        IndexValue: string;
        /**
         * @description Capitalization in integer US-dollar cents, in digits: a string because it can exceed what a number holds
         *     exactly.
         * @example 184467440737095516150
         */
        CapitalizationCents: string;
        /**
         * @description A share of 0 to 100 percent as a decimal string.
         * @example 97.5
         */
        PercentageString: string;
        /**
         * @description `equal`: every constituent counts the same. `capitalization`: by its price times the units that the members
         *     state.
         * @enum {string}
         */
        IndexWeighting: "equal" | "capitalization";
        /**
         * @description Version of the method by which a value was made. Values of different versions are incompatible: never merge them
         *     into one curve.
         * @example 1
         */
        MethodologyVersion: string;
        /**
         * Format: int32
         * @description Version of an index's members, counted from 1. A change of members makes a new one from its day on and is never
         *     applied backwards.
         * @example 2
         */
        MembershipVersion: number;
        /** @description Answer of `getIndex`. */
        IndexEnvelope: {
            data: components["schemas"]["MarketIndex"];
            meta: components["schemas"]["IndexMeta"];
        };
        /** @description About the answer and the times behind the level. */
        IndexMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            /** @description Oldest source observation behind the level; null (unknown) when any price has none. */
            as_of: components["schemas"]["Timestamp"] | null;
            freshness: components["schemas"]["Freshness"];
        };
        /** @description Answer of `getIndexHistory`. */
        IndexHistoryEnvelope: {
            /** @description In ascending order of `date`, all of one methodology version. */
            data: components["schemas"]["IndexLevel"][];
            meta: components["schemas"]["DailySeriesMeta"];
        };
        /** @description Level of an index on one UTC day under one methodology. A day without a calculation has no row. */
        IndexLevel: {
            /**
             * Format: date
             * @description The UTC day.
             */
            date: string;
            /** @description Null when coverage was under the floor of the methodology (90 %), or when less than half of the members had a price both then and on the last day with a value; neither zero nor the level of the day before. */
            value: components["schemas"]["IndexValue"] | null;
            /** @description Price times units, summed over the constituents that had a price; see `coverage_pct`. Null when `value` is null. */
            capitalization_cents: components["schemas"]["CapitalizationCents"] | null;
            /**
             * Format: int32
             * @description Items in the membership version.
             */
            constituent_count: number;
            /**
             * Format: int32
             * @description Constituents that had a price on the day of the level.
             */
            priced_constituent_count: number;
            coverage_pct: components["schemas"]["PercentageString"];
            methodology_version: components["schemas"]["MethodologyVersion"];
            membership_version: components["schemas"]["MembershipVersion"];
            /** @description Oldest source observation behind the level; null (unknown) when any price has none. */
            as_of: components["schemas"]["Timestamp"] | null;
            /**
             * Format: date-time
             * @description When the stored row was written. Not an observation time.
             */
            recorded_at: string;
            /**
             * Format: int32
             * @description Counts the levels of the day from 1. A correction of the prices that a level was made of makes a new revision
             *     of it and of each later level that it changes.
             */
            revision: number;
            /**
             * @description A level that was calculated from observed offers.
             * @constant
             * @enum {string}
             */
            kind: "index_level";
        };
        /** @description Answer of `listIndexMembers`. */
        IndexMemberListEnvelope: {
            /** @description In ascending order of `item_id`. */
            data: components["schemas"]["IndexMember"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description An item in one membership version of an index. */
        IndexMember: {
            item_id: components["schemas"]["ItemId"];
            market_hash_name: components["schemas"]["MarketHashName"];
            /** @description Exact paint phase; there is no fallback to an unphased item. */
            phase: components["schemas"]["PaintPhase"] | null;
            /** @description Share in the index at the last level of this version that has a value; null when there is none, or when it did not know the item's price. */
            weight_pct: components["schemas"]["PercentageString"] | null;
            /**
             * Format: date
             * @description UTC day from which on, without a break, the item is a member.
             */
            added_on: string;
            /** @description UTC day from which on a later version holds it no more; null when none dropped it. */
            removed_on: components["schemas"]["UtcDate"] | null;
        };
        /**
         * @description ISO 4217 code of a currency.
         * @example EUR
         */
        CurrencyCode: string;
        /** @description Answer of `listExchangeRates`. */
        ExchangeRateListEnvelope: {
            /** @description In ascending order of `currency`. */
            data: components["schemas"]["ExchangeRate"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description Latest stored rate of one currency. */
        ExchangeRate: {
            currency: components["schemas"]["CurrencyCode"];
            rate_per_usd: components["schemas"]["RatePerUsd"];
            /**
             * Format: int32
             * @description Decimal places of the currency's smallest unit. Money of this service stays in US-dollar cents.
             */
            currency_minor_units: number;
            /** @description Time of the source's observation. A source that names a day and no time is taken at the first instant of that UTC day. Null when unknown. */
            as_of: components["schemas"]["Timestamp"] | null;
            /** @description When the rate was stored here. Not an observation time. Null for USD, which is 1 by definition. */
            ingested_at: components["schemas"]["Timestamp"] | null;
            /** @description Who told the rate, or the rates that it was derived from. */
            source: string;
            methodology_version: components["schemas"]["MethodologyVersion"];
        };
        /**
         * @description Units of the currency per 1 US dollar, as a decimal string. Never with an exponent.
         * @example 0.8594
         */
        RatePerUsd: string;
        /** @description Answer of `getExchangeRateHistory`. */
        ExchangeRateHistoryEnvelope: {
            /** @description In ascending order of `date`. Nothing is carried forward. */
            data: components["schemas"]["ExchangeRatePoint"][];
            meta: components["schemas"]["DailySeriesMeta"];
        };
        /** @description Rate of one currency on one UTC day. A day without a rate, such as most weekends, has no row. */
        ExchangeRatePoint: {
            /**
             * Format: date
             * @description The UTC day.
             */
            date: string;
            currency: components["schemas"]["CurrencyCode"];
            rate_per_usd: components["schemas"]["RatePerUsd"];
            /** @description Time of the source's observation. A source that names a day and no time is taken at the first instant of that UTC day. Null when unknown. */
            as_of: components["schemas"]["Timestamp"] | null;
            /**
             * Format: date-time
             * @description When the stored row was written. Not an observation time.
             */
            recorded_at: string;
            /** @description Who told the rate, or the rates that it was derived from. */
            source: string;
            methodology_version: components["schemas"]["MethodologyVersion"];
            /**
             * @description A reference rate and no offer to exchange.
             * @constant
             * @enum {string}
             */
            kind: "exchange_rate";
        };
        /**
         * @description A valuation model, not an individual marketplace and no guaranteed liquidation proceeds. `steam_gross`: the main
         *     platform's lowest ask of exactly that item, its fee not deducted. `cash_ask`: the lowest ask among providers of
         *     kind `cash`. There is no fallback between the two.
         * @default steam_gross
         * @enum {string}
         */
        SelectedValuationMode: "steam_gross" | "cash_ask";
        /** @description Answer of `listOpenables`. */
        OpenableListEnvelope: {
            /** @description In ascending order of `slug`. */
            data: components["schemas"]["Openable"][];
            meta: components["schemas"]["OpenablePageMeta"];
        };
        /** @description A container that is opened for one random item, with its current calculation in one valuation mode. */
        Openable: {
            slug: components["schemas"]["OpenableSlug"];
            /** @description Name of the container as the main platform writes it. */
            name: string;
            item_id: components["schemas"]["ItemId"];
            type: components["schemas"]["OpenableType"];
            /** @description Address of a picture. */
            image_url: components["schemas"]["HttpsUrl"] | null;
            /** @description False when the pool is retired. It is kept and goes on being calculated. */
            active: boolean;
            /** @description UTC day on which the container came out; null when unknown. */
            released_on: components["schemas"]["UtcDate"] | null;
            /** @description UTC day on which the pool was retired; null when it is not, or the day is unknown. */
            retired_on: components["schemas"]["UtcDate"] | null;
            /** @description Whether opening it takes a key. */
            requires_key: boolean;
            /**
             * Format: int32
             * @description Exact items that can come out, those with a probability above zero.
             */
            outcome_count: number;
            valuation_mode: components["schemas"]["ValuationMode"];
            /** @description The current calculation; null when none is published for this mode and the current methodology. Null is not zero ROI. */
            current: components["schemas"]["RoiCalculation"] | null;
            /** @description The tier whose priced share is `current.price_coverage.lowest_tier_coverage_pct`, the first of several; null when there is no calculation. */
            lowest_tier: components["schemas"]["TierName"] | null;
        };
        /**
         * @description `case`: weapons and gloves or knives. `souvenir_package`: souvenir items of a map. `capsule`: stickers, charms and the like. `other`: such as music kit boxes.
         * @enum {string}
         */
        OpenableType: "case" | "souvenir_package" | "capsule" | "other";
        /**
         * @description A valuation model, not an individual marketplace and no guaranteed liquidation proceeds. `steam_gross`: the main
         *     platform's lowest ask of exactly that item, its fee not deducted; phased outcomes have no price there, because the
         *     platform does not tell phases apart. `cash_ask`: the lowest ask among providers of kind `cash`. There is no
         *     fallback between the two.
         * @enum {string}
         */
        ValuationMode: "steam_gross" | "cash_ask";
        /**
         * @description What the model says about one opening: modeled on observed asks, not on sales. A point value that is missing is
         *     null, a bound that is null is unknown; neither is zero.
         */
        RoiCalculation: {
            revision_id: components["schemas"]["PoolRevisionId"];
            revision_number: components["schemas"]["PoolRevisionNumber"];
            methodology_version: components["schemas"]["MethodologyVersion"];
            valuation_mode: components["schemas"]["ValuationMode"];
            /**
             * Format: date-time
             * @description When the model last calculated these numbers or found them unchanged. Not a price time.
             */
            calculated_at: string;
            /** @description Oldest source time among the values and the container's price; null (unknown) when a source told none for any of them. Never replaced by the time of import or of the calculation. */
            price_as_of: components["schemas"]["Timestamp"] | null;
            /** @description Whether, at this answer, the calculation is more than 8 hours old, the price time is unknown, or the price is more than 24 hours old. */
            stale: boolean;
            /** @description Why it is stale; empty when it is not. */
            stale_reasons: components["schemas"]["StaleReason"][];
            /**
             * @description Currency of every amount.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places between the integer amounts and the dollar.
             * @constant
             * @enum {integer}
             */
            minor_units: 2;
            /**
             * Format: int64
             * @description Modeled cost of one opening, container plus key.
             */
            cost_cents: number;
            /**
             * Format: int64
             * @description The container's lowest ask in this mode.
             */
            container_cost_cents: number;
            container_cost_provider: components["schemas"]["ProviderSlug"];
            /** @description Source time of the container's ask; null when the source told none. */
            container_cost_as_of: components["schemas"]["Timestamp"] | null;
            /**
             * Format: int64
             * @description Fixed store price of the key, never a listing; 0 when the container really needs none.
             */
            key_cost_cents: number;
            /**
             * Format: int64
             * @description Modeled expected output value of one opening, not a median or guaranteed sale value. Unpriced outcomes count as the priced ones of their tier. Null when too little is priced for a point.
             */
            expected_value_cents: number | null;
            /**
             * Format: int64
             * @description Lower bound of the expected value, unpriced outcomes worth nothing. Rounded down; the expected value itself when every outcome is priced.
             */
            expected_value_lower_cents: number;
            /**
             * Format: int64
             * @description Upper bound of the expected value, an unpriced outcome worth the dearest priced one of its tier or its own highest daily ask of the last 90 completed days, whichever is more. A bound of the model, not of the market, because an item can be unpriced for being dear; see the flag `upper_bound_assumed`. Rounded up; the expected value itself when every outcome is priced. Null is unknown, not zero.
             */
            expected_value_upper_cents: number | null;
            /**
             * Format: int64
             * @description Expected value minus cost; may be negative. Null when there is no expected value.
             */
            expected_profit_cents: number | null;
            /** @description Expected value / cost x 100 of the published integers; may exceed 100. Null when there is no expected value. */
            return_pct: components["schemas"]["ReturnPercentage"] | null;
            /** @description `return_pct` minus 100. Null when there is no expected value; null is not zero ROI. */
            profit_roi_pct: components["schemas"]["ProfitPercentage"] | null;
            /** @description Modeled probability that the outcome is worth more than the cost. Null when too little is priced for a point. */
            profit_chance_pct: components["schemas"]["FinePercentage"] | null;
            /** @description Lower bound of the chance, every unpriced outcome taken for a loss. Rounded down when any is unpriced. */
            profit_chance_lower_pct: string;
            /** @description Upper bound of the chance, every unpriced outcome taken for a profit. Rounded up when any is unpriced. */
            profit_chance_upper_pct: string;
            /** @description Probability of the possible outcomes that have a price, rounded down, so that it is `100.0000` only when all have one. Coverage of the model; it is not the chance of profit. */
            priced_probability_mass_pct: string;
            price_coverage: components["schemas"]["PriceCoverage"];
            /** @description Spread of the value of one opening; null when nothing is priced. */
            quantiles: components["schemas"]["ValueQuantiles"] | null;
            confidence: components["schemas"]["RoiConfidence"];
            /** @description What to know before relying on the numbers, always in the order of the list of flags. */
            flags: components["schemas"]["RoiFlag"][];
        };
        /**
         * @description Names one published definition of a pool, which never changes. Another definition has another id.
         * @example pr_0123456789abcdef01234567
         */
        PoolRevisionId: string;
        /**
         * Format: int32
         * @description Counts the published definitions of the container's pool, from 1.
         * @example 1
         */
        PoolRevisionNumber: number;
        /**
         * @description `calculation_age`: calculated more than 8 hours ago. `price_time_unknown`: a source told no time for its price.
         *     `price_age`: the oldest price is more than 24 hours old.
         * @enum {string}
         */
        StaleReason: "calculation_age" | "price_time_unknown" | "price_age";
        /**
         * @description Expected value / cost x 100, as a decimal string with two decimal places, rounded half up. May exceed 100.
         * @example 37.41
         */
        ReturnPercentage: string;
        /**
         * @description `return_pct` minus 100, as a decimal string with two decimal places. Negative is a loss.
         * @example -62.59
         */
        ProfitPercentage: string;
        /**
         * @description A share of 0 to 100 percent as a decimal string with four decimal places.
         * @example 99.9283
         */
        FinePercentage: string;
        /** @description How much of the pool is priced, counted in outcomes. An excluded outcome does not count. */
        PriceCoverage: {
            /**
             * Format: int32
             * @description Outcomes with a probability above zero.
             */
            outcome_count: number;
            /**
             * Format: int32
             * @description Those of them that have a price.
             */
            priced_outcome_count: number;
            /** @description Priced outcomes as a share of all by number, rounded down. */
            priced_outcome_pct: string;
            /** @description Smallest priced share of any tier of its own probability, rounded down. */
            lowest_tier_coverage_pct: string;
        };
        /**
         * @description Quantiles of the value of one opening over the priced outcomes, in integer US-dollar cents: `p50` is the smallest
         *     value that at least half of the priced probability does not exceed. Unpriced outcomes take no part.
         */
        ValueQuantiles: {
            p05: components["schemas"]["Cents"];
            p25: components["schemas"]["Cents"];
            p50: components["schemas"]["Cents"];
            p75: components["schemas"]["Cents"];
            p95: components["schemas"]["Cents"];
            p99: components["schemas"]["Cents"];
        };
        /**
         * @description How far the point values can be relied on, as a fixed rule and not as a probability. `high`: at least 99.5 % of all
         *     outcomes by probability and 95 % of each tier are priced, the bounds of the expected value lie at most 5 % of it
         *     apart, compared before anything is rounded to cents, and the calculation is not stale, so never where a feed tells
         *     no times. `medium`: at least 80 % of each tier and a known upper bound. `low`: point values otherwise.
         *     `insufficient`: no point values.
         * @enum {string}
         */
        RoiConfidence: "high" | "medium" | "low" | "insufficient";
        /**
         * @description `unpriced_outcomes`: a possible outcome has no price. `phases_unpriced`: one with a paint phase has none.
         *     `tier_coverage_low`: less than 80 % of a tier is priced. `upper_bound_unknown`: nothing says how dear an unpriced
         *     outcome can be. `upper_bound_assumed`: an unpriced outcome was taken for the dearest priced one of its tier, which
         *     it may exceed. `above_price_ceiling`: an unpriced outcome may be dearer than the mode's providers list at all; the
         *     upper bound is then unknown and `confidence` is `low` at most. `odds_inferred`: odds are assumed, if only in part. `single_provider`: in `cash_ask`, which reads
         *     several providers, every price and the container's are of the same one, which nothing confirms; never in
         *     `steam_gross`, whose prices are of one provider always. `price_time_unknown`, `price_stale`, `calculation_stale`: see `stale_reasons`. `retired_pool`: the
         *     container is not `active` any more.
         */
        RoiFlag: "unpriced_outcomes" | "phases_unpriced" | "tier_coverage_low" | "upper_bound_unknown" | "upper_bound_assumed" | "above_price_ceiling" | "odds_inferred" | "single_provider" | "price_time_unknown" | "price_stale" | "calculation_stale" | "retired_pool";
        /**
         * @description A group of outcomes that the pool draws first, such as a rarity.
         * @example mil_spec
         */
        TierName: string;
        /** @description About the answer, the position of the next page and the times behind its values. */
        OpenablePageMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            /** @description Pass it unchanged as `after`. Null on the last page. */
            next_page: components["schemas"]["PageCursor"] | null;
            /** @description Oldest source time behind the returned values; null (unknown) when any of them has none, or there is none. */
            as_of: components["schemas"]["Timestamp"] | null;
            freshness: components["schemas"]["Freshness"];
        };
        /** @description Answer of `getOpenable`. */
        OpenableEnvelope: {
            data: components["schemas"]["OpenableDetail"];
            meta: components["schemas"]["OpenableMeta"];
        };
        /** @description A container with its pool and its current calculation in one valuation mode. */
        OpenableDetail: {
            slug: components["schemas"]["OpenableSlug"];
            /** @description Name of the container as the main platform writes it. */
            name: string;
            item_id: components["schemas"]["ItemId"];
            type: components["schemas"]["OpenableType"];
            /** @description Address of a picture. */
            image_url: components["schemas"]["HttpsUrl"] | null;
            /** @description False when the pool is retired. It is kept and goes on being calculated. */
            active: boolean;
            /** @description UTC day on which the container came out; null when unknown. */
            released_on: components["schemas"]["UtcDate"] | null;
            /** @description UTC day on which the pool was retired; null when it is not, or the day is unknown. */
            retired_on: components["schemas"]["UtcDate"] | null;
            /** @description Whether opening it takes a key. */
            requires_key: boolean;
            /**
             * Format: int32
             * @description Exact items that can come out, those with a probability above zero.
             */
            outcome_count: number;
            valuation_mode: components["schemas"]["ValuationMode"];
            /** @description The current calculation; null when none is published for this mode and the current methodology. Null is not zero ROI. */
            current: components["schemas"]["RoiCalculation"] | null;
            pool: components["schemas"]["OpenablePool"];
        };
        /** @description The pool in force, published as one immutable revision. Definitions that are drafts are never shown. */
        OpenablePool: {
            revision_id: components["schemas"]["PoolRevisionId"];
            revision_number: components["schemas"]["PoolRevisionNumber"];
            odds_source: components["schemas"]["OddsSource"];
            /** @description What to know of the definition; empty when there is nothing. */
            flags: components["schemas"]["PoolFlag"][];
            /** @description Model that spreads an item's probability over its wears, such as `wear-1`. */
            wear_model: string;
            /** @description In the order of the pool. */
            tiers: components["schemas"]["PoolTier"][];
        };
        /**
         * @description Where the odds come from. `published`: the game's operator published them. `community`: measured by players from
         *     many openings. `inferred`: assumed, if only in part, such as equal chances of paint phases, or the items of a list
         *     that was completed.
         */
        OddsSource: "published" | "community" | "inferred";
        /**
         * @description `pool_completed`: the source of the definition ends its list early, and the missing items were added from other
         *     public sources. Such odds are `inferred`.
         */
        PoolFlag: "pool_completed";
        /** @description A tier of a pool. A tier is drawn first, by its weight, then an item of it. */
        PoolTier: {
            tier: components["schemas"]["TierName"];
            /**
             * Format: int64
             * @description Weight of the tier against the weights of the other tiers.
             */
            weight: number;
            probability_pct: components["schemas"]["ProbabilityPercentage"];
            /**
             * Format: int32
             * @description Items that the tier lists. A finish counts once, with all its wears, variants and phases.
             */
            item_count: number;
            /** @description Priced share of the tier's own probability in the current calculation, rounded down; null when there is none of this revision. Not the chance of profit. */
            priced_probability_mass_pct: components["schemas"]["FinePercentage"] | null;
        };
        /**
         * @description A probability in percent as a decimal string with eight decimal places, rounded half up.
         * @example 0.25575448
         */
        ProbabilityPercentage: string;
        /** @description About the answer and the times behind the calculation. */
        OpenableMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            /** @description `price_as_of` of the calculation; null (unknown) when that is null, or there is no calculation. */
            as_of: components["schemas"]["Timestamp"] | null;
            freshness: components["schemas"]["Freshness"];
        };
        /**
         * @description Whether a row stands for a UTC hour or a UTC day.
         * @default day
         * @enum {string}
         */
        SelectedRoiGranularity: "hour" | "day";
        /** @description Answer of `getOpenableHistory`. */
        OpenableHistoryEnvelope: {
            /** @description In ascending order of `ts`, all of one mode, granularity and methodology version. */
            data: components["schemas"]["RoiHistoryRow"][];
            meta: components["schemas"]["RoiSeriesMeta"];
        };
        /**
         * @description What the model said in one UTC hour or day: its last run in it. A run that finds the cost unknown writes none: the
         *     row of an earlier run of the same hour or day stands. Not a sale and not a realized return. Later reconstruction
         *     may revise a row.
         */
        RoiHistoryRow: {
            /**
             * @description A snapshot of the model; not a sale or a realized return.
             * @constant
             * @enum {string}
             */
            kind: "model_snapshot";
            /**
             * Format: date-time
             * @description Start of the UTC hour or day.
             */
            ts: string;
            /**
             * Format: date-time
             * @description When the stored row was written. Not a price time.
             */
            recorded_at: string;
            revision_id: components["schemas"]["PoolRevisionId"];
            revision_number: components["schemas"]["PoolRevisionNumber"];
            methodology_version: components["schemas"]["MethodologyVersion"];
            /**
             * @description Where the inputs of the row came from is not recorded.
             * @constant
             * @enum {string}
             */
            provenance: "not_recorded";
            valuation_mode: components["schemas"]["ValuationMode"];
            granularity: components["schemas"]["RoiGranularity"];
            /**
             * Format: int64
             * @description Modeled cost of one opening, container plus key.
             */
            cost_cents: number;
            /**
             * Format: int64
             * @description Modeled expected output value of one opening, not a median or guaranteed sale value. Null when too little was priced for a point; not zero.
             */
            expected_value_cents: number | null;
            /**
             * Format: int64
             * @description Expected value minus cost; may be negative. Null when there is no expected value.
             */
            expected_profit_cents: number | null;
            /** @description Expected value / cost x 100; may exceed 100. Null when there is no expected value. */
            return_pct: components["schemas"]["ReturnPercentage"] | null;
            /** @description Modeled probability that the outcome is worth more than the cost. Null when too little was priced for a point. */
            profit_chance_pct: components["schemas"]["FinePercentage"] | null;
            /** @description Probability of the possible outcomes that had a price, rounded down. Not the chance of profit. */
            priced_probability_mass_pct: string;
            /** @description Oldest source time among the prices used; null (unknown) when any of them has none. */
            price_as_of: components["schemas"]["Timestamp"] | null;
            /**
             * @description Currency of every amount.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places between the integer amounts and the dollar.
             * @constant
             * @enum {integer}
             */
            minor_units: 2;
        };
        /**
         * @description Whether a row stands for a UTC hour or a UTC day.
         * @enum {string}
         */
        RoiGranularity: "hour" | "day";
        /** @description About the answer, its window, its gaps and the times behind its rows. */
        RoiSeriesMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            from: components["schemas"]["UtcDate"];
            to: components["schemas"]["UtcDate"];
            resolution: components["schemas"]["RoiGranularity"];
            missing_points: components["schemas"]["MissingPoints"];
            /** @description Pass it unchanged as `after`. Null on the last page. */
            next_page: components["schemas"]["PageCursor"] | null;
            /** @description Oldest `price_as_of` among the returned rows; null (unknown) when any of them has none. */
            as_of: components["schemas"]["Timestamp"] | null;
            freshness: components["schemas"]["Freshness"];
            timestamp_quality: components["schemas"]["TimestampQuality"];
        };
        /** @description Answer of `listOpenableOutcomes`. */
        OpenableOutcomeListEnvelope: {
            /** @description In the order of the pool. */
            data: components["schemas"]["OpenableOutcome"][];
            meta: components["schemas"]["OpenablePageMeta"];
        };
        /** @description One exact item that a pool names, with its odds and what the current calculation took it for. */
        OpenableOutcome: {
            item_id: components["schemas"]["ItemId"];
            market_hash_name: components["schemas"]["MarketHashName"];
            /** @description Exact paint phase; there is no fallback to another phase or an unphased item. */
            phase: components["schemas"]["PaintPhase"] | null;
            tier: components["schemas"]["TierName"];
            /** @description Probability of the outcome as a fraction, its numerator in digits. The numerators of a pool sum to the denominator. */
            probability_numerator: string;
            /** @description Denominator in digits, the same for all outcomes of the pool. */
            probability_denominator: string;
            probability_pct: components["schemas"]["ProbabilityPercentage"];
            status: components["schemas"]["OutcomeStatus"];
            /** @description Lowest ask in this mode that the calculation took; null when it is not priced. An observed offer, not a sale. */
            value_cents: components["schemas"]["Cents"] | null;
            /** @description Provider of that ask; null when the outcome is not priced. */
            value_provider: components["schemas"]["ProviderSlug"] | null;
            /** @description Source time of that ask; null when the source told none or the outcome is not priced. */
            value_as_of: components["schemas"]["Timestamp"] | null;
            /** @description Highest daily ask of exactly this item among the mode's providers in the 90 UTC days completed before the calculation, told for unpriced outcomes only, whose part of the upper bound it makes; null when none is stored. */
            recent_high_cents: components["schemas"]["Cents"] | null;
            /**
             * @description Price ceiling of the mode's providers, in US-dollar cents, that this unpriced outcome counts as above: its price
             *     is unknown, not low. If all of them have one, each outcome without a price does, unless its `recent_high_cents`
             *     and its value in the other mode, or without both the dearest value of its tier, are below half of the ceiling.
             *     Null otherwise.
             */
            above_ceiling_cents: components["schemas"]["Cents"] | null;
        };
        /**
         * @description `priced`: has a value. `unpriced`: possible, but without a price in this mode; not worth zero. `excluded`: named by
         *     the pool but without any chance under the pool's wear model or phase weights (numerator `0`); it takes part in no
         *     number and no count.
         * @enum {string}
         */
        OutcomeStatus: "priced" | "unpriced" | "excluded";
        /** @description Answer of `getUsage`. */
        UsageEnvelope: {
            data: components["schemas"]["Usage"];
            meta: components["schemas"]["Meta"];
        };
        /** @description What the account has used, over all its keys. */
        Usage: {
            plan: components["schemas"]["PlanName"];
            /** @description When the plan ends; purchases last 30 days and do not renew themselves. Null for a plan without an end. */
            plan_ends_at: components["schemas"]["Timestamp"] | null;
            /**
             * Format: date-time
             * @description First instant of the UTC calendar month that is counted.
             */
            month_starts_at: string;
            /**
             * Format: date-time
             * @description First instant of the next UTC calendar month, when usage begins at zero again.
             */
            month_ends_at: string;
            /**
             * Format: int32
             * @description Units of the plan in a UTC calendar month.
             */
            monthly_limit: number;
            /**
             * Format: int32
             * @description Units used in this month. A change of plan does not reset it, so it can be above the limit.
             */
            monthly_used: number;
            /**
             * Format: int32
             * @description Units that are left in this month; 0 when more is used than the plan has.
             */
            monthly_remaining: number;
            /**
             * Format: int32
             * @description Requests per minute.
             */
            minute_limit: number;
            /**
             * Format: int32
             * @description Export starts in the last 24 hours, a running export included.
             */
            snapshot_starts_used: number;
            /**
             * Format: int32
             * @description Export starts that the plan allows in any 24 hours; 0 when it has no exports.
             */
            snapshot_starts_limit: number;
            /**
             * @description When the next start becomes free. Null when there is nothing to wait for: a start is free now, or the plan
             *     has no exports.
             */
            snapshot_next_start_at: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description Plan of the account. Plans differ in quota, rate and export ceilings, not in freshness; a plan that has ended is
         *     `free`.
         * @enum {string}
         */
        PlanName: "free" | "builder" | "trader" | "quant";
        /** @description Answer of `listPortfolios`. */
        PortfolioListEnvelope: {
            /** @description In ascending order of `portfolio_id`. */
            data: components["schemas"]["Portfolio"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * @description Settings of one portfolio. Notes, account identifiers of external marketplaces and references of integrations are
         *     never returned.
         */
        Portfolio: {
            portfolio_id: components["schemas"]["PortfolioId"];
            /** @description Name that the owner gave it. */
            name: string;
            /**
             * @description ISO 4217 code of the currency in which the owner likes to see it. A setting only: money stays in US-dollar
             *     cents and nothing is converted.
             */
            display_currency: string;
            /**
             * @description Currency of all money of the portfolio, whatever `display_currency`.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of amounts: cents.
             * @constant
             * @enum {integer}
             */
            minor_units: 2;
            /** @description Whether the owner shares it with everybody on the web. Sharing grants no API permission to anybody. */
            is_public: boolean;
            /**
             * @description Slug of the provider at whose daily asks new days are valued, or the reserved word `lowest-ask`: each lot at the lowest
             *     daily ask of all providers whose feed was checked that day. No provider has this slug. A past day keeps its own source.
             */
            price_source: string;
            /**
             * Format: int32
             * @description Lots that it holds now.
             */
            holding_count: number;
            /**
             * Format: int32
             * @description Rows of this owner's ledger, of whatever day.
             */
            transaction_count: number;
            /**
             * Format: date-time
             * @description When it was made here.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its settings, lots or ledger last changed.
             */
            updated_at: string;
        };
        /**
         * @description Id of a portfolio. Knowing it opens nothing.
         * @example pf_000000000000000demo7
         */
        PortfolioId: string;
        /** @description Answer of `getPortfolio`. */
        PortfolioEnvelope: {
            data: components["schemas"]["Portfolio"];
            meta: components["schemas"]["Meta"];
        };
        /** @description Answer of `listPortfolioHoldings`. */
        PortfolioHoldingListEnvelope: {
            /** @description In ascending order of `holding_id`. */
            data: components["schemas"]["PortfolioHolding"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description One lot: units of one exact item that came in together. It carries no live price. */
        PortfolioHolding: {
            holding_id: components["schemas"]["HoldingId"];
            item_id: components["schemas"]["ItemId"];
            market_hash_name: components["schemas"]["LotItemName"];
            /** @description Exact paint phase; there is no fallback to an unphased item. */
            phase: components["schemas"]["PaintPhase"] | null;
            /**
             * Format: int32
             * @description Units in the lot.
             */
            quantity: number;
            /**
             * Format: int64
             * @description What one unit cost, in US-dollar cents. Null is unknown; 0 is really free.
             */
            unit_cost_cents: number | null;
            /** @description Whether `unit_cost_cents` is an estimate and no amount that was paid. */
            cost_estimated: boolean;
            /** @description UTC day on which the lot was acquired; null (unknown) when nobody said. */
            acquired_on: components["schemas"]["UtcDate"] | null;
            origin: components["schemas"]["HoldingOrigin"];
            /**
             * Format: date-time
             * @description When the lot was recorded here.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the lot last changed here.
             */
            updated_at: string;
            /**
             * @description Always US dollars, whatever `display_currency`.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of amounts: cents.
             * @constant
             * @enum {integer}
             */
            minor_units: 2;
        };
        /**
         * @description Id of one lot.
         * @example hl_000000000000000demo8
         */
        HoldingId: string;
        /**
         * @description Name of the item. Null (unknown, as its phase then is) where the server that answers does not have the item yet, as one of
         *     several may for some seconds.
         */
        LotItemName: components["schemas"]["MarketHashName"] | null;
        /**
         * @description How the lot came in: by hand, by an import, or out of a row of the ledger.
         * @enum {string}
         */
        HoldingOrigin: "manual" | "import" | "transaction";
        /** @description Answer of `listPortfolioTransactions`. */
        PortfolioTransactionListEnvelope: {
            /** @description In ascending order of `occurred_on`, then `transaction_id`. */
            data: components["schemas"]["PortfolioTransaction"][];
            meta: components["schemas"]["LedgerMeta"];
        };
        /** @description One row of this owner's ledger. It is not a marketplace-wide sale. */
        PortfolioTransaction: {
            transaction_id: components["schemas"]["TransactionId"];
            /** @description The lot that the row is about; it may be gone since. Null when none is recorded. */
            holding_id: components["schemas"]["HoldingId"] | null;
            kind: components["schemas"]["TransactionKind"];
            item_id: components["schemas"]["ItemId"];
            market_hash_name: components["schemas"]["LotItemName"];
            /** @description Exact paint phase; there is no fallback to an unphased item. */
            phase: components["schemas"]["PaintPhase"] | null;
            /**
             * Format: int32
             * @description Units, never 0. Negative in an `adjustment` that takes away; `kind` tells the direction of all others.
             */
            quantity: number;
            /**
             * Format: int64
             * @description Amount per unit in US-dollar cents. Null is unknown; 0 is really nothing.
             */
            unit_amount_cents: number | null;
            /**
             * Format: int64
             * @description Fees of the whole row in US-dollar cents. Null is unknown; 0 is really none.
             */
            fee_cents: number | null;
            /**
             * Format: int64
             * @description Money that changed hands over the whole row, in US-dollar cents and without a sign, as the owner recorded it.
             *     Null is unknown; 0 is really nothing.
             */
            total_amount_cents: number | null;
            /** @description Whether the amounts are estimates and no amounts that were paid. */
            cost_estimated: boolean;
            /** @description Marketplace where it happened, as the owner recorded it; null when none is recorded. */
            provider: components["schemas"]["ProviderSlug"] | null;
            /**
             * Format: date
             * @description The UTC day on which it happened.
             */
            occurred_on: string;
            /** @description When it happened; null when only the day is known. */
            occurred_at: components["schemas"]["Timestamp"] | null;
            /**
             * Format: date-time
             * @description When the row was written here. Not when it happened.
             */
            recorded_at: string;
            /**
             * @description Always US dollars, whatever `display_currency`.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of amounts: cents.
             * @constant
             * @enum {integer}
             */
            minor_units: 2;
        };
        /**
         * @description Id of one row of a ledger.
         * @example tx_000000000000000demoj
         */
        TransactionId: string;
        /**
         * @description `buy`, `sell`: units against money. `transfer_in`, `transfer_out`: units that came from or went to another place of
         *     the owner. `adjustment`: a correction, whose `quantity` may be negative.
         * @enum {string}
         */
        TransactionKind: "buy" | "sell" | "transfer_in" | "transfer_out" | "adjustment";
        /** @description About the answer, its window and the position of the next page. */
        LedgerMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            from: components["schemas"]["UtcDate"];
            to: components["schemas"]["UtcDate"];
            /** @description Pass it unchanged as `after`. Null on the last page. */
            next_page: components["schemas"]["PageCursor"] | null;
        };
        /** @description Answer of `getPortfolioHistory`. */
        PortfolioHistoryEnvelope: {
            /** @description In ascending order of `date`. */
            data: components["schemas"]["PortfolioValuation"][];
            meta: components["schemas"]["DailySeriesMeta"];
        };
        /**
         * @description What a portfolio was worth on one UTC day, made of daily asks: observed offers, not completed sales. A change from
         *     one day to another is no return.
         */
        PortfolioValuation: {
            /**
             * Format: date
             * @description The UTC day.
             */
            date: string;
            /**
             * @description A valuation at observed offers. It is no return.
             * @constant
             * @enum {string}
             */
            kind: "portfolio_valuation";
            /**
             * Format: int64
             * @description Daily ask times quantity in US-dollar cents, summed over the lots that had a price. Null when none had one,
             *     never 0 for an unknown.
             */
            value_cents: number | null;
            /**
             * Format: int64
             * @description Unit cost times quantity in US-dollar cents, summed over all lots of the day, priced or not. Null when the basis
             *     of any of them is unknown.
             */
            cost_basis_cents: number | null;
            /**
             * Format: int32
             * @description Lots of that day.
             */
            holding_count: number;
            /**
             * Format: int32
             * @description Lots whose exact item had a stored price of that day at `price_source`.
             */
            priced_holding_count: number;
            /**
             * Format: int32
             * @description Lots without such a price. They are not in `value_cents`, neither as zero nor by an older price.
             */
            unpriced_holding_count: number;
            /** @description True when `unpriced_holding_count` is 0. A value that is not complete compares badly with other days. */
            complete: boolean;
            /**
             * Format: int32
             * @description Lots with a price of that day and a known unit cost. Null in rows that an earlier release wrote.
             */
            compared_holding_count: number | null;
            /**
             * Format: int64
             * @description Value of these lots alone, in US-dollar cents. Null if there is none, and in rows that an earlier release wrote.
             */
            compared_value_cents: number | null;
            /**
             * Format: int64
             * @description Unit cost times quantity of the same lots, in US-dollar cents. Null when `compared_value_cents` is null.
             */
            compared_cost_cents: number | null;
            /**
             * @description Provider whose daily asks were used, or the reserved word `lowest-ask`: each lot at the lowest daily ask of all
             *     providers. Null is an unknown legacy source.
             */
            price_source: components["schemas"]["ProviderSlug"] | null;
            /**
             * @description Slugs of the providers whose daily asks are in `value_cents`, in ascending order; empty if no lot had a price. Null if
             *     `price_source` is unknown.
             */
            price_providers: components["schemas"]["ProviderSlug"][] | null;
            /** @description Oldest source observation among the prices used; null (unknown) when any of them has none. */
            price_as_of: components["schemas"]["Timestamp"] | null;
            /**
             * Format: date-time
             * @description When this value was calculated. Later corrections of its prices move it. Not an observation time.
             */
            recorded_at: string;
            /**
             * @description Always US dollars, whatever `display_currency`.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of amounts: cents.
             * @constant
             * @enum {integer}
             */
            minor_units: 2;
        };
    };
    responses: {
        /** @description Malformed, or with a parameter or body where none belongs. Do not retry unchanged. Refused before any quota is used. */
        NoParametersBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Declared for uniformity; this operation takes no credential. */
        StatusUnauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "WWW-Authenticate": components["headers"]["BearerChallenge"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Declared for uniformity; this operation asks for no scope and no plan. */
        StatusForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No operation answers this method and path. Costs nothing. */
        EndpointNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                Allow: components["headers"]["AllowedMethods"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Declared for uniformity; this operation takes no body and refuses one of any size with 400. */
        BodilessRequestTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Declared for uniformity; this operation is not limited. */
        StatusTooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service cannot answer now. Retry a bounded number of times with backoff. */
        ServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description What is asked for is still what `If-None-Match` names. There is no body. The request was admitted and charged as a
         *     200 is.
         */
        NotModified: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                ETag: components["headers"]["ETag"];
                "Cache-Control": components["headers"]["PrivateCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Bad parameters, body, range or cursor. Do not retry unchanged. Refused before any quota is used. */
        PageBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No valid key: none sent, unknown, expired or revoked. Stop sending requests. Costs nothing. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "WWW-Authenticate": components["headers"]["BearerChallenge"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The key lacks the scope, or the account is disabled. Costs nothing. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "WWW-Authenticate": components["headers"]["ScopeChallenge"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The minute limit or the month is exhausted. Follow `Retry-After`; do not bypass limits with extra keys. Costs no unit. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Bad parameters, body, range or cursor. Do not retry unchanged. Refused before any quota is used. */
        ItemListBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A filter needs a paid plan, the key lacks the scope, or the account is disabled. Costs nothing. */
        ItemListForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "WWW-Authenticate": components["headers"]["ScopeChallenge"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Bad parameters, body, range or cursor. Do not retry unchanged. Refused before any quota is used. */
        ResolvedNamesBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is over 16 KiB. Reduce it. Costs nothing. */
        RequestTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Bad parameters, body, range or cursor. Do not retry unchanged. Refused before any quota is used. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The item does not exist (an admitted read: costs one unit), or no operation answers this method and path (costs nothing). */
        ItemNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                Allow: components["headers"]["AllowedMethods"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Bad parameters, body, range or cursor. Do not retry unchanged. Refused before any quota is used. */
        MarketPricesBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A paid plan is needed, the key lacks the scope, or the account is disabled. Costs nothing. */
        PaidForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "WWW-Authenticate": components["headers"]["ScopeChallenge"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No quotes are published, or the service cannot answer now. Retry a bounded number of times with backoff. */
        PricesUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Bad parameters, body, range or cursor. Do not retry unchanged. Refused before any quota is used. */
        DailyPriceHistoryBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description More asked for than the Free plan reads, the key lacks the scope, or the account is disabled. Costs nothing. */
        DailyPriceHistoryForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "WWW-Authenticate": components["headers"]["ScopeChallenge"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Bad parameters, body, range or cursor. Do not retry unchanged. Refused before any quota is used. */
        HourlyPriceHistoryBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Bad parameters, range or body. Do not retry unchanged. Refused before any quota is used. */
        DayExportBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description More asked for than the Free plan reads, the key lacks the scope, or the account is disabled. Costs nothing. */
        DayExportForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "WWW-Authenticate": components["headers"]["ScopeChallenge"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The day is not sealed or its hours were removed (an admitted read: costs one unit), or no operation answers this method and path (costs nothing). */
        DayNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                Allow: components["headers"]["AllowedMethods"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description An export runs already, the minute limit or the month is exhausted. Follow `Retry-After`; do not bypass limits with
         *     extra keys. Costs no unit.
         */
        DayExportTooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Bad parameters, body, range or cursor. Do not retry unchanged. Refused before any quota is used. */
        MarketPricesBatchBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description A limit of exports, the minute limit or the month is exhausted. Follow `Retry-After`; do not bypass limits with
         *     extra keys. Costs no unit.
         */
        SnapshotTooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description No quotes are published, or the service cannot answer now; nothing was streamed. Retry a bounded number of times
         *     with backoff.
         */
        MarketSnapshotUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Bad parameters, body, range or cursor. Do not retry unchanged. Refused before any quota is used. */
        ChangesBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The state cannot be named, or too much changed since (admitted reads: one unit each), or no operation answers this method and path (costs nothing). */
        ChangesNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                Allow: components["headers"]["AllowedMethods"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A limit of these streams, the minute limit or the month is exhausted. Follow `Retry-After`. Costs no unit. */
        ChangesTooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Four requests of the account wait, or the minute limit or the month is exhausted. Follow `Retry-After`. Costs no unit. */
        WaitingTooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The generation is not known (an admitted read: costs one unit), or no operation answers this method and path (costs nothing). */
        GenerationNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                Allow: components["headers"]["AllowedMethods"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The index does not exist (an admitted read: costs one unit), or no operation answers this method and path (costs nothing). */
        IndexNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                Allow: components["headers"]["AllowedMethods"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Bad parameters, body, range or cursor. Do not retry unchanged. Refused before any quota is used. */
        IndexHistoryBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No source names the currency (an admitted read: costs one unit), or no operation answers this method and path (costs nothing). */
        ListedCurrencyNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                Allow: components["headers"]["AllowedMethods"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Bad parameters, body, range or cursor. Do not retry unchanged. Refused before any quota is used. */
        WindowBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No source names the currency (an admitted read: costs one unit), or no operation answers this method and path (costs nothing). */
        CurrencyNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                Allow: components["headers"]["AllowedMethods"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The container does not exist or is hidden (an admitted read: costs one unit), or no operation answers this method and path (costs nothing). */
        OpenableNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                Allow: components["headers"]["AllowedMethods"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Bad parameters, body, range or cursor. Do not retry unchanged. Refused before any quota is used. */
        OpenableHistoryBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The account is disabled. Costs nothing. */
        UsageForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The minute limit is exhausted. Follow `Retry-After`; do not bypass limits with extra keys. */
        UsageTooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The key lacks the scope, as every project key does, or the account is disabled. Costs nothing. */
        PortfolioForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                "WWW-Authenticate": components["headers"]["ScopeChallenge"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No portfolio that this token may read (an admitted read: costs one unit): unselected, another account's, deleted, shared with everybody, nonexistent and malformed ids all get this same answer. Or no operation answers this method and path (costs nothing). */
        PortfolioNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                Allow: components["headers"]["AllowedMethods"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemainingIfKnown"];
                "X-Quota-Remaining": components["headers"]["QuotaRemainingIfKnown"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description Most rows on a page.
         * @example 2
         */
        PageLimit: number;
        /**
         * @description `meta.next_page` of the page before, unchanged. It remembers filters and resolved dates that are left out; given
         *     again, they must be the same (`cursor_mismatch`). Any other text of this form is an `invalid_cursor`.
         */
        AfterPage: components["schemas"]["PageCursor"];
        /**
         * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
         *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
         * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
         */
        IfNoneMatch: string;
        /**
         * @description Most providers on a page.
         * @example 2
         */
        ProviderPageLimit: number;
        /** @description Exclusive lower bound of `item_id`. Pass `meta.next_cursor` of the page before. */
        ItemCursor: number;
        /**
         * @description Words in any order. Each begins a word of the item's English or Russian name, its phase or type; one or two
         *     characters are a whole word. Case, accents, punctuation and signs have no weight, and parts at hyphens and digits are
         *     words, too: `ak`, `47` and `ak47` find `AK-47`. `fn mw ft ww bs` mean wears, `st` the stat counter, and common
         *     nicknames are known. If no item has all words, `meta.read_as` names the search made instead. The page stays in ascending
         *     `item_id`; clients rank it. A part in `"…"` is literal but for case; so is a `q` without letter and digit or
         *     with an open quote.
         * @example karambit doppler
         */
        NameSearch: string;
        /**
         * @description Type.
         * @example Knife
         */
        ItemTypeFilter: "Weapon" | "Knife" | "Gloves" | "Sticker" | "Sticker Slab" | "Graffiti" | "Patch" | "Charm" | "Music Kit" | "Agent" | "Collectible" | "Container" | "Key" | "Tool";
        /**
         * @description Rarity.
         * @example Covert
         */
        RarityFilter: string;
        /**
         * @description Such as `AK-47` or `Karambit`.
         * @example Karambit
         */
        WeaponFilter: string;
        /**
         * @description Wear.
         * @example Factory New
         */
        WearFilter: "Factory New" | "Minimal Wear" | "Field-Tested" | "Well-Worn" | "Battle-Scarred";
        /**
         * @description Phase.
         * @example Ruby
         */
        PhaseFilter: "Phase 1" | "Phase 2" | "Phase 3" | "Phase 4" | "Ruby" | "Sapphire" | "Black Pearl" | "Emerald";
        /**
         * @description Stat-counter variants.
         * @example false
         */
        StatCounterFilter: boolean;
        /**
         * @description Souvenirs.
         * @example false
         */
        SouvenirFilter: boolean;
        /**
         * @description Provider that quotes it.
         * @example northgate
         */
        ItemProviderFilter: string;
        /**
         * @description Least `best_ask_cents`.
         * @example 100
         */
        LowestAskFilter: number;
        /**
         * @description Most `best_ask_cents`.
         * @example 1000000
         */
        HighestAskFilter: number;
        /**
         * @description Only these items. In the address the ids have commas between them; a repeated name does as well.
         * @example [
         *       445,
         *       485
         *     ]
         */
        ItemIdsFilter: components["schemas"]["ItemId"][];
        /**
         * @description Stable identifier of the item, in canonical decimal form (no sign, no leading zero).
         * @example 4
         */
        ItemIdInPath: components["schemas"]["ItemId"];
        /**
         * @description Exact slug of one provider, see `listProviders`; only its quotes are returned. A provider without a quote never
         *     falls back to another. An unknown slug is refused with `unknown_provider`.
         * @example steam
         */
        ProviderFilter: components["schemas"]["ProviderSlug"];
        /**
         * @description Exact slug of one provider, see `listProviders`; it never falls back to another. An unknown slug is refused with
         *     `unknown_provider`. Left out: all providers, and on the Free plan the main platform, the only one that it may
         *     name.
         * @example steam
         */
        DailyProviderFilter: components["schemas"]["ProviderSlug"];
        /**
         * @description Offers (`ask`) or buy orders (`bid`), without fallback to the other. `bid` needs a paid plan.
         * @example ask
         */
        DailySide: components["schemas"]["SelectedSide"];
        /**
         * @description First UTC day, inclusive. Left out: 29 days before `to`, or the first of the last 30 completed UTC days. The
         *     window has at most 366 days (`window_too_large`).
         */
        DailyFrom: components["schemas"]["UtcDate"];
        /**
         * @description Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). Left out: 29 days after
         *     `from`, but at most the last completed UTC day.
         */
        DailyTo: components["schemas"]["UtcDate"];
        /**
         * @description Most rows on a page.
         * @example 2
         */
        DailyPageLimit: number;
        /**
         * @description Offers (`ask`) or buy orders (`bid`), without fallback to the other.
         * @example ask
         */
        HourlySide: components["schemas"]["SelectedSide"];
        /**
         * @description Exact slug of one provider, see `listProviders`. Each hour in which its feed has a frame then has one row of
         *     this name, quoted or not; it never falls back to another provider. An unknown slug is refused with
         *     `unknown_provider`. Left out: all providers that are quoted.
         * @example steam
         */
        HourlyProviderFilter: components["schemas"]["ProviderSlug"];
        /**
         * @description First UTC day, inclusive. Left out: 30 days before `to`, or before today. The window has at most 31 days
         *     (`window_too_large`).
         */
        HourlyFrom: components["schemas"]["UtcDate"];
        /**
         * @description Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). Left out: 30 days after
         *     `from`, but at most today.
         */
        HourlyTo: components["schemas"]["UtcDate"];
        /**
         * @description Most rows on a page.
         * @example 2
         */
        PageLimitTo1000: number;
        /**
         * @description Most revisions on a page.
         * @example 2
         */
        RevisionPageLimit: number;
        /** @description A UTC day before today (`invalid_range`). A day that the calendar does not have is refused with `invalid_parameter`. */
        DateInPath: components["schemas"]["UtcDate"];
        /**
         * @description The generation that is known already, such as `g5`; no cursor of pages. Left out, the answer comes at once.
         * @example g5
         */
        AfterGeneration: string;
        /**
         * @description Longest wait for a newer generation than `after`.
         * @example 0
         */
        WaitSeconds: number;
        /**
         * @description Name of a generation as quotes and exports tell it, `g` and its number without leading zero.
         * @example g5
         */
        GenerationInPath: string;
        /**
         * @description Exact slug of the index, see `listIndexes`.
         * @example knives-equal
         */
        IndexIdInPath: components["schemas"]["IndexId"];
        /**
         * @description First UTC day, inclusive. Left out: 30 days before `to`, or before today. The window has at most 366 days
         *     (`window_too_large`).
         */
        SeriesFrom: components["schemas"]["UtcDate"];
        /**
         * @description Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). Left out: 30 days after
         *     `from`, but at most today.
         */
        SeriesTo: components["schemas"]["UtcDate"];
        /**
         * @description Only levels of this methodology. A version that no level of the index has, and that is not its current one, is
         *     refused with `unknown_methodology_version`. Left out: the index's current one.
         * @example 1
         */
        IndexMethodologyFilter: components["schemas"]["MethodologyVersion"];
        /**
         * @description Members of this version. One that the index does not have is refused with `invalid_parameter`. Left out: that of
         *     the latest level.
         * @example 1
         */
        MembershipVersionFilter: components["schemas"]["MembershipVersion"];
        /**
         * @description Most rows on a page.
         * @example 2
         */
        PageLimitTo500: number;
        /**
         * @description ISO 4217 code, in capitals; only its rate is listed. One that no source names is a 404 `currency_not_found`.
         * @example EUR
         */
        CurrencyFilter: components["schemas"]["CurrencyCode"];
        /**
         * @description Most rates on a page.
         * @example 2
         */
        ExchangeRatePageLimit: number;
        /**
         * @description ISO 4217 code, in capitals. One that no source names is a 404 `currency_not_found`.
         * @example EUR
         */
        CurrencyInPath: components["schemas"]["CurrencyCode"];
        /**
         * @description What an outcome and the container are worth; `steam_gross` when left out. There is no fallback from one mode to the
         *     other.
         * @example steam_gross
         */
        ValuationModeFilter: components["schemas"]["SelectedValuationMode"];
        /**
         * @description Most containers on a page.
         * @example 2
         */
        OpenablePageLimit: number;
        /**
         * @description Exact slug of the container, see `listOpenables`. One that is hidden or does not exist is a 404 `openable_not_found`.
         * @example kilowatt-case
         */
        OpenableSlugInPath: components["schemas"]["OpenableSlug"];
        /**
         * @description Whether a row stands for a UTC hour or a UTC day; `day` when left out. Only this resolution is returned.
         * @example day
         */
        RoiGranularityFilter: components["schemas"]["SelectedRoiGranularity"];
        /**
         * @description Only rows of this methodology. A version by which nothing was ever calculated for the container, and that is not
         *     the service's current one, is refused with `unknown_methodology_version`. Left out: that of the current
         *     calculation.
         * @example roi-1
         */
        RoiMethodologyFilter: components["schemas"]["MethodologyVersion"];
        /**
         * @description Most rows on a page.
         * @example 2
         */
        RoiHistoryPageLimit: number;
        /**
         * @description Id of a portfolio out of `listPortfolios`: `pf_` and 16 to 32 of `[A-Za-z0-9]`. Any other text is a 404 like an id
         *     that does not exist, and not a 400.
         * @example pf_000000000000000demo7
         */
        PortfolioIdInPath: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Diagnostic identifier of this request, made by the server; the same as `request_id` in the body.
         * @example req_0mkfedmo00000001demodemo00
         */
        RequestIdHeader: components["schemas"]["RequestId"];
        /**
         * @description Keeps browsers from guessing another media type. The header is `X-Content-Type-Options`.
         * @example nosniff
         */
        ContentTypeOptions: "nosniff";
        /**
         * @description `Cache-Control` of an answer that no cache may keep.
         * @example no-store
         */
        NoStoreCaching: "no-store";
        /**
         * @description `Vary`: the request headers that the answer depends on, for caches.
         * @example Authorization, Accept-Encoding
         */
        VaryingHeaders: string;
        /**
         * @description `Access-Control-Allow-Origin`: pages of every origin may read the answer. No answer that takes a key has it.
         * @example *
         */
        AnyOrigin: "*";
        /**
         * @description Requests per minute that the account's plan allows. Present when the credential was accepted.
         * @example 60
         */
        RateLimitLimitIfKnown: number;
        /**
         * @description Requests that the minute limit still admits now. Present when the credential was accepted.
         * @example 60
         */
        RateLimitRemainingIfKnown: number;
        /**
         * @description Monthly units that are left. Present when the credential was accepted, but absent when the minute limit refused
         *     the request.
         * @example 10000
         */
        QuotaRemainingIfKnown: number;
        /**
         * @description `WWW-Authenticate`: asks for a bearer key, and says `invalid_token` when one was sent.
         * @example Bearer realm="itemtape", error="invalid_token"
         */
        BearerChallenge: string;
        /**
         * @description `Allow`: the methods of this path. Present when the path exists but not with this method.
         * @example GET
         */
        AllowedMethods: string;
        /**
         * @description Whole seconds to wait before the next attempt.
         * @example 30
         */
        RetryAfter: number;
        /**
         * @description Weak tag of the answer: a digest of everything in it but `request_id` and `generated_at`. The same for each
         *     coding; for `If-None-Match`.
         * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
         */
        ETag: string;
        /**
         * @description `Cache-Control` of an answer to a credential. Shared caches keep out of it, a private one asks again each time.
         * @example private, no-cache
         */
        PrivateCaching: "private, no-cache";
        /**
         * @description Requests per minute that the account's plan allows, over all its keys.
         * @example 60
         */
        RateLimitLimit: number;
        /**
         * @description Requests that the minute limit still admits now.
         * @example 59
         */
        RateLimitRemaining: number;
        /**
         * @description Monthly units that are left after this request, until the UTC calendar month ends.
         * @example 9999
         */
        QuotaRemaining: number;
        /**
         * @description `WWW-Authenticate`: names the scope that the key lacks. Present with `insufficient_scope`.
         * @example Bearer realm="itemtape", error="insufficient_scope", scope="market:read"
         */
        ScopeChallenge: string;
    };
    pathItems: never;
}
export type RequestId = components['schemas']['RequestId'];
export type StatusEnvelope = components['schemas']['StatusEnvelope'];
export type Status = components['schemas']['Status'];
export type DatabaseState = components['schemas']['DatabaseState'];
export type MarketSnapshotState = components['schemas']['MarketSnapshotState'];
export type ContractRevision = components['schemas']['ContractRevision'];
export type FeedStatus = components['schemas']['FeedStatus'];
export type FeedState = components['schemas']['FeedState'];
export type MarketRelease = components['schemas']['MarketRelease'];
export type Generation = components['schemas']['Generation'];
export type MarketReleaseState = components['schemas']['MarketReleaseState'];
export type Meta = components['schemas']['Meta'];
export type GeneratedAt = components['schemas']['GeneratedAt'];
export type Problem = components['schemas']['Problem'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type PageCursor = components['schemas']['PageCursor'];
export type ContractChangeListEnvelope = components['schemas']['ContractChangeListEnvelope'];
export type ContractChange = components['schemas']['ContractChange'];
export type ContractChangeKind = components['schemas']['ContractChangeKind'];
export type OperationName = components['schemas']['OperationName'];
export type PageMeta = components['schemas']['PageMeta'];
export type ProviderListEnvelope = components['schemas']['ProviderListEnvelope'];
export type Provider = components['schemas']['Provider'];
export type ProviderSlug = components['schemas']['ProviderSlug'];
export type ProviderKind = components['schemas']['ProviderKind'];
export type Cents = components['schemas']['Cents'];
export type Timestamp = components['schemas']['Timestamp'];
export type ItemId = components['schemas']['ItemId'];
export type ItemListEnvelope = components['schemas']['ItemListEnvelope'];
export type CatalogItem = components['schemas']['CatalogItem'];
export type MarketHashName = components['schemas']['MarketHashName'];
export type ItemSlug = components['schemas']['ItemSlug'];
export type PaintPhase = components['schemas']['PaintPhase'];
export type HttpsUrl = components['schemas']['HttpsUrl'];
export type ItemPageMeta = components['schemas']['ItemPageMeta'];
export type ResolveNamesRequest = components['schemas']['ResolveNamesRequest'];
export type AskedItemName = components['schemas']['AskedItemName'];
export type ResolvedNameListEnvelope = components['schemas']['ResolvedNameListEnvelope'];
export type ResolvedName = components['schemas']['ResolvedName'];
export type ItemCandidate = components['schemas']['ItemCandidate'];
export type ItemIdentity = components['schemas']['ItemIdentity'];
export type ItemEnvelope = components['schemas']['ItemEnvelope'];
export type ItemDetail = components['schemas']['ItemDetail'];
export type WearBound = components['schemas']['WearBound'];
export type OpenableSlug = components['schemas']['OpenableSlug'];
export type MarketPricesEnvelope = components['schemas']['MarketPricesEnvelope'];
export type MarketPrices = components['schemas']['MarketPrices'];
export type Availability = components['schemas']['Availability'];
export type IngestedAt = components['schemas']['IngestedAt'];
export type Quote = components['schemas']['Quote'];
export type Quantity = components['schemas']['Quantity'];
export type QuoteMeta = components['schemas']['QuoteMeta'];
export type Freshness = components['schemas']['Freshness'];
export type TimestampQuality = components['schemas']['TimestampQuality'];
export type SelectedSide = components['schemas']['SelectedSide'];
export type UtcDate = components['schemas']['UtcDate'];
export type DailyPriceHistoryEnvelope = components['schemas']['DailyPriceHistoryEnvelope'];
export type DailyPrice = components['schemas']['DailyPrice'];
export type QuoteSide = components['schemas']['QuoteSide'];
export type DailySeriesMeta = components['schemas']['DailySeriesMeta'];
export type SeriesResolutionDay = components['schemas']['SeriesResolutionDay'];
export type MissingPoints = components['schemas']['MissingPoints'];
export type HourlyPriceHistoryEnvelope = components['schemas']['HourlyPriceHistoryEnvelope'];
export type HourlyPrice = components['schemas']['HourlyPrice'];
export type HourlyAvailability = components['schemas']['HourlyAvailability'];
export type HourlySeriesMeta = components['schemas']['HourlySeriesMeta'];
export type SeriesResolutionHour = components['schemas']['SeriesResolutionHour'];
export type HistoryDayListEnvelope = components['schemas']['HistoryDayListEnvelope'];
export type HistoryDay = components['schemas']['HistoryDay'];
export type DayRevision = components['schemas']['DayRevision'];
export type DayCondition = components['schemas']['DayCondition'];
export type FeedHours = components['schemas']['FeedHours'];
export type FeedName = components['schemas']['FeedName'];
export type Sha256Digest = components['schemas']['Sha256Digest'];
export type DayExportRequest = components['schemas']['DayExportRequest'];
export type DayResolution = components['schemas']['DayResolution'];
export type DayExportRecord = components['schemas']['DayExportRecord'];
export type DayExportStart = components['schemas']['DayExportStart'];
export type DaySelection = components['schemas']['DaySelection'];
export type DayFrames = components['schemas']['DayFrames'];
export type HourOfDay = components['schemas']['HourOfDay'];
export type DayDaily = components['schemas']['DayDaily'];
export type DayDailyData = components['schemas']['DayDailyData'];
export type KnownQuantity = components['schemas']['KnownQuantity'];
export type KnownTime = components['schemas']['KnownTime'];
export type DayQuotes = components['schemas']['DayQuotes'];
export type DayQuotesData = components['schemas']['DayQuotesData'];
export type HourRange = components['schemas']['HourRange'];
export type DayMarkers = components['schemas']['DayMarkers'];
export type DayMarkersData = components['schemas']['DayMarkersData'];
export type FeedsOfHours = components['schemas']['FeedsOfHours'];
export type DayExportEnd = components['schemas']['DayExportEnd'];
export type SnapshotError = components['schemas']['SnapshotError'];
export type SnapshotErrorCode = components['schemas']['SnapshotErrorCode'];
export type BatchPricesRequest = components['schemas']['BatchPricesRequest'];
export type MarketPricesBatchEnvelope = components['schemas']['MarketPricesBatchEnvelope'];
export type MarketPricesBatchEntry = components['schemas']['MarketPricesBatchEntry'];
export type BatchEntryStatus = components['schemas']['BatchEntryStatus'];
export type SnapshotRecord = components['schemas']['SnapshotRecord'];
export type SnapshotStart = components['schemas']['SnapshotStart'];
export type SnapshotItem = components['schemas']['SnapshotItem'];
export type SnapshotItemData = components['schemas']['SnapshotItemData'];
export type SnapshotQuote = components['schemas']['SnapshotQuote'];
export type SnapshotEnd = components['schemas']['SnapshotEnd'];
export type ChangesRequest = components['schemas']['ChangesRequest'];
export type ChangesRecord = components['schemas']['ChangesRecord'];
export type ChangesStart = components['schemas']['ChangesStart'];
export type MarketState = components['schemas']['MarketState'];
export type ChangesRemoved = components['schemas']['ChangesRemoved'];
export type ChangesEnd = components['schemas']['ChangesEnd'];
export type PublishedGenerationEnvelope = components['schemas']['PublishedGenerationEnvelope'];
export type PublishedGeneration = components['schemas']['PublishedGeneration'];
export type IndexListEnvelope = components['schemas']['IndexListEnvelope'];
export type MarketIndex = components['schemas']['MarketIndex'];
export type IndexId = components['schemas']['IndexId'];
export type DecimalString = components['schemas']['DecimalString'];
export type IndexValue = components['schemas']['IndexValue'];
export type CapitalizationCents = components['schemas']['CapitalizationCents'];
export type PercentageString = components['schemas']['PercentageString'];
export type IndexWeighting = components['schemas']['IndexWeighting'];
export type MethodologyVersion = components['schemas']['MethodologyVersion'];
export type MembershipVersion = components['schemas']['MembershipVersion'];
export type IndexEnvelope = components['schemas']['IndexEnvelope'];
export type IndexMeta = components['schemas']['IndexMeta'];
export type IndexHistoryEnvelope = components['schemas']['IndexHistoryEnvelope'];
export type IndexLevel = components['schemas']['IndexLevel'];
export type IndexMemberListEnvelope = components['schemas']['IndexMemberListEnvelope'];
export type IndexMember = components['schemas']['IndexMember'];
export type CurrencyCode = components['schemas']['CurrencyCode'];
export type ExchangeRateListEnvelope = components['schemas']['ExchangeRateListEnvelope'];
export type ExchangeRate = components['schemas']['ExchangeRate'];
export type RatePerUsd = components['schemas']['RatePerUsd'];
export type ExchangeRateHistoryEnvelope = components['schemas']['ExchangeRateHistoryEnvelope'];
export type ExchangeRatePoint = components['schemas']['ExchangeRatePoint'];
export type SelectedValuationMode = components['schemas']['SelectedValuationMode'];
export type OpenableListEnvelope = components['schemas']['OpenableListEnvelope'];
export type Openable = components['schemas']['Openable'];
export type OpenableType = components['schemas']['OpenableType'];
export type ValuationMode = components['schemas']['ValuationMode'];
export type RoiCalculation = components['schemas']['RoiCalculation'];
export type PoolRevisionId = components['schemas']['PoolRevisionId'];
export type PoolRevisionNumber = components['schemas']['PoolRevisionNumber'];
export type StaleReason = components['schemas']['StaleReason'];
export type ReturnPercentage = components['schemas']['ReturnPercentage'];
export type ProfitPercentage = components['schemas']['ProfitPercentage'];
export type FinePercentage = components['schemas']['FinePercentage'];
export type PriceCoverage = components['schemas']['PriceCoverage'];
export type ValueQuantiles = components['schemas']['ValueQuantiles'];
export type RoiConfidence = components['schemas']['RoiConfidence'];
export type RoiFlag = components['schemas']['RoiFlag'];
export type TierName = components['schemas']['TierName'];
export type OpenablePageMeta = components['schemas']['OpenablePageMeta'];
export type OpenableEnvelope = components['schemas']['OpenableEnvelope'];
export type OpenableDetail = components['schemas']['OpenableDetail'];
export type OpenablePool = components['schemas']['OpenablePool'];
export type OddsSource = components['schemas']['OddsSource'];
export type PoolFlag = components['schemas']['PoolFlag'];
export type PoolTier = components['schemas']['PoolTier'];
export type ProbabilityPercentage = components['schemas']['ProbabilityPercentage'];
export type OpenableMeta = components['schemas']['OpenableMeta'];
export type SelectedRoiGranularity = components['schemas']['SelectedRoiGranularity'];
export type OpenableHistoryEnvelope = components['schemas']['OpenableHistoryEnvelope'];
export type RoiHistoryRow = components['schemas']['RoiHistoryRow'];
export type RoiGranularity = components['schemas']['RoiGranularity'];
export type RoiSeriesMeta = components['schemas']['RoiSeriesMeta'];
export type OpenableOutcomeListEnvelope = components['schemas']['OpenableOutcomeListEnvelope'];
export type OpenableOutcome = components['schemas']['OpenableOutcome'];
export type OutcomeStatus = components['schemas']['OutcomeStatus'];
export type UsageEnvelope = components['schemas']['UsageEnvelope'];
export type Usage = components['schemas']['Usage'];
export type PlanName = components['schemas']['PlanName'];
export type PortfolioListEnvelope = components['schemas']['PortfolioListEnvelope'];
export type Portfolio = components['schemas']['Portfolio'];
export type PortfolioId = components['schemas']['PortfolioId'];
export type PortfolioEnvelope = components['schemas']['PortfolioEnvelope'];
export type PortfolioHoldingListEnvelope = components['schemas']['PortfolioHoldingListEnvelope'];
export type PortfolioHolding = components['schemas']['PortfolioHolding'];
export type HoldingId = components['schemas']['HoldingId'];
export type LotItemName = components['schemas']['LotItemName'];
export type HoldingOrigin = components['schemas']['HoldingOrigin'];
export type PortfolioTransactionListEnvelope = components['schemas']['PortfolioTransactionListEnvelope'];
export type PortfolioTransaction = components['schemas']['PortfolioTransaction'];
export type TransactionId = components['schemas']['TransactionId'];
export type TransactionKind = components['schemas']['TransactionKind'];
export type LedgerMeta = components['schemas']['LedgerMeta'];
export type PortfolioHistoryEnvelope = components['schemas']['PortfolioHistoryEnvelope'];
export type PortfolioValuation = components['schemas']['PortfolioValuation'];
export type ResponseNoParametersBadRequest = components['responses']['NoParametersBadRequest'];
export type ResponseStatusUnauthorized = components['responses']['StatusUnauthorized'];
export type ResponseStatusForbidden = components['responses']['StatusForbidden'];
export type ResponseEndpointNotFound = components['responses']['EndpointNotFound'];
export type ResponseBodilessRequestTooLarge = components['responses']['BodilessRequestTooLarge'];
export type ResponseStatusTooManyRequests = components['responses']['StatusTooManyRequests'];
export type ResponseServiceUnavailable = components['responses']['ServiceUnavailable'];
export type ResponseNotModified = components['responses']['NotModified'];
export type ResponsePageBadRequest = components['responses']['PageBadRequest'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseItemListBadRequest = components['responses']['ItemListBadRequest'];
export type ResponseItemListForbidden = components['responses']['ItemListForbidden'];
export type ResponseResolvedNamesBadRequest = components['responses']['ResolvedNamesBadRequest'];
export type ResponseRequestTooLarge = components['responses']['RequestTooLarge'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseItemNotFound = components['responses']['ItemNotFound'];
export type ResponseMarketPricesBadRequest = components['responses']['MarketPricesBadRequest'];
export type ResponsePaidForbidden = components['responses']['PaidForbidden'];
export type ResponsePricesUnavailable = components['responses']['PricesUnavailable'];
export type ResponseDailyPriceHistoryBadRequest = components['responses']['DailyPriceHistoryBadRequest'];
export type ResponseDailyPriceHistoryForbidden = components['responses']['DailyPriceHistoryForbidden'];
export type ResponseHourlyPriceHistoryBadRequest = components['responses']['HourlyPriceHistoryBadRequest'];
export type ResponseDayExportBadRequest = components['responses']['DayExportBadRequest'];
export type ResponseDayExportForbidden = components['responses']['DayExportForbidden'];
export type ResponseDayNotFound = components['responses']['DayNotFound'];
export type ResponseDayExportTooManyRequests = components['responses']['DayExportTooManyRequests'];
export type ResponseMarketPricesBatchBadRequest = components['responses']['MarketPricesBatchBadRequest'];
export type ResponseSnapshotTooManyRequests = components['responses']['SnapshotTooManyRequests'];
export type ResponseMarketSnapshotUnavailable = components['responses']['MarketSnapshotUnavailable'];
export type ResponseChangesBadRequest = components['responses']['ChangesBadRequest'];
export type ResponseChangesNotFound = components['responses']['ChangesNotFound'];
export type ResponseChangesTooManyRequests = components['responses']['ChangesTooManyRequests'];
export type ResponseWaitingTooManyRequests = components['responses']['WaitingTooManyRequests'];
export type ResponseGenerationNotFound = components['responses']['GenerationNotFound'];
export type ResponseIndexNotFound = components['responses']['IndexNotFound'];
export type ResponseIndexHistoryBadRequest = components['responses']['IndexHistoryBadRequest'];
export type ResponseListedCurrencyNotFound = components['responses']['ListedCurrencyNotFound'];
export type ResponseWindowBadRequest = components['responses']['WindowBadRequest'];
export type ResponseCurrencyNotFound = components['responses']['CurrencyNotFound'];
export type ResponseOpenableNotFound = components['responses']['OpenableNotFound'];
export type ResponseOpenableHistoryBadRequest = components['responses']['OpenableHistoryBadRequest'];
export type ResponseUsageForbidden = components['responses']['UsageForbidden'];
export type ResponseUsageTooManyRequests = components['responses']['UsageTooManyRequests'];
export type ResponsePortfolioForbidden = components['responses']['PortfolioForbidden'];
export type ResponsePortfolioNotFound = components['responses']['PortfolioNotFound'];
export type ParameterPageLimit = components['parameters']['PageLimit'];
export type ParameterAfterPage = components['parameters']['AfterPage'];
export type ParameterIfNoneMatch = components['parameters']['IfNoneMatch'];
export type ParameterProviderPageLimit = components['parameters']['ProviderPageLimit'];
export type ParameterItemCursor = components['parameters']['ItemCursor'];
export type ParameterNameSearch = components['parameters']['NameSearch'];
export type ParameterItemTypeFilter = components['parameters']['ItemTypeFilter'];
export type ParameterRarityFilter = components['parameters']['RarityFilter'];
export type ParameterWeaponFilter = components['parameters']['WeaponFilter'];
export type ParameterWearFilter = components['parameters']['WearFilter'];
export type ParameterPhaseFilter = components['parameters']['PhaseFilter'];
export type ParameterStatCounterFilter = components['parameters']['StatCounterFilter'];
export type ParameterSouvenirFilter = components['parameters']['SouvenirFilter'];
export type ParameterItemProviderFilter = components['parameters']['ItemProviderFilter'];
export type ParameterLowestAskFilter = components['parameters']['LowestAskFilter'];
export type ParameterHighestAskFilter = components['parameters']['HighestAskFilter'];
export type ParameterItemIdsFilter = components['parameters']['ItemIdsFilter'];
export type ParameterItemIdInPath = components['parameters']['ItemIdInPath'];
export type ParameterProviderFilter = components['parameters']['ProviderFilter'];
export type ParameterDailyProviderFilter = components['parameters']['DailyProviderFilter'];
export type ParameterDailySide = components['parameters']['DailySide'];
export type ParameterDailyFrom = components['parameters']['DailyFrom'];
export type ParameterDailyTo = components['parameters']['DailyTo'];
export type ParameterDailyPageLimit = components['parameters']['DailyPageLimit'];
export type ParameterHourlySide = components['parameters']['HourlySide'];
export type ParameterHourlyProviderFilter = components['parameters']['HourlyProviderFilter'];
export type ParameterHourlyFrom = components['parameters']['HourlyFrom'];
export type ParameterHourlyTo = components['parameters']['HourlyTo'];
export type ParameterPageLimitTo1000 = components['parameters']['PageLimitTo1000'];
export type ParameterRevisionPageLimit = components['parameters']['RevisionPageLimit'];
export type ParameterDateInPath = components['parameters']['DateInPath'];
export type ParameterAfterGeneration = components['parameters']['AfterGeneration'];
export type ParameterWaitSeconds = components['parameters']['WaitSeconds'];
export type ParameterGenerationInPath = components['parameters']['GenerationInPath'];
export type ParameterIndexIdInPath = components['parameters']['IndexIdInPath'];
export type ParameterSeriesFrom = components['parameters']['SeriesFrom'];
export type ParameterSeriesTo = components['parameters']['SeriesTo'];
export type ParameterIndexMethodologyFilter = components['parameters']['IndexMethodologyFilter'];
export type ParameterMembershipVersionFilter = components['parameters']['MembershipVersionFilter'];
export type ParameterPageLimitTo500 = components['parameters']['PageLimitTo500'];
export type ParameterCurrencyFilter = components['parameters']['CurrencyFilter'];
export type ParameterExchangeRatePageLimit = components['parameters']['ExchangeRatePageLimit'];
export type ParameterCurrencyInPath = components['parameters']['CurrencyInPath'];
export type ParameterValuationModeFilter = components['parameters']['ValuationModeFilter'];
export type ParameterOpenablePageLimit = components['parameters']['OpenablePageLimit'];
export type ParameterOpenableSlugInPath = components['parameters']['OpenableSlugInPath'];
export type ParameterRoiGranularityFilter = components['parameters']['RoiGranularityFilter'];
export type ParameterRoiMethodologyFilter = components['parameters']['RoiMethodologyFilter'];
export type ParameterRoiHistoryPageLimit = components['parameters']['RoiHistoryPageLimit'];
export type ParameterPortfolioIdInPath = components['parameters']['PortfolioIdInPath'];
export type HeaderRequestIdHeader = components['headers']['RequestIdHeader'];
export type HeaderContentTypeOptions = components['headers']['ContentTypeOptions'];
export type HeaderNoStoreCaching = components['headers']['NoStoreCaching'];
export type HeaderVaryingHeaders = components['headers']['VaryingHeaders'];
export type HeaderAnyOrigin = components['headers']['AnyOrigin'];
export type HeaderRateLimitLimitIfKnown = components['headers']['RateLimitLimitIfKnown'];
export type HeaderRateLimitRemainingIfKnown = components['headers']['RateLimitRemainingIfKnown'];
export type HeaderQuotaRemainingIfKnown = components['headers']['QuotaRemainingIfKnown'];
export type HeaderBearerChallenge = components['headers']['BearerChallenge'];
export type HeaderAllowedMethods = components['headers']['AllowedMethods'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderPrivateCaching = components['headers']['PrivateCaching'];
export type HeaderRateLimitLimit = components['headers']['RateLimitLimit'];
export type HeaderRateLimitRemaining = components['headers']['RateLimitRemaining'];
export type HeaderQuotaRemaining = components['headers']['QuotaRemaining'];
export type HeaderScopeChallenge = components['headers']['ScopeChallenge'];
export type $defs = Record<string, never>;
export interface operations {
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What can be read locally. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["NoStoreCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusEnvelope"];
                };
            };
            400: components["responses"]["NoParametersBadRequest"];
            401: components["responses"]["StatusUnauthorized"];
            403: components["responses"]["StatusForbidden"];
            404: components["responses"]["EndpointNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["StatusTooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listContractChanges: {
        parameters: {
            query?: {
                /**
                 * @description Most rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description `meta.next_page` of the page before, unchanged. It remembers filters and resolved dates that are left out; given
                 *     again, they must be the same (`cursor_mismatch`). Any other text of this form is an `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContractChangeListEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["PageBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["EndpointNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProviders: {
        parameters: {
            query?: {
                /**
                 * @description Most providers on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["ProviderPageLimit"];
                /**
                 * @description `meta.next_page` of the page before, unchanged. It remembers filters and resolved dates that are left out; given
                 *     again, they must be the same (`cursor_mismatch`). Any other text of this form is an `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of providers in ascending order of their slug. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderListEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["PageBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["EndpointNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listItems: {
        parameters: {
            query?: {
                /** @description Exclusive lower bound of `item_id`. Pass `meta.next_cursor` of the page before. */
                cursor?: components["parameters"]["ItemCursor"];
                /**
                 * @description Most rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description Words in any order. Each begins a word of the item's English or Russian name, its phase or type; one or two
                 *     characters are a whole word. Case, accents, punctuation and signs have no weight, and parts at hyphens and digits are
                 *     words, too: `ak`, `47` and `ak47` find `AK-47`. `fn mw ft ww bs` mean wears, `st` the stat counter, and common
                 *     nicknames are known. If no item has all words, `meta.read_as` names the search made instead. The page stays in ascending
                 *     `item_id`; clients rank it. A part in `"…"` is literal but for case; so is a `q` without letter and digit or
                 *     with an open quote.
                 * @example karambit doppler
                 */
                q?: components["parameters"]["NameSearch"];
                /**
                 * @description Type.
                 * @example Knife
                 */
                item_type?: components["parameters"]["ItemTypeFilter"];
                /**
                 * @description Rarity.
                 * @example Covert
                 */
                rarity?: components["parameters"]["RarityFilter"];
                /**
                 * @description Such as `AK-47` or `Karambit`.
                 * @example Karambit
                 */
                weapon?: components["parameters"]["WeaponFilter"];
                /**
                 * @description Wear.
                 * @example Factory New
                 */
                wear?: components["parameters"]["WearFilter"];
                /**
                 * @description Phase.
                 * @example Ruby
                 */
                phase?: components["parameters"]["PhaseFilter"];
                /**
                 * @description Stat-counter variants.
                 * @example false
                 */
                stat_counter?: components["parameters"]["StatCounterFilter"];
                /**
                 * @description Souvenirs.
                 * @example false
                 */
                souvenir?: components["parameters"]["SouvenirFilter"];
                /**
                 * @description Provider that quotes it.
                 * @example northgate
                 */
                provider?: components["parameters"]["ItemProviderFilter"];
                /**
                 * @description Least `best_ask_cents`.
                 * @example 100
                 */
                ask_min?: components["parameters"]["LowestAskFilter"];
                /**
                 * @description Most `best_ask_cents`.
                 * @example 1000000
                 */
                ask_max?: components["parameters"]["HighestAskFilter"];
                /**
                 * @description Only these items. In the address the ids have commas between them; a repeated name does as well.
                 * @example [
                 *       445,
                 *       485
                 *     ]
                 */
                item_ids?: components["parameters"]["ItemIdsFilter"];
            };
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of catalog items in ascending `item_id`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemListEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["ItemListBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ItemListForbidden"];
            404: components["responses"]["EndpointNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resolveItemNames: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * @description JSON of at most 16 KiB (more: 413 `request_too_large`, which long names in non-Latin scripts can reach before
         *     their count does). More than 100 names are refused with `batch_limit_exceeded`, repeated names with
         *     `invalid_body`.
         */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveNamesRequest"];
            };
        };
        responses: {
            /** @description One entry for each requested name, in the order of the request. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["NoStoreCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolvedNameListEnvelope"];
                };
            };
            400: components["responses"]["ResolvedNamesBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["EndpointNotFound"];
            413: components["responses"]["RequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getItem: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Stable identifier of the item, in canonical decimal form (no sign, no leading zero).
                 * @example 4
                 */
                item_id: components["parameters"]["ItemIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stored metadata of the item; missing fields are null. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ItemNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMarketPrices: {
        parameters: {
            query?: {
                /**
                 * @description Exact slug of one provider, see `listProviders`; only its quotes are returned. A provider without a quote never
                 *     falls back to another. An unknown slug is refused with `unknown_provider`.
                 * @example steam
                 */
                provider?: components["parameters"]["ProviderFilter"];
            };
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Stable identifier of the item, in canonical decimal form (no sign, no leading zero).
                 * @example 4
                 */
                item_id: components["parameters"]["ItemIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cached quotes of the item. Observed offers and orders, not completed sales. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarketPricesEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["MarketPricesBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PaidForbidden"];
            404: components["responses"]["ItemNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["PricesUnavailable"];
        };
    };
    getDailyPriceHistory: {
        parameters: {
            query?: {
                /**
                 * @description Exact slug of one provider, see `listProviders`; it never falls back to another. An unknown slug is refused with
                 *     `unknown_provider`. Left out: all providers, and on the Free plan the main platform, the only one that it may
                 *     name.
                 * @example steam
                 */
                provider?: components["parameters"]["DailyProviderFilter"];
                /**
                 * @description Offers (`ask`) or buy orders (`bid`), without fallback to the other. `bid` needs a paid plan.
                 * @example ask
                 */
                side?: components["parameters"]["DailySide"];
                /**
                 * @description First UTC day, inclusive. Left out: 29 days before `to`, or the first of the last 30 completed UTC days. The
                 *     window has at most 366 days (`window_too_large`).
                 */
                from?: components["parameters"]["DailyFrom"];
                /**
                 * @description Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). Left out: 29 days after
                 *     `from`, but at most the last completed UTC day.
                 */
                to?: components["parameters"]["DailyTo"];
                /**
                 * @description Most rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["DailyPageLimit"];
                /**
                 * @description `meta.next_page` of the page before, unchanged. It remembers filters and resolved dates that are left out; given
                 *     again, they must be the same (`cursor_mismatch`). Any other text of this form is an `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Stable identifier of the item, in canonical decimal form (no sign, no leading zero).
                 * @example 4
                 */
                item_id: components["parameters"]["ItemIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Daily rows in ascending order of `date`, then `provider`. Observed offers and orders, not completed sales. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DailyPriceHistoryEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["DailyPriceHistoryBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DailyPriceHistoryForbidden"];
            404: components["responses"]["ItemNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getHourlyPriceHistory: {
        parameters: {
            query?: {
                /**
                 * @description Offers (`ask`) or buy orders (`bid`), without fallback to the other.
                 * @example ask
                 */
                side?: components["parameters"]["HourlySide"];
                /**
                 * @description Exact slug of one provider, see `listProviders`. Each hour in which its feed has a frame then has one row of
                 *     this name, quoted or not; it never falls back to another provider. An unknown slug is refused with
                 *     `unknown_provider`. Left out: all providers that are quoted.
                 * @example steam
                 */
                provider?: components["parameters"]["HourlyProviderFilter"];
                /**
                 * @description First UTC day, inclusive. Left out: 30 days before `to`, or before today. The window has at most 31 days
                 *     (`window_too_large`).
                 */
                from?: components["parameters"]["HourlyFrom"];
                /**
                 * @description Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). Left out: 30 days after
                 *     `from`, but at most today.
                 */
                to?: components["parameters"]["HourlyTo"];
                /**
                 * @description Most rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["PageLimitTo1000"];
                /**
                 * @description `meta.next_page` of the page before, unchanged. It remembers filters and resolved dates that are left out; given
                 *     again, they must be the same (`cursor_mismatch`). Any other text of this form is an `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Stable identifier of the item, in canonical decimal form (no sign, no leading zero).
                 * @example 4
                 */
                item_id: components["parameters"]["ItemIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Hourly rows in ascending order of `ts`, then `provider`, markers first. Observed offers and orders, not completed sales. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HourlyPriceHistoryEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["HourlyPriceHistoryBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PaidForbidden"];
            404: components["responses"]["ItemNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listHistoryDays: {
        parameters: {
            query?: {
                /**
                 * @description Most revisions on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["RevisionPageLimit"];
                /**
                 * @description `meta.next_page` of the page before, unchanged. It remembers filters and resolved dates that are left out; given
                 *     again, they must be the same (`cursor_mismatch`). Any other text of this form is an `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sealed days, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryDayListEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["PageBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["EndpointNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    streamHistoryDay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UTC day before today (`invalid_range`). A day that the calendar does not have is refused with `invalid_parameter`. */
                date: components["parameters"]["DateInPath"];
            };
            cookie?: never;
        };
        /** @description JSON of at most 16 KiB; `resolution` says what is sent. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DayExportRequest"];
            };
        };
        responses: {
            /**
             * @description One record per line, each ended by a line feed. Complete only with a matching `end` record; the status 200 alone
             *     proves nothing.
             */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["NoStoreCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["DayExportBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DayExportForbidden"];
            404: components["responses"]["DayNotFound"];
            413: components["responses"]["RequestTooLarge"];
            429: components["responses"]["DayExportTooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMarketPricesBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * @description JSON of at most 16 KiB (more: 413 `request_too_large`). More than 100 ids are refused with
         *     `batch_limit_exceeded`, repeated ids with `invalid_body`.
         */
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchPricesRequest"];
            };
        };
        responses: {
            /** @description One entry for each requested id, in the order of the request. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["NoStoreCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarketPricesBatchEnvelope"];
                };
            };
            400: components["responses"]["MarketPricesBatchBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PaidForbidden"];
            404: components["responses"]["EndpointNotFound"];
            413: components["responses"]["RequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["PricesUnavailable"];
        };
    };
    streamMarketSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description One record per line, each ended by a line feed. Complete only with a matching `end` record; the status 200 alone
             *     proves nothing.
             */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["NoStoreCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["NoParametersBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PaidForbidden"];
            404: components["responses"]["EndpointNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["SnapshotTooManyRequests"];
            503: components["responses"]["MarketSnapshotUnavailable"];
        };
    };
    streamMarketChanges: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description JSON of at most 16 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangesRequest"];
            };
        };
        responses: {
            /** @description One record per line, each ended by a line feed. Complete only with a matching `end` record. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["NoStoreCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["ChangesBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PaidForbidden"];
            404: components["responses"]["ChangesNotFound"];
            413: components["responses"]["RequestTooLarge"];
            429: components["responses"]["ChangesTooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCurrentGeneration: {
        parameters: {
            query?: {
                /**
                 * @description The generation that is known already, such as `g5`; no cursor of pages. Left out, the answer comes at once.
                 * @example g5
                 */
                after?: components["parameters"]["AfterGeneration"];
                /**
                 * @description Longest wait for a newer generation than `after`.
                 * @example 0
                 */
                wait_seconds?: components["parameters"]["WaitSeconds"];
            };
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The present generation, its totals and both digests. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedGenerationEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PaidForbidden"];
            404: components["responses"]["EndpointNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["WaitingTooManyRequests"];
            503: components["responses"]["PricesUnavailable"];
        };
    };
    getGeneration: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Name of a generation as quotes and exports tell it, `g` and its number without leading zero.
                 * @example g5
                 */
                generation: components["parameters"]["GenerationInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The totals and the digest of the generation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedGenerationEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PaidForbidden"];
            404: components["responses"]["GenerationNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listIndexes: {
        parameters: {
            query?: {
                /**
                 * @description Most rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description `meta.next_page` of the page before, unchanged. It remembers filters and resolved dates that are left out; given
                 *     again, they must be the same (`cursor_mismatch`). Any other text of this form is an `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of indexes in ascending order of `index_id`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IndexListEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["PageBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PaidForbidden"];
            404: components["responses"]["EndpointNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getIndex: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Exact slug of the index, see `listIndexes`.
                 * @example knives-equal
                 */
                index_id: components["parameters"]["IndexIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The index with its latest level. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IndexEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PaidForbidden"];
            404: components["responses"]["IndexNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getIndexHistory: {
        parameters: {
            query?: {
                /**
                 * @description First UTC day, inclusive. Left out: 30 days before `to`, or before today. The window has at most 366 days
                 *     (`window_too_large`).
                 */
                from?: components["parameters"]["SeriesFrom"];
                /**
                 * @description Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). Left out: 30 days after
                 *     `from`, but at most today.
                 */
                to?: components["parameters"]["SeriesTo"];
                /**
                 * @description Only levels of this methodology. A version that no level of the index has, and that is not its current one, is
                 *     refused with `unknown_methodology_version`. Left out: the index's current one.
                 * @example 1
                 */
                methodology_version?: components["parameters"]["IndexMethodologyFilter"];
                /**
                 * @description Most rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["PageLimitTo1000"];
                /**
                 * @description `meta.next_page` of the page before, unchanged. It remembers filters and resolved dates that are left out; given
                 *     again, they must be the same (`cursor_mismatch`). Any other text of this form is an `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Exact slug of the index, see `listIndexes`.
                 * @example knives-equal
                 */
                index_id: components["parameters"]["IndexIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Daily levels of one methodology in ascending order of `date`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IndexHistoryEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["IndexHistoryBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PaidForbidden"];
            404: components["responses"]["IndexNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listIndexMembers: {
        parameters: {
            query?: {
                /**
                 * @description Members of this version. One that the index does not have is refused with `invalid_parameter`. Left out: that of
                 *     the latest level.
                 * @example 1
                 */
                membership_version?: components["parameters"]["MembershipVersionFilter"];
                /**
                 * @description Most rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["PageLimitTo500"];
                /**
                 * @description `meta.next_page` of the page before, unchanged. It remembers filters and resolved dates that are left out; given
                 *     again, they must be the same (`cursor_mismatch`). Any other text of this form is an `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Exact slug of the index, see `listIndexes`.
                 * @example knives-equal
                 */
                index_id: components["parameters"]["IndexIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the members of one version in ascending `item_id`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IndexMemberListEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["PageBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PaidForbidden"];
            404: components["responses"]["IndexNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listExchangeRates: {
        parameters: {
            query?: {
                /**
                 * @description ISO 4217 code, in capitals; only its rate is listed. One that no source names is a 404 `currency_not_found`.
                 * @example EUR
                 */
                currency?: components["parameters"]["CurrencyFilter"];
                /**
                 * @description Most rates on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["ExchangeRatePageLimit"];
                /**
                 * @description `meta.next_page` of the page before, unchanged. It remembers filters and resolved dates that are left out; given
                 *     again, they must be the same (`cursor_mismatch`). Any other text of this form is an `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of latest rates in ascending order of `currency`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExchangeRateListEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["PageBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PaidForbidden"];
            404: components["responses"]["ListedCurrencyNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getExchangeRateHistory: {
        parameters: {
            query?: {
                /**
                 * @description First UTC day, inclusive. Left out: 30 days before `to`, or before today. The window has at most 366 days
                 *     (`window_too_large`).
                 */
                from?: components["parameters"]["SeriesFrom"];
                /**
                 * @description Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). Left out: 30 days after
                 *     `from`, but at most today.
                 */
                to?: components["parameters"]["SeriesTo"];
                /**
                 * @description Most rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["DailyPageLimit"];
                /**
                 * @description `meta.next_page` of the page before, unchanged. It remembers filters and resolved dates that are left out; given
                 *     again, they must be the same (`cursor_mismatch`). Any other text of this form is an `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description ISO 4217 code, in capitals. One that no source names is a 404 `currency_not_found`.
                 * @example EUR
                 */
                currency: components["parameters"]["CurrencyInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Daily rates in ascending order of `date`; a day without a rate has no row. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExchangeRateHistoryEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["WindowBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PaidForbidden"];
            404: components["responses"]["CurrencyNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOpenables: {
        parameters: {
            query?: {
                /**
                 * @description What an outcome and the container are worth; `steam_gross` when left out. There is no fallback from one mode to the
                 *     other.
                 * @example steam_gross
                 */
                valuation_mode?: components["parameters"]["ValuationModeFilter"];
                /**
                 * @description Most containers on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["OpenablePageLimit"];
                /**
                 * @description `meta.next_page` of the page before, unchanged. It remembers filters and resolved dates that are left out; given
                 *     again, they must be the same (`cursor_mismatch`). Any other text of this form is an `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of containers in ascending order of `slug`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenableListEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["PageBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PaidForbidden"];
            404: components["responses"]["EndpointNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOpenable: {
        parameters: {
            query?: {
                /**
                 * @description What an outcome and the container are worth; `steam_gross` when left out. There is no fallback from one mode to the
                 *     other.
                 * @example steam_gross
                 */
                valuation_mode?: components["parameters"]["ValuationModeFilter"];
            };
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Exact slug of the container, see `listOpenables`. One that is hidden or does not exist is a 404 `openable_not_found`.
                 * @example kilowatt-case
                 */
                slug: components["parameters"]["OpenableSlugInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The container with its pool and its current calculation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenableEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PaidForbidden"];
            404: components["responses"]["OpenableNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOpenableHistory: {
        parameters: {
            query?: {
                /**
                 * @description First UTC day, inclusive. Left out: 30 days before `to`, or before today. The window has at most 366 days
                 *     (`window_too_large`).
                 */
                from?: components["parameters"]["SeriesFrom"];
                /**
                 * @description Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). Left out: 30 days after
                 *     `from`, but at most today.
                 */
                to?: components["parameters"]["SeriesTo"];
                /**
                 * @description Whether a row stands for a UTC hour or a UTC day; `day` when left out. Only this resolution is returned.
                 * @example day
                 */
                granularity?: components["parameters"]["RoiGranularityFilter"];
                /**
                 * @description What an outcome and the container are worth; `steam_gross` when left out. There is no fallback from one mode to the
                 *     other.
                 * @example steam_gross
                 */
                valuation_mode?: components["parameters"]["ValuationModeFilter"];
                /**
                 * @description Only rows of this methodology. A version by which nothing was ever calculated for the container, and that is not
                 *     the service's current one, is refused with `unknown_methodology_version`. Left out: that of the current
                 *     calculation.
                 * @example roi-1
                 */
                methodology_version?: components["parameters"]["RoiMethodologyFilter"];
                /**
                 * @description Most rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["RoiHistoryPageLimit"];
                /**
                 * @description `meta.next_page` of the page before, unchanged. It remembers filters and resolved dates that are left out; given
                 *     again, they must be the same (`cursor_mismatch`). Any other text of this form is an `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Exact slug of the container, see `listOpenables`. One that is hidden or does not exist is a 404 `openable_not_found`.
                 * @example kilowatt-case
                 */
                slug: components["parameters"]["OpenableSlugInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Model snapshots of one mode, granularity and methodology in ascending order of `ts`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenableHistoryEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["OpenableHistoryBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PaidForbidden"];
            404: components["responses"]["OpenableNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOpenableOutcomes: {
        parameters: {
            query?: {
                /**
                 * @description What an outcome and the container are worth; `steam_gross` when left out. There is no fallback from one mode to the
                 *     other.
                 * @example steam_gross
                 */
                valuation_mode?: components["parameters"]["ValuationModeFilter"];
                /**
                 * @description Most rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["PageLimitTo1000"];
                /**
                 * @description `meta.next_page` of the page before, unchanged. It remembers filters and resolved dates that are left out; given
                 *     again, they must be the same (`cursor_mismatch`). Any other text of this form is an `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Exact slug of the container, see `listOpenables`. One that is hidden or does not exist is a 404 `openable_not_found`.
                 * @example kilowatt-case
                 */
                slug: components["parameters"]["OpenableSlugInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the outcomes in the order of the pool. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenableOutcomeListEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["PageBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PaidForbidden"];
            404: components["responses"]["OpenableNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the account of the calling key has used. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["NoParametersBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["UsageForbidden"];
            404: components["responses"]["EndpointNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["UsageTooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPortfolios: {
        parameters: {
            query?: {
                /**
                 * @description Most rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description `meta.next_page` of the page before, unchanged. It remembers filters and resolved dates that are left out; given
                 *     again, they must be the same (`cursor_mismatch`). Any other text of this form is an `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the token's portfolios in ascending order of `portfolio_id`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortfolioListEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["PageBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PortfolioForbidden"];
            404: components["responses"]["EndpointNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPortfolio: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of a portfolio out of `listPortfolios`: `pf_` and 16 to 32 of `[A-Za-z0-9]`. Any other text is a 404 like an id
                 *     that does not exist, and not a 400.
                 * @example pf_000000000000000demo7
                 */
                portfolio_id: components["parameters"]["PortfolioIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings of the portfolio. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortfolioEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PortfolioForbidden"];
            404: components["responses"]["PortfolioNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPortfolioHoldings: {
        parameters: {
            query?: {
                /**
                 * @description Most rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["PageLimitTo500"];
                /**
                 * @description `meta.next_page` of the page before, unchanged. It remembers filters and resolved dates that are left out; given
                 *     again, they must be the same (`cursor_mismatch`). Any other text of this form is an `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of a portfolio out of `listPortfolios`: `pf_` and 16 to 32 of `[A-Za-z0-9]`. Any other text is a 404 like an id
                 *     that does not exist, and not a 400.
                 * @example pf_000000000000000demo7
                 */
                portfolio_id: components["parameters"]["PortfolioIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of lots in ascending order of `holding_id`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortfolioHoldingListEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["PageBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PortfolioForbidden"];
            404: components["responses"]["PortfolioNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPortfolioTransactions: {
        parameters: {
            query?: {
                /**
                 * @description First UTC day, inclusive. Left out: 30 days before `to`, or before today. The window has at most 366 days
                 *     (`window_too_large`).
                 */
                from?: components["parameters"]["SeriesFrom"];
                /**
                 * @description Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). Left out: 30 days after
                 *     `from`, but at most today.
                 */
                to?: components["parameters"]["SeriesTo"];
                /**
                 * @description Most rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["PageLimitTo500"];
                /**
                 * @description `meta.next_page` of the page before, unchanged. It remembers filters and resolved dates that are left out; given
                 *     again, they must be the same (`cursor_mismatch`). Any other text of this form is an `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of a portfolio out of `listPortfolios`: `pf_` and 16 to 32 of `[A-Za-z0-9]`. Any other text is a 404 like an id
                 *     that does not exist, and not a 400.
                 * @example pf_000000000000000demo7
                 */
                portfolio_id: components["parameters"]["PortfolioIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the owner's ledger in ascending order of `occurred_on` and `transaction_id`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortfolioTransactionListEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["WindowBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PortfolioForbidden"];
            404: components["responses"]["PortfolioNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPortfolioHistory: {
        parameters: {
            query?: {
                /**
                 * @description First UTC day, inclusive. Left out: 30 days before `to`, or before today. The window has at most 366 days
                 *     (`window_too_large`).
                 */
                from?: components["parameters"]["SeriesFrom"];
                /**
                 * @description Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). Left out: 30 days after
                 *     `from`, but at most today.
                 */
                to?: components["parameters"]["SeriesTo"];
                /**
                 * @description Most rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["DailyPageLimit"];
                /**
                 * @description `meta.next_page` of the page before, unchanged. It remembers filters and resolved dates that are left out; given
                 *     again, they must be the same (`cursor_mismatch`). Any other text of this form is an `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of answers that are held already, with commas between them, or `*`. Where one is the tag of what would
                 *     be answered, the answer is a 304, which costs what a 200 costs. Any other value changes nothing.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of a portfolio out of `listPortfolios`: `pf_` and 16 to 32 of `[A-Za-z0-9]`. Any other text is a 404 like an id
                 *     that does not exist, and not a 400.
                 * @example pf_000000000000000demo7
                 */
                portfolio_id: components["parameters"]["PortfolioIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Daily values in ascending order of `date`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestIdHeader"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["PrivateCaching"];
                    Vary: components["headers"]["VaryingHeaders"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Quota-Remaining": components["headers"]["QuotaRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortfolioHistoryEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["WindowBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PortfolioForbidden"];
            404: components["responses"]["PortfolioNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
