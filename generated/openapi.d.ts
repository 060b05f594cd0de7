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
         * Check the availability of the local data
         * @description Reports the availability of the local data sets. It does not promise full catalog or historical coverage.
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
         * @description Changes of this document, newest first: operations, fields, codes and their meaning. The same list is in the
         *     document itself at the root key `x-itemtape-changelog`, newest last. It does not cover data: corrected or late
         *     rows and published generations are not changes of the contract.
         *
         *     A `breaking` entry names the operations that it affects. An entry with empty `operations` concerns the whole
         *     document. An empty list means that nothing changed since the first version.
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
         * @description All marketplaces with quotes now or in the past, in ascending order of their slug. The slug is the exact value of a
         *     `provider` filter.
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
         * @description Items in the catalog, in ascending `item_id`, unphased identities included. Several phases can share one
         *     `market_hash_name`.
         *
         *     Pass `meta.next_cursor` as `cursor` until it is null. All plans; one monthly unit. On the Free plan the three
         *     price fields are null, and `provider`, `ask_min` and `ask_max` are refused.
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
         * Find the items with up to 100 exact names
         * @description One entry for each name, in the order of the request, with all items that have exactly this `market_hash_name`,
         *     in ascending `item_id`. Names repeat: several phases of one finish and its unphased identity share one. An entry
         *     with more than one candidate is `ambiguous`: the name alone does not identify an item, and the server does not
         *     choose one.
         *
         *     - Names are compared exactly, in NFC. Case, spaces and characters such as `★` and `™` count. Russian names are
         *       not searched. To search by part of a name, use `listItems`.
         *     - An unknown name never fails the request. Its entry has no candidates and is not ambiguous.
         *     - Candidates include items that have left the catalog, with `in_catalog: false`, and variants that only a feed
         *       of quotes names.
         *
         *     Returns no prices. All plans. Up to 100 names are one request: one monthly unit.
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
         * Get the stored metadata of one item
         * @description Stored catalog metadata of one item, even if it has left the catalog. Unknown fields are null. Nothing is
         *     fetched upstream. Returns no prices.
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
         * Get the current cached quotes of one item
         * @description Sellers' offers (`asks`) and buy orders (`bids`) of one item in one generation of the price cache. Quotes are
         *     observed offers, not completed sales. The lists have no promised order: sort asks ascending and bids descending
         *     by `amount` yourself. Bids never substitute for asks.
         *
         *     An item without quotes is a 200 with `availability: missing` and two empty lists; nothing is fetched upstream.
         *     Items that have left the catalog can still be read. Paid plans, because the Free plan has no current quotes; one
         *     monthly unit, also when the item does not exist.
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
         * Get the daily price history of one item
         * @description One row per UTC day and provider with a stored observation, in ascending order of `date`, then `provider`.
         *     Prices are observed offers and buy orders, not completed sales, and `amount` is not a median.
         *
         *     **Gaps.** A day without an observation has no row. An empty history means that nothing was observed, not that
         *     the price was zero. Nothing is carried forward or interpolated, and no side, provider or phase replaces another.
         *
         *     **Window.** `from` <= `to` <= today, at most 366 days; by default the last 30 completed UTC days. Only the
         *     current day has `complete: false`. `meta.missing_points` counts the days without a row, the current day
         *     included.
         *
         *     **Pages.** Pass `meta.next_page` unchanged as `after` until it is null. Pages are not a frozen export: rows can
         *     be added late. If that matters, reread the window and deduplicate by item ID, `date`, provider and side.
         *
         *     Items that have left the catalog keep their history.
         *
         *     All plans; one monthly unit, also for an empty window and for an item that does not exist. The Free plan reads
         *     asks of the main platform in the last 30 completed UTC days, and selects that provider by default. It refuses
         *     another provider, `side=bid`, `known_at` and days outside that window, today included, with
         *     `plan_upgrade_required`. Such refusals, bad ranges and mismatched cursors cost nothing.
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
         * Get the hourly price history of one item
         * @description Cached quotes by UTC hour, in ascending order of `ts`, then `provider`, markers (`provider: null`) first. Quotes
         *     are observed offers and buy orders, not completed sales.
         *
         *     **Frames.** A frame is one verified state of one feed in one UTC hour.
         *
         *     - Only the first verified frame of an hour is stored. Later refreshes in that hour do not overwrite it.
         *     - An hour without a recorded frame has no row.
         *     - Operators remove old frames and retract wrong ones. These hours have no row either, and `meta.missing_points`
         *       lists them. A saved body of the hour may replace a retracted frame.
         *     - A frame remembers the providers that its feed covered and the names that matched no item. Frames from an
         *       earlier version of the server, or with more than 50,000 such names, do not remember the names. They have no
         *       row for items that joined the catalog later.
         *
         *     **Rows.**
         *
         *     - Without `provider`, each provider with a quote on the side has a row. Other providers are not listed as
         *       missing. If the side has no quote at all, the hour has one marker row with `provider: null`.
         *     - With `provider`, each hour in which its feed has a frame that covers it has one row with that name, quoted or
         *       not.
         *     - A missing price is `amount: null`, and `availability` gives the reason. It is never zero and never the last
         *       known value.
         *     - No side, provider or phase replaces another.
         *
         *     **Window.** `from` <= `to` <= today, at most 31 UTC days; by default today and the 30 days before it.
         *     `meta.missing_points` counts the hours without a row, the current hour included.
         *
         *     **Pages.** Pass `meta.next_page` unchanged as `after` until it is null, with item, side, provider and dates
         *     unchanged. Pages are not a frozen export: rows can be added late. If that matters, reread the window and
         *     deduplicate by item ID, `ts`, provider and side.
         *
         *     Items that have left the catalog keep their history. An empty history means that nothing was recorded, not that
         *     the price was zero.
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
         * @description Sealed days of history with the SHA-256 of their lines, newest day first, then newest revision. A UTC day is
         *     sealed once it is over and its daily rows are stored. The seal fixes the lines that `streamHistoryDay` sends.
         *
         *     A late import or frame seals a day again under a higher revision. Earlier revisions stay listed with
         *     `superseded_at`, and `kept` says which of them `streamHistoryDay` can still send. Until the day is sealed again, its export is not found. If the server's operator has removed
         *     the hours of a day, `hourly` is `pruned` and the digests stay.
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
         * @description Streams one record per line:
         *
         *     - one `start`,
         *     - the lines of the day in ascending `item_id`, asks first,
         *     - then one `end` with their number and SHA-256, line feeds included.
         *
         *     **HTTP 200 alone never proves success**: accept the export only if the digest of `end` matches the received
         *     lines. If the revision is superseded meanwhile, the stream ends with `snapshot_changed`.
         *
         *     - `daily`: one `daily` record for each row of the day in `getDailyPriceHistory`.
         *     - `hourly`: the rows of `getHourlyPriceHistory` without `provider`, folded. A `quotes` record covers one item,
         *       side, provider and feed. Its parallel arrays have one entry for each range of hours with the same quote. A
         *       `markers` record has the hours in which no provider quoted a side of an item.
         *     - In an hourly export, `frames` of `start` has the times of each hour; a marker has the latest of its feeds.
         *       Items that joined the catalog after the day was sealed are not included.
         *     - With `revision`, a paid plan gets that revision as it was sealed, even if it is superseded. A revision with
         *       `kept: false` in `listHistoryDays` is refused before any charge (`invalid_range`), because its rows are gone.
         *     - The stream has no pagination or resume. The deadline is two minutes. The server waits for slow readers.
         *
         *     Paid plans read everything. The Free plan reads daily asks of the main platform (`selection`) for the last 30
         *     completed UTC days; more is refused before any charge. On every plan, a day that is not over is refused before
         *     any charge (`invalid_range`).
         *
         *     One monthly unit, also for a day that is not found. The stream uses the account's one export slot and one of the
         *     eight slots of the service. It does not count as an export start.
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
         * Get the current cached quotes of up to 100 items
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
    "/v1/markets/known": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the quotes of up to 100 items as known at an instant
         * @description The quotes that the server knew at `known_at`: of each feed the frame of the latest UTC hour, among the frames
         *     recorded by then. `getHourlyPriceHistory` describes frames. Quotes are observed offers and buy orders, not
         *     completed sales.
         *
         *     - A frame is the first verified state of its hour. `getMarketPrices` may have shown a later one of that hour.
         *     - A retracted frame counts until its retraction, and its replacement counts from its own recording.
         *     - A feed has no frame here if an operator had dropped its quotes by then, or if its last frame was more than 30
         *       days old.
         *     - No url, generation or later check of the hour is stored. Therefore a quote has its provider, amount, quantity
         *       and source time only, and `getMarketPrices`, the batch and exports have no `known_at`.
         *
         *     **From when.** An instant before `known_since` of `getStatus` or before the first frame is refused with
         *     `invalid_range`. The same applies if a frame that counted then has lost its quotes, because the server's operator
         *     removed the hours of its day. The detail names the first instant that can be asked.
         *
         *     Paid plans. A request for up to 100 items costs one monthly unit.
         */
        post: operations["getMarketPricesKnownAt"];
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
         * @description Streams one record per line:
         *
         *     - exactly one `start`,
         *     - one `item` per catalog item in ascending `item_id` up to `catalog_max_item_id`,
         *     - then one `end` with the `request_id` and `generation` of `start` and the number of item records as `items`.
         *
         *     **HTTP 200 alone never proves success**: accept the export only at a matching `end`. Any unknown, extra,
         *     malformed or truncated record, an `error` record or a connection that closes without `end` makes it invalid.
         *     After a failure, discard the partial data and retry the whole request with bounded backoff.
         *
         *     - All prices are from one generation of the price cache. Catalog identity is scanned by id; it is not a database
         *       snapshot.
         *     - A publication during the export ends it with `snapshot_changed`. A catalog change that removes or restores a
         *       quoted item is also a publication. `getGeneration` returns the digest of the prices of each generation.
         *     - A missing quote is marked by `availability: missing` and empty lists. Bids never substitute for asks. Nothing
         *       is fetched upstream.
         *     - `price_as_of` and each quote's `as_of` are null because the feed supplies no observation time. `ingested_at`
         *       and `generated_at` are not observation times. The export is not a feed of completed transactions.
         *     - The export has no filter, pagination or resume. An encoded record is at most 256 KiB. The deadline is two
         *       minutes. The server waits for slow readers; a disconnect stops the export.
         *
         *     The request has no body and no query parameters. Paid plans; one monthly unit. Three limits apply: one active
         *     export per account over all its keys, eight over the whole service, and the plan's export starts in any 24
         *     hours. A refusal by one of them is not charged. A failure before the stream begins gives the start back but not
         *     the unit. Once the stream has begun, a cancellation or failure still counts as a start.
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
         * Stream the market changes since your copy
         * @description Sends the differences between a copy of the market and the market now. The copy is a complete export, with later
         *     changes applied. Name its state by `generation` and `identity_digest` (see `getGeneration`).
         *
         *     The stream has one record per line:
         *
         *     - one `start` with both states,
         *     - in ascending `item_id`, an `item` (the whole record) for each changed or new item, and a `removed` for each
         *       item that is gone,
         *     - then one `end` with the state `to` of `start` and the counts.
         *
         *     Applied to the copy, they give exactly the state `to`: both its digests prove it. Accept nothing before a
         *     matching `end`.
         *
         *     - A copy that is current gets an empty stream. A change meanwhile ends it with `snapshot_changed`; retry.
         *     - You can name the states of the last 24 hours, at most 300. An older state is `generation_not_found`. A stream
         *       of more than half of an export's bytes is `changes_too_large`. Both are admitted reads, which cost the unit:
         *       export the market again.
         *     - A `generation` newer than the server's own is `service_unavailable` at a server that follows signed releases,
         *       because it can lag: retry. At any other server it is `generation_not_found`, for example after a restore:
         *       export again.
         *
         *     Paid plans; one monthly unit, no export start. One stream per account and eight over the whole service, in
         *     addition to exports; such a refusal costs nothing. The deadline is two minutes.
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
         * @description Returns the published generation, as `getGeneration` does. It answers at once if that generation is newer than
         *     `after` (the numbers rise). Otherwise it waits for a newer one, at most `wait_seconds`.
         *
         *     A response with a `generation` that is not newer means that the wait is over or that the server is restarting.
         *     It may be older than `after`, because one of several servers can lag for some seconds. The key is checked again
         *     before a late response. Real time is not promised.
         *
         *     Paid plans; one monthly unit. At most four requests of an account wait at once. A fifth that would have to wait
         *     is refused and costs nothing.
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
         * Get the digest of one published generation
         * @description Size and digests of a complete export of this generation, fixed at its publication. To verify an export, look up
         *     its `generation` here and recompute the digest.
         *
         *     **The canonical price part** has one line for each `item` record of the export with `availability: available`,
         *     in ascending `item_id`:
         *
         *         {"item_id":N,"asks":[…],"bids":[…]}
         *
         *     Each line, the last included, ends with a line feed (U+000A).
         *
         *     - A line is JSON in UTF-8 without white space, as `JSON.stringify({ item_id, asks, bids })` writes the parsed
         *       record.
         *     - The lists keep the order of the export. Each quote has the keys `provider`, `amount`, `currency`,
         *       `minor_units`, `quantity`, `url`, `as_of`, in this order. Every `as_of` is null. Only characters that the
         *       export escapes are escaped.
         *     - `items` counts the lines, `bytes` their UTF-8 bytes with line feeds, and `digest` is their SHA-256.
         *     - Names, phases, missing items and the records `start` and `end` are not part of it.
         *
         *     **The canonical identity part** has one line for each `item` record, including missing ones, in the same form
         *     and order:
         *
         *         {"item_id":N,"market_hash_name":"…","phase":…,"availability":"…"}
         *
         *     `identity_digest` is the SHA-256 of these lines with their line feeds, for the catalog as it is now. Renames and
         *     added or removed unquoted items change it without a new generation. It is null for a superseded generation.
         *
         *     - Every complete export of one generation has this price part. A catalog change that removes or restores a
         *       quoted item publishes a new generation with the same quotes.
         *     - The published generation is always known. An older one is known for 30 days after the next one was published,
         *       then it is `generation_not_found`. Numbers that were never published, and generations superseded before the
         *       server stored digests, are also `generation_not_found`.
         *     - A generation newer than the server's own is `service_unavailable` at a server that follows signed releases,
         *       because it can lag (see `market_release` of `getStatus`): retry. At any other server it is
         *       `generation_not_found`, for example after a restore.
         *     - `ingested_at` is the time of publication, not of an observation.
         *
         *     Returns no prices. Paid plans, as the export; one monthly unit, also when the generation is not known.
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
         * List the price indexes with their latest levels
         * @description All price indexes with their latest level, in ascending order of `index_id`, closed ones (`active: false`)
         *     included. An index uses daily asks of one provider: observed offers, not completed sales. `value` is null, not
         *     the last known level, if too few constituents have a price or too few can be compared with the last day that has
         *     a value.
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
         * Get one price index with its latest level
         * @description Definition and latest level of one index under its current methodology. `value` is null in two cases, the floors
         *     of the methodology: less than 90 % of the constituents had a price, or less than half of the members had one
         *     both then and on the last day with a value. It is then neither zero nor the last known value.
         *
         *     `meta.as_of` is the oldest source observation behind the level, or null if any of them is unknown. Paid plans;
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
         * Get the daily levels of one price index
         * @description One row per UTC day with a calculated level, in ascending order of `date`. A day without a calculation, or
         *     without any constituent price, has no row. Nothing is carried forward or interpolated.
         *
         *     **Null values.** `value` is null in two cases:
         *
         *     - `coverage_pct` is under 90: too few constituents had a price.
         *     - Enough had a price, but the day cannot be linked to the last day with a value: less than half of the members
         *       of that day, and less than half of the members in force now, had a price on both days. Later days are then
         *       compared with that same last day.
         *
         *     **Versions.**
         *
         *     - All rows of a response have one methodology: the current one, or `methodology_version`. Pass the version to
         *       keep a backfill stable, and never merge levels of different versions. A version without any level of the index
         *       is refused with `unknown_methodology_version`, unless it is the current one.
         *     - A change of members is a new `membership_version` and is never applied backwards. Levels are chained, so the
         *       change alone moves nothing. The first level of the new members moves with the prices of the old ones, or with
         *       their own if too few old members have a price. Later levels move with the prices of the new members.
         *     - Later days are appended. A corrected level has a higher `revision`.
         *
         *     **Window.** `from` <= `to` <= today, at most 366 days; by default the last 31 days, today included.
         *     `meta.missing_points` counts the days without a row, the current day included. A row with `value: null` is not
         *     missing.
         *
         *     **Pages.** Pass `meta.next_page` unchanged as `after` until it is null.
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
         * @description The items of one membership version, in ascending order of `item_id`: the version of the latest level, or
         *     `membership_version`. A version is recorded when it starts to apply and is never applied backwards. Items that
         *     have left the catalog stay listed.
         *
         *     An unknown version is refused with `invalid_parameter`. Pass `meta.next_page` unchanged as `after` until it is
         *     null. The cursor remembers the version; another one is refused with `cursor_mismatch`. Paid plans; one monthly
         *     unit, also when the index does not exist.
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
         * @description The latest stored rate of each currency, in ascending order of `currency`. `rate_per_usd` is the number of units
         *     of the currency per US dollar. USD itself is listed as `"1"`, by definition and without times. A rate is the
         *     latest of its source and may be days old: check `as_of`. Nothing is fetched upstream.
         *
         *     A currency is not listed if it has had no rate for more than 30 days while others of the same source go on. It
         *     has ended, and only its history remains.
         *
         *     Pass `meta.next_page` unchanged as `after` until it is null. With `currency`, only that currency is listed. Paid
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
         * Get the daily exchange rates of one currency
         * @description One row per UTC day with a stored rate, in ascending order of `date`. Nothing is carried forward or
         *     interpolated: a weekend or holiday without a rate has no row. An empty history means that no rate is stored, not
         *     that it is zero. The dollar is 1 by definition and has no history.
         *
         *     - All rows of a window have one `source` and one `methodology_version`, on every page. Do not merge windows of
         *       different versions into one curve.
         *     - `from` <= `to` <= today, at most 366 days; by default the last 31 days, today included.
         *     - `meta.missing_points` counts the days without a row, weekends and the current day included.
         *     - Pass `meta.next_page` unchanged as `after` until it is null. Pages are not a frozen export: rows can be added
         *       late. If that matters, reread the window and deduplicate by `currency`, `date` and `source`.
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
         * @description All containers that are opened for a random item, in ascending order of `slug`, with the current calculation of
         *     one valuation mode. The list is complete, not a selection of the best. Retired pools stay listed with
         *     `active: false`. Other inactive containers, drafts and their calculations are hidden.
         *
         *     - `current` is null if nothing is published for the mode and the current methodology, for example because the
         *       price of the container is unknown. Null is not zero ROI, and the other mode never substitutes for it.
         *     - Values are modeled on observed asks. They are not medians or sales, and do not promise the result of an
         *       opening or its sale price.
         *     - The model runs every six hours, at 00, 06, 12 and 18 UTC. More frequent calls do not make it fresher.
         *     - `meta.as_of` is the oldest `price_as_of` of the calculations on the page, or null if one of them is unknown or
         *       the page has no calculation. `meta.freshness` is then `unknown`; otherwise it is `stale` if one calculation is
         *       stale.
         *
         *     Pass `meta.next_page` unchanged as `after` until it is null. The cursor remembers the mode; another one is
         *     refused with `cursor_mismatch`. Paid plans; one monthly unit.
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
         * Get one container with its pool and ROI calculation
         * @description One container, the odds of its current pool, and the current calculation of one valuation mode.
         *
         *     - `current` is null if nothing is published for the mode and the current methodology. Null is not zero ROI.
         *       Neither the other mode nor an older methodology substitutes for it.
         *     - Expected value, profit and chance are null if too little of the pool is priced: less than 95 % of all possible
         *       outcomes by probability, or less than 75 % of any tier's outcomes. Their bounds stay. A null bound is unknown,
         *       not zero.
         *     - The two modes are valuation models of observed asks. They are not marketplaces, and neither promises a sale
         *       price for the result of an opening.
         *     - The model runs every six hours. The server evaluates `stale` and `stale_reasons` for each response.
         *     - `listOpenableOutcomes` lists every outcome with its odds and value, so that clients can recompute these
         *       numbers.
         *
         *     `meta.as_of` is `price_as_of` of the calculation. `meta.freshness` is `unknown` if that is null, otherwise
         *     `stale` if the calculation is. Paid plans; one monthly unit, also when the container does not exist.
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
         * Get the model's history of one container
         * @description One row per UTC hour or day with a calculation, in ascending order of `ts`: the last run of that hour or day. A
         *     run with an unknown cost writes no row, and an earlier run of the same hour or day keeps its row. A row is a
         *     model snapshot: neither a sale nor a realized return.
         *
         *     **Selection.**
         *
         *     - Only the requested granularity, mode and methodology are returned. Nothing falls back, is interpolated or
         *       filled in. A container without matching points has an empty history.
         *     - All rows of a response have one methodology: `methodology_version`, or the version of the current calculation.
         *       Pass the version to keep a backfill stable, and never merge incompatible versions into one curve. A version
         *       without any calculation of the container is refused with `unknown_methodology_version`, unless it is the
         *       current one.
         *     - Each row names the pool revision of its time. Revisions that were replaced or retired later stay readable.
         *     - Later reconstruction may revise rows: they are stored history, not an immutable export.
         *
         *     **Window.** `from` <= `to` <= today, at most 366 days; by default the last 31 days, today included. For a longer
         *     backfill, read consecutive windows, each to its last page.
         *
         *     `meta.missing_points` counts the days without a row. With `granularity=hour` it counts the scheduled hours 00,
         *     06, 12 and 18 UTC, and a range goes in steps of 6 hours: `2026-01-14T00:00Z/2026-01-14T12:00Z` is three hours.
         *
         *     Pass `meta.next_page` unchanged as `after` until it is null. `meta.as_of` is the oldest `price_as_of` of the
         *     returned rows, or null if one of them is unknown. It is fresh up to 24 hours.
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
         * List the outcomes of one container with odds and values
         * @description The outcomes behind a calculation, in the order of the pool. Each is an exact item with its probability as a
         *     fraction and its value in the current calculation of the mode. Clients can recompute the published numbers from
         *     them. They belong to the current calculation and its pool revision: a newer quote or revision has no effect
         *     before the next run.
         *
         *     - An outcome is one exact item: wear, stat-counter variant and phase. It never falls back to a bid, another
         *       phase, the other mode or a shared name. An outcome without an ask is `unpriced`, never worth zero.
         *     - If no calculation is published for the mode, every possible outcome is `unpriced`, without value or high.
         *     - `meta.as_of` is the oldest source time of the returned values, or null if one of them is unknown or there is
         *       none. `meta.freshness` follows the stale rule of the calculation.
         *
         *     Pass `meta.next_page` unchanged as `after` until it is null. The cursor remembers the mode. Another mode, or a
         *     page of a revision that was replaced meanwhile, is refused with `cursor_mismatch`. Pages are not a frozen
         *     export: a run between two pages changes the later ones. Paid plans; one monthly unit, also when the container
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
    "/v1/data-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events of the data
         * @description Log of events in the data, newest first: refused bodies, exceptions that the operator accepted, gaps, late and
         *     retracted frames, dropped feeds, imported and corrected days, revisions of sealed days and of indexes, corrected
         *     rates, changes of items, and published pools.
         *
         *     One command writes one event per kind, feed and day. `from` and `to` select by the day that an event concerns,
         *     not by `at`. Accepted and refused bodies, dropped feeds, changed items and published pools concern the day on
         *     which they happened. The log begins at `known_since` of `getStatus`: earlier gaps and revisions have no entry.
         *
         *     On the Free plan, `figure` is null and `changes` is empty. Pass `meta.next_page` unchanged as `after` until it
         *     is null. All plans; one monthly unit.
         */
        get: operations["listDataEvents"];
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
         * Get the account's plan, usage and remaining allowance
         * @description Plan, month, minute limit and export starts of the account behind the key. All keys of the account, and pages
         *     that read for its owner, share one allowance. A purchase or a manual change of the plan does not reset the
         *     month.
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
         * List the portfolios that this token can read
         * @description The portfolios that the owner selected for this personal token and that still belong to its account, in
         *     ascending order of `portfolio_id`. Deleted and transferred portfolios are absent from the next request on.
         *     Public sharing (`is_public`) adds none. Live prices are not included; `getPortfolioHistory` has daily values.
         *
         *     Pass `meta.next_page` unchanged as `after` until it is null. Personal tokens only, all plans; one monthly unit
         *     of the account, which all its keys share, also when no portfolio is left.
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
         * Get the settings of one portfolio
         * @description Settings of one selected portfolio. All money of portfolios is integer US-dollar cents, also with another
         *     `display_currency`; nothing is converted. Notes, account identifiers of external marketplaces and references of
         *     integrations are never returned.
         *
         *     The same 404 `portfolio_not_found` answers an id that is unselected, another account's, deleted, publicly
         *     shared, nonexistent or malformed. Each request checks selection and ownership. Personal tokens only, all plans;
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
         *     `unit_cost_cents` is the cost of one unit in US-dollar cents; null is unknown, 0 is free. Lots have no prices,
         *     because portfolios are on the Free plan and current prices are not.
         *
         *     Pass `meta.next_page` unchanged as `after` until it is null. A cursor of another portfolio or account is refused
         *     with `cursor_mismatch`. Personal tokens only, all plans; one monthly unit, also for an empty portfolio and for a
         *     404.
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
         * @description The owner's own ledger, in ascending order of `occurred_on` and `transaction_id`. Rows are not marketplace-wide
         *     sales and do not show the prices that others paid. Money is in US-dollar cents as the owner recorded it; null is
         *     unknown, 0 is nothing. A transferred portfolio keeps its lots but not its ledger: rows stay with the account
         *     that owned it when they were recorded, and no other account sees them.
         *
         *     - `from` <= `to` <= today, at most 366 days; by default the last 31 days, today included. An empty list means
         *       that no row is recorded.
         *     - Pass `meta.next_page` unchanged as `after` until it is null. A cursor of another portfolio or account is
         *       refused with `cursor_mismatch`.
         *     - Pages are not a frozen export: rows can be added late. If that matters, reread the window and deduplicate by
         *       `transaction_id`.
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
         * Get the daily values of one portfolio
         * @description One row per UTC day with a stored valuation, in ascending order of `date`. It values the lots of that day at
         *     daily asks: observed offers, not completed sales. The current day has no row yet, and a day without lots never
         *     gets one. Nothing is carried forward or interpolated. An empty history is not a value of zero.
         *
         *     **Values.**
         *
         *     - Money is in US-dollar cents, also with another `display_currency`.
         *     - `value_cents` leaves out lots without a stored price of the day. `unpriced_holding_count` counts them, and
         *       `complete` is then false. `value_cents` is null if no lot had a price, never 0.
         *     - `value_cents` and `cost_basis_cents` cover different lots if prices or costs are unknown. For a difference,
         *       subtract `compared_cost_cents` from `compared_value_cents`: both cover the lots with a price and a known cost.
         *     - A change of value is not a return: deposits and withdrawals move it too. The rows are neither a time-weighted
         *       nor a money-weighted return (TWR, IRR), and are not enough to calculate one.
         *
         *     **Sources.**
         *
         *     - `price_source` is the provider of the daily asks. With `lowest-ask`, each lot has the lowest ask of all
         *       providers, and `price_providers` lists them. It is null for rows that are older than this record of the
         *       source.
         *     - On the Free plan all values are at the main platform, even if the portfolio has another provider. Days without
         *       such a value are absent and count in `missing_points`. If the server has no feed of the main platform, that is
         *       every day.
         *     - If prices of a day are corrected, the next daily job values it again, and `recorded_at` moves. If its lots
         *       change later, the day keeps its value.
         *     - Rows recorded while another account owned the portfolio are absent.
         *
         *     **Window.** `from` <= `to` <= today, at most 366 days; by default the last 31 days, today included.
         *
         *     - `meta.missing_points` counts the days without a row, the current day included. A row with `value_cents: null`
         *       is not missing.
         *     - `meta.as_of` is the oldest `price_as_of` of the returned rows with a value, or null if one of them has none.
         *       If no row of the page has a value, it is null and `meta.timestamp_quality` is `unknown`.
         *
         *     **Pages.** Pass `meta.next_page` unchanged as `after` until it is null. A cursor of another portfolio or account
         *     is refused with `cursor_mismatch`. Rows can be added late. If that matters, reread the window and deduplicate by
         *     `date`.
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
        /** @description Response of `getStatus`: the availability of the local data. */
        StatusEnvelope: {
            data: components["schemas"]["Status"];
            meta: components["schemas"]["Meta"];
        };
        /** @description Availability of local data sets only; not a promise of full catalog or historical coverage. */
        Status: {
            database: components["schemas"]["DatabaseState"];
            market_snapshot: components["schemas"]["MarketSnapshotState"];
            /** @description Version of the running program, with its build if known. */
            release: string;
            contract_revision: components["schemas"]["ContractRevision"];
            /** @description The sources of quotes, ordered by name. Also empty if the database cannot be read. */
            feeds: components["schemas"]["FeedStatus"][];
            /** @description The market release that the server answers from; null if the market is the server's own. */
            market_release: components["schemas"]["MarketRelease"] | null;
            /**
             * Format: date-time
             * @description First instant of the past that the server can read back, such as with `known_at`; replaced data of before is not stored. Null if the database cannot be read.
             */
            known_since: string | null;
        };
        /**
         * @description Whether the local database can be read.
         * @enum {string}
         */
        DatabaseState: "ok" | "unavailable";
        /**
         * @description State of the published quotes, by the most recently verified feed; `feeds` has the state of each. `available`: a
         *     generation of quotes is published. `missing`: no generation is published. `stale`: a generation is published,
         *     but no feed was verified for 24 hours.
         * @enum {string}
         */
        MarketSnapshotState: "available" | "missing" | "stale";
        /**
         * Format: date
         * @description A revision of this document: the UTC day in `info.x-itemtape-revision`.
         * @example 2026-11-30
         */
        ContractRevision: string;
        /** @description One source of quotes, which covers one or more providers. */
        FeedStatus: {
            /** @description Name of the source of quotes. */
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
             * @description When the source saved its latest body, by its own statement; null if it gives no time.
             */
            source_saved_at: string | null;
            /**
             * Format: date-time
             * @description When the source last sent new content; null if never. If it is far before `last_checked_at`, the source no
             *     longer updates.
             */
            unchanged_since: string | null;
            /**
             * Format: date-time
             * @description End of the time in which a new source's prices count as unconfirmed; null if they are confirmed. A source is
             *     unconfirmed if no other source could be compared with it, or if the operator accepted prices far from the
             *     others. It is confirmed once another source agrees, and after seven days.
             */
            unconfirmed_until: string | null;
        };
        /**
         * @description State of the feed. `available`: quotes of the feed are published, and it was verified within 24 hours. `stale`:
         *     it was not verified within 24 hours, but reads and exports still have its quotes. `dropped`: the operator
         *     removed its quotes; the next accepted body restores them. `missing`: it never published a quote.
         */
        FeedState: "available" | "stale" | "dropped" | "missing";
        /** @description The signed market release that the server answers from. */
        MarketRelease: {
            /**
             * Format: int64
             * @description Number of the release; a later one has a higher number.
             */
            number: number;
            /** @description Generation in the release; null if none was published. */
            generation: components["schemas"]["Generation"] | null;
            /**
             * Format: date-time
             * @description When the publisher sealed the release.
             */
            sealed_at: string;
            state: components["schemas"]["MarketReleaseState"];
            /**
             * Format: date-time
             * @description When the server last found it to be its publisher's newest release; null if not since the server started.
             */
            checked_at: string | null;
        };
        /**
         * @description Name of one published state of the whole price cache. A later state has a higher number, except after a restored backup.
         * @example g1
         */
        Generation: string;
        /**
         * @description State of the served release. `available`: the server serves the newest release that it found. `failing`: the
         *     source of releases could not be read, or its newest release was refused; the server keeps serving this one.
         *     `stale`: this release is older than the operator allows, by default 24 hours. The server keeps serving it, and
         *     this state has priority.
         * @enum {string}
         */
        MarketReleaseState: "available" | "failing" | "stale";
        /** @description Metadata of the response. */
        Meta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
        };
        /**
         * Format: date-time
         * @description When this response was made. Never a price time.
         * @example 2026-01-15T12:00:00.000Z
         */
        GeneratedAt: string;
        /** @description The record of every error. Retry 429 and 503 only. */
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
             * @description The HTTP status of this response.
             */
            status: number;
            /** @description Fault of this request, in words. A parameter is named as in ``query parameter `limit`: must be <= 100``. */
            detail?: string;
            code: components["schemas"]["ErrorCode"];
            /** @description Diagnostic identifier of this request; the same as the header `X-Request-Id`. */
            request_id: string;
        };
        /**
         * @description The error codes, an open list: read an unknown code by its `status`. `/problems/{code}` explains each code.
         *
         *     - 400: `malformed_request` (not valid HTTP or URL), `invalid_parameter` (type, bound, enum, unknown or
         *       repeated), `invalid_body` (also repeated batch ids), `invalid_range`, `window_too_large`,
         *       `batch_limit_exceeded`, `invalid_cursor`, `cursor_mismatch` (a valid cursor with other filters),
         *       `unknown_provider`, `unknown_methodology_version`, `credential_in_url`
         *     - 401: `invalid_api_key`, `expired_api_key`, `revoked_api_key`
         *     - 403: `plan_upgrade_required` (a paid plan is needed), `insufficient_scope`, `account_disabled`
         *     - 404: `item_not_found`, `openable_not_found`, `index_not_found`, `currency_not_found`, `portfolio_not_found`,
         *       `generation_not_found`, `changes_too_large`, `day_not_found`, `endpoint_not_found` (also a wrong method)
         *     - 413: `request_too_large`
         *     - 429: `rate_limited`, `monthly_quota_exceeded`, `snapshot_busy`, `snapshot_capacity`, `snapshot_daily_limit`,
         *       `changes_busy`, `changes_capacity`, `waiting_limit`
         *     - 503: `snapshot_unavailable`, `data_unavailable`, `service_unavailable`
         */
        ErrorCode: "malformed_request" | "invalid_parameter" | "invalid_body" | "invalid_range" | "window_too_large" | "batch_limit_exceeded" | "invalid_cursor" | "cursor_mismatch" | "unknown_provider" | "unknown_methodology_version" | "credential_in_url" | "invalid_api_key" | "expired_api_key" | "revoked_api_key" | "plan_upgrade_required" | "insufficient_scope" | "account_disabled" | "item_not_found" | "openable_not_found" | "index_not_found" | "currency_not_found" | "portfolio_not_found" | "generation_not_found" | "changes_too_large" | "day_not_found" | "endpoint_not_found" | "request_too_large" | "rate_limited" | "monthly_quota_exceeded" | "snapshot_busy" | "snapshot_capacity" | "snapshot_daily_limit" | "changes_busy" | "changes_capacity" | "waiting_limit" | "snapshot_unavailable" | "data_unavailable" | "service_unavailable";
        /** @description Opaque position in a list; pass it back unchanged. */
        PageCursor: string;
        /** @description Response of `listContractChanges`: one page of changes. */
        ContractChangeListEnvelope: {
            /** @description The changes, in descending order of `change_id`. */
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
            /** @description The operations that the change affects. Empty if it concerns the whole document. */
            operations: components["schemas"]["OperationName"][];
            /** @description Description of the change. */
            summary: string;
        };
        /**
         * @description Effect of the change on clients. `breaking`: a correct client may fail or misread. `additive`: something is new,
         *     and the rest is as before. `wording`: the same contract in better words.
         * @enum {string}
         */
        ContractChangeKind: "breaking" | "additive" | "wording";
        /**
         * @description An `operationId` of this document, or of an operation that was removed.
         * @example getItem
         */
        OperationName: string;
        /** @description Metadata of the response, with the position of the next page. */
        PageMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            /** @description Pass it unchanged as `after`. Null on the last page. */
            next_page: components["schemas"]["PageCursor"] | null;
        };
        /** @description Response of `listProviders`: one page of providers. */
        ProviderListEnvelope: {
            /** @description The providers, in ascending order of `provider`. */
            data: components["schemas"]["Provider"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description A marketplace with quotes now or in the past. */
        Provider: {
            provider: components["schemas"]["ProviderSlug"];
            /** @description Display name of the marketplace. */
            name: string;
            kind: components["schemas"]["ProviderKind"];
            /** @description Whether its feed has sellers' offers. */
            has_asks: boolean;
            /** @description Whether its feed has buy orders. */
            has_bids: boolean;
            /** @description False if its feed is no longer read or no longer has its quotes; its history stays. */
            active: boolean;
            /**
             * @description Highest ask that the marketplace lists at all, in US-dollar cents; null if it has no such limit. Dearer
             *     items are missing there, not cheap.
             */
            price_ceiling_cents: components["schemas"]["Cents"] | null;
            /**
             * @description Last successful verification of its feed; null if never. It counts even without a change or without quotes
             *     of this provider. Not a quote time.
             */
            last_checked_at: components["schemas"]["Timestamp"] | null;
            /**
             * @description When data of its feed was last published here; null if never. Not a quote time. It does not move while the
             *     source has no changes.
             */
            last_ingested_at: components["schemas"]["Timestamp"] | null;
            /**
             * @description When the source saved the latest body of its feed, by its own statement; null if it gives no time. Not a
             *     quote time.
             */
            source_saved_at: components["schemas"]["Timestamp"] | null;
            /**
             * @description When the source of its feed last sent new content; null if never. If it is far before `last_checked_at`, the
             *     source no longer updates.
             */
            unchanged_since: components["schemas"]["Timestamp"] | null;
            /** @description Page with the terms of its source; null if unknown. */
            terms_url: components["schemas"]["HttpsUrl"] | null;
            /** @description UTC day on which these terms were last read; null if they were not. */
            terms_read_on: components["schemas"]["UtcDate"] | null;
            redistribution: components["schemas"]["Redistribution"];
            /** @description Text to show beside its prices, as its source asks; null if none is known. */
            attribution: string | null;
        };
        /**
         * @description Exact slug of a marketplace, see `listProviders`.
         * @example steam
         */
        ProviderSlug: string;
        /**
         * @description Kind of marketplace. `main_platform`: the game's own market. `cash`: a marketplace that pays out money. `trade`:
         *     a marketplace that trades items for items or credit.
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
         * @description RFC 3339 date-time in UTC, with milliseconds and `Z`.
         * @example 2026-01-15T12:00:00.000Z
         */
        Timestamp: string;
        /**
         * Format: uri
         * @description An https address. It is passed on as stored and never fetched by this service.
         * @example https://example.com/items/1
         */
        HttpsUrl: string;
        /**
         * Format: date
         * @description A UTC day as `YYYY-MM-DD`.
         */
        UtcDate: string;
        /**
         * @description Whether the terms of the source let you pass its prices on. `allowed`: the operator of this service says so.
         *     `not_allowed`: do not pass them on. `unknown`: not known here; read the terms.
         * @enum {string}
         */
        Redistribution: "allowed" | "not_allowed" | "unknown";
        /**
         * Format: int32
         * @description Stable identifier of one exact variant. Each combination of wear, stat counter, souvenir and paint phase has its
         *     own. Never reused.
         * @example 661
         */
        ItemId: number;
        /** @description Response of `listItems`: one page of catalog items. */
        ItemListEnvelope: {
            /** @description The items, in ascending `item_id`. */
            data: components["schemas"]["CatalogItem"][];
            meta: components["schemas"]["ItemPageMeta"];
        };
        /** @description A catalog item in a list. An unknown field is null. */
        CatalogItem: {
            item_id: components["schemas"]["ItemId"];
            market_hash_name: components["schemas"]["MarketHashName"];
            slug: components["schemas"]["ItemSlug"];
            /** @description Kind of item, such as a weapon, knife, sticker or container; null if unknown. */
            type: string | null;
            /** @description Rarity grade in words, such as `Covert`; null if unknown. */
            rarity: string | null;
            /** @description Collection that the item belongs to; null if it has none or it is unknown. */
            collection: string | null;
            /** @description Exact paint phase; null for items without phases and for unphased identities. */
            phase: components["schemas"]["PaintPhase"] | null;
            /** @description Russian name of the item; null if unknown. */
            name_ru: string | null;
            /** @description HTTPS address of a picture; null if unknown. */
            image_url: components["schemas"]["HttpsUrl"] | null;
            /** @description Wear in words, such as `Factory New`; null for items without wear. */
            wear: string | null;
            /** @description Whether this is the stat-counter variant; null if unknown. */
            stat_counter: boolean | null;
            /** @description Whether this is the souvenir variant; null if unknown. */
            souvenir: boolean | null;
            /**
             * @description Lowest cached ask of all providers, in US-dollar cents; null on the Free plan and without an ask. An
             *     observed offer, not a sale.
             */
            best_ask_cents: components["schemas"]["Cents"] | null;
            /** @description Provider of that ask; null if `best_ask_cents` is null. */
            best_ask_provider: components["schemas"]["ProviderSlug"] | null;
            /**
             * @description When this ask was first seen here at this amount; null if `best_ask_cents` is null. That is when its source
             *     saved the state with it, if known, or else when the poll that returned it was answered. Never later than its
             *     publication, and not the time of the offer.
             */
            price_updated_at: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description Name as the main platform writes it. Several phases may share it; never merge items by it.
         * @example ★ Karambit | Doppler (Factory New)
         */
        MarketHashName: string;
        /**
         * @description Readable short form of the name. Several items may share it; it is not an identifier.
         * @example glock-18-fade-factory-new
         */
        ItemSlug: string;
        /**
         * @description Exact paint phase: one of `Phase 1` to `Phase 4`, `Ruby`, `Sapphire`, `Black Pearl`, `Emerald`.
         * @example Phase 2
         */
        PaintPhase: string;
        /** @description Metadata of the response, with the position of the next page. */
        ItemPageMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            /**
             * Format: int32
             * @description The last `item_id` of this page, to pass as `cursor`; null on the last page.
             */
            next_cursor: number | null;
            /**
             * @description The search made instead if no item has all words of `q`; null if `q` was searched unchanged. The nearest
             *     word replaces a mistyped one.
             * @example karambit doppler
             */
            read_as: string | null;
        };
        /** @description Request of `resolveItemNames`: the names to find. */
        ResolveNamesRequest: {
            /** @description 1 to 100 different names, each a whole `market_hash_name`. */
            names: components["schemas"]["AskedItemName"][];
        };
        /**
         * @description The name as in the request.
         * @example ★ Karambit | Doppler (Factory New)
         */
        AskedItemName: string;
        /** @description Response of `resolveItemNames`: one entry for each name. */
        ResolvedNameListEnvelope: {
            /** @description One entry for each requested name, in the order of the request. */
            data: components["schemas"]["ResolvedName"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description All items that have one requested name. */
        ResolvedName: {
            name: components["schemas"]["AskedItemName"];
            /** @description True if there is more than one candidate: the name does not identify an item. */
            ambiguous: boolean;
            /** @description The items with this name, in ascending `item_id`. Empty if no item has the name. */
            candidates: components["schemas"]["ItemCandidate"][];
        };
        /** @description An item with the requested name. */
        ItemCandidate: {
            item_id: components["schemas"]["ItemId"];
            /** @description Exact paint phase; null for items without phases and for unphased identities. */
            phase: components["schemas"]["PaintPhase"] | null;
            identity: components["schemas"]["ItemIdentity"];
            /** @description False if the item has left the catalog and is stored only for its history. */
            in_catalog: boolean;
        };
        /**
         * @description Whether the item is one exact variant. `exact`: one exact variant. `unphased`: a phased finish in sources that
         *     do not distinguish phases. It is an item of its own and never a substitute for one of the phases.
         * @enum {string}
         */
        ItemIdentity: "exact" | "unphased";
        /** @description Response of `getItem`: the metadata of one item. */
        ItemEnvelope: {
            data: components["schemas"]["ItemDetail"];
            meta: components["schemas"]["Meta"];
        };
        /** @description Stored catalog metadata of one item, without prices. An unknown field is null. */
        ItemDetail: {
            item_id: components["schemas"]["ItemId"];
            market_hash_name: components["schemas"]["MarketHashName"];
            slug: components["schemas"]["ItemSlug"];
            /** @description Kind of item, such as a weapon, knife, sticker or container; null if unknown. */
            type: string | null;
            /** @description Rarity grade in words, such as `Covert`; null if unknown. */
            rarity: string | null;
            /** @description Collection that the item belongs to; null if it has none or it is unknown. */
            collection: string | null;
            /** @description Exact paint phase; null for items without phases and for unphased identities. */
            phase: components["schemas"]["PaintPhase"] | null;
            /** @description Russian name of the item; null if unknown. */
            name_ru: string | null;
            /** @description HTTPS address of a picture; null if unknown. */
            image_url: components["schemas"]["HttpsUrl"] | null;
            /** @description Wear in words, such as `Factory New`; null for items without wear. */
            wear: string | null;
            /** @description Whether this is the stat-counter variant; null if unknown. */
            stat_counter: boolean | null;
            /** @description Whether this is the souvenir variant; null if unknown. */
            souvenir: boolean | null;
            /** @description Lower bound of the finish's wear value as a decimal string; null if unknown. */
            wear_min: components["schemas"]["WearBound"] | null;
            /** @description Upper bound of the finish's wear value as a decimal string; null if unknown. */
            wear_max: components["schemas"]["WearBound"] | null;
            /** @description Other items with the same `market_hash_name`, at most 50, in ascending order. */
            shares_name_with: components["schemas"]["ItemId"][];
            identity: components["schemas"]["ItemIdentity"];
            /**
             * @description Slug of the container that this item is, for `getOpenable`; null if it is not a container or the service
             *     does not show it.
             */
            openable_slug: components["schemas"]["OpenableSlug"] | null;
            /** @description False if the item has left the catalog and is stored only for its history. */
            in_catalog: boolean;
            /**
             * Format: date-time
             * @description When the item was first imported.
             */
            first_seen_at: string;
            /** @description When an import last changed its metadata; null if never. */
            updated_at: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description Decimal number as a string, without an exponent.
         * @example 0.07
         */
        WearBound: string;
        /**
         * @description Exact slug of a container, see `listOpenables`. It identifies one container; the container's item may have
         *     another slug.
         * @example kilowatt-case
         */
        OpenableSlug: string;
        /** @description Response of `getMarketPrices`: the cached quotes of one item. */
        MarketPricesEnvelope: {
            data: components["schemas"]["MarketPrices"];
            meta: components["schemas"]["QuoteMeta"];
        };
        /** @description Cached quotes of one item in one generation of the price cache. */
        MarketPrices: {
            item_id: components["schemas"]["ItemId"];
            market_hash_name: components["schemas"]["MarketHashName"];
            /** @description Exact paint phase, or null; it never falls back to an unphased item. */
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
         * @description Whether the cache has quotes of this item, without regard to filters of the request. It never falls back to an
         *     unphased item or another side. `available`: the cache has at least one quote of this exact item, on either side.
         *     `missing`: it has no quote, and both lists are empty.
         * @enum {string}
         */
        Availability: "available" | "missing";
        /**
         * Format: date-time
         * @description When this generation of the price cache was published. Not an observation time.
         * @example 2026-01-15T11:50:00.000Z
         */
        IngestedAt: string;
        /** @description One cached offer or buy order. It was observed; it is not a completed sale. */
        Quote: {
            provider: components["schemas"]["ProviderSlug"];
            amount: components["schemas"]["Cents"];
            /**
             * @description Currency of `amount`; always `USD`.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of `amount`; always 2, so amounts are US-dollar cents.
             * @constant
             * @enum {integer}
             */
            minor_units: 2;
            /** @description Number of units offered or wanted at this amount; null if the source does not report it. */
            quantity: components["schemas"]["Quantity"] | null;
            /** @description Page of the item at the provider; null if unknown. */
            url: components["schemas"]["HttpsUrl"] | null;
            /** @description When the source observed this quote; null (unknown) if the source gives no time. */
            as_of: components["schemas"]["Timestamp"] | null;
        };
        /**
         * Format: int64
         * @description Number of units offered or wanted at this amount.
         * @example 3
         */
        Quantity: number;
        /** @description Metadata of the response, with the times behind its quotes. */
        QuoteMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            /** @description Oldest source observation of the returned quotes; null (unknown) if any of them has none. */
            as_of: components["schemas"]["Timestamp"] | null;
            freshness: components["schemas"]["Freshness"];
            /**
             * @description Whether the source was successfully verified within the last 15 minutes. A verification finds new data or
             *     that nothing changed. A saved file that an operator imports counts as verified when the source saved it.
             *     This describes the cache; it does not indicate a new marketplace quote.
             */
            cache_recently_checked: boolean;
            timestamp_quality: components["schemas"]["TimestampQuality"];
        };
        /**
         * @description Age class of `as_of`; `unknown` if `as_of` is null. `fresh` lasts 30 minutes for quotes and hourly rows, 24
         *     hours for rows of ROI history and 36 hours for exchange rates. For daily rows, indexes and daily values of
         *     portfolios it lasts 48 hours. Older values are `stale`. A ROI calculation has its own rule, its `stale`. The
         *     time of an import or of a check never makes an unknown age fresh.
         * @enum {string}
         */
        Freshness: "unknown" | "fresh" | "stale";
        /**
         * @description Completeness of the source times of the response. `source_observed`: every returned value has its source's time.
         *     `partial`: some have it, or the source gives the day without the time. `ingest_only`: no value has it, only the
         *     time of publication is known. `unknown`: nothing is returned, or no time is known.
         * @enum {string}
         */
        TimestampQuality: "source_observed" | "partial" | "ingest_only" | "unknown";
        /**
         * @description Side of the market; one side never falls back to the other. `ask`: sellers' offers. `bid`: buy orders.
         * @default ask
         * @enum {string}
         */
        SelectedSide: "ask" | "bid";
        /**
         * Format: date-time
         * @description RFC 3339 date-time in UTC with `Z`. Without a fraction it is a whole second.
         * @example 2026-01-14T18:00:00Z
         */
        KnownInstant: string;
        /** @description Response of `getDailyPriceHistory`: one page of daily rows. */
        DailyPriceHistoryEnvelope: {
            /** @description The daily rows, in ascending order of `date`, then `provider`. Empty if nothing was observed. */
            data: components["schemas"]["DailyPrice"][];
            meta: components["schemas"]["DailySeriesMeta"];
        };
        /**
         * @description Prices of one item at one provider on one UTC day. A day without a stored observation has no row. Amounts are
         *     observed offers or orders, not completed sales.
         */
        DailyPrice: {
            /**
             * Format: date
             * @description The UTC day of the prices.
             */
            date: string;
            provider: components["schemas"]["ProviderSlug"];
            side: components["schemas"]["QuoteSide"];
            /**
             * Format: int64
             * @description Last stored observation of the day, in US-dollar cents. Not a median and not a sale.
             */
            amount: number;
            /**
             * Format: int64
             * @description Lowest stored observation of the day, in US-dollar cents.
             */
            low_amount: number;
            /**
             * Format: int64
             * @description Highest stored observation of the day, in US-dollar cents.
             */
            high_amount: number;
            /**
             * Format: int32
             * @description Number of stored observations behind the row. For recorded frames, the number of their hours.
             */
            observations: number;
            /** @description Units offered or wanted at the last observation; null if the source does not report it. */
            quantity: components["schemas"]["Quantity"] | null;
            /**
             * @description Currency of `amount`; always `USD`.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of `amount`; always 2, so amounts are US-dollar cents.
             * @constant
             * @enum {integer}
             */
            minor_units: 2;
            /**
             * @description Kind of price: an observed offer or order, never a sale.
             * @constant
             * @enum {string}
             */
            kind: "daily_cached_quote";
            /** @description False only for the current UTC day, because its row still changes. */
            complete: boolean;
            /** @description When the source observed the last quote; null (unknown) if the source gives no time. */
            source_observed_at: components["schemas"]["Timestamp"] | null;
            /**
             * Format: date-time
             * @description When the row last changed. A late frame of the day moves it if the frame has the price. Not an observation
             *     time.
             */
            recorded_at: string;
        };
        /**
         * @description Side of the market; one side never falls back to the other. `ask`: sellers' offers. `bid`: buy orders.
         * @enum {string}
         */
        QuoteSide: "ask" | "bid";
        /** @description Metadata of the response: its window, its gaps and the times behind its rows. */
        DailySeriesMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            from: components["schemas"]["UtcDate"];
            to: components["schemas"]["UtcDate"];
            resolution: components["schemas"]["SeriesResolutionDay"];
            missing_points: components["schemas"]["MissingPoints"];
            /** @description Pass it unchanged as `after`. Null on the last page. */
            next_page: components["schemas"]["PageCursor"] | null;
            /** @description Oldest source observation of the returned rows; null (unknown) if any of them has none. */
            as_of: components["schemas"]["Timestamp"] | null;
            freshness: components["schemas"]["Freshness"];
            timestamp_quality: components["schemas"]["TimestampQuality"];
            known_at?: components["schemas"]["KnownAtOfResponse"];
        };
        /**
         * @description One row is one UTC day.
         * @constant
         * @enum {string}
         */
        SeriesResolutionDay: "day";
        /**
         * @description Points of the whole resolved window without a row, as a text; the same on every page. It counts the points that
         *     have begun at the request, the current one included. A missing point is not a zero.
         *
         *     - `none`, or for example `4 of 30 days absent: 2025-12-20, 2025-12-27/2025-12-29`, for hours
         *       `2 of 24 hours absent: 2026-01-14T05:00Z/2026-01-14T06:00Z`. It lists at most 20 ranges, then `, +k more`.
         *     - ROI history counts only the scheduled hours of the model, every sixth, and a range goes in their steps:
         *       `3 of 4 hours absent: 2026-01-14T06:00Z/2026-01-14T18:00Z`.
         *     - Hours that the server's operator has removed have no row. Their days follow, in at most 5 ranges:
         *       `…; recorded and since removed: 2026-01-01/2026-01-10`.
         *     - Hours of frames that the operator took back as wrong follow as `…; retracted: 2026-01-14T05:00Z`. They have at
         *       most 5 ranges, or one after removed days.
         * @example none
         * @example 3 of 30 days absent: 2025-12-20, 2025-12-28/2025-12-29
         */
        MissingPoints: string;
        /**
         * Format: date-time
         * @description The requested `known_at`, with milliseconds. Absent in a response to a request without it.
         * @example 2026-01-14T18:00:00.000Z
         */
        KnownAtOfResponse: string;
        /** @description Response of `getHourlyPriceHistory`: one page of hourly rows. */
        HourlyPriceHistoryEnvelope: {
            /** @description The hourly rows, in ascending order of `ts`, then `provider`, markers first. Empty if nothing was recorded. */
            data: components["schemas"]["HourlyPrice"][];
            meta: components["schemas"]["HourlySeriesMeta"];
        };
        /**
         * @description The cached quote of one item, side and provider in one UTC hour, from the first verified frame. A marker row has
         *     the reason for a missing quote instead. An hour without a recorded frame has no row.
         */
        HourlyPrice: {
            /**
             * Format: date-time
             * @description First instant of the UTC hour. Not an observation time.
             */
            ts: string;
            /**
             * @description Provider of the quote; null marks an hour in which no provider has a quote on the side. Such rows exist only
             *     without a provider filter; with one, every row has the requested name.
             */
            provider: components["schemas"]["ProviderSlug"] | null;
            side: components["schemas"]["QuoteSide"];
            /** @description Price in US-dollar cents; null if nothing is quoted, never zero. */
            amount: components["schemas"]["Cents"] | null;
            /** @description Units offered or wanted at this amount; null if unknown. */
            quantity: components["schemas"]["Quantity"] | null;
            /**
             * @description Currency of `amount`; always `USD`.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of `amount`; always 2, so amounts are US-dollar cents.
             * @constant
             * @enum {integer}
             */
            minor_units: 2;
            /**
             * @description Kind of price: an observed offer or order, never a sale.
             * @constant
             * @enum {string}
             */
            kind: "hourly_cached_quote";
            availability: components["schemas"]["HourlyAvailability"];
            /**
             * Format: date-time
             * @description When the mirror published this state. It is the time of intake for a state that was not published then:
             *     because the last publication was too recent, or because a saved file was too late. For a marker without
             *     provider, the latest of the hour's frames. Not an observation time.
             */
            ingested_at: string;
            /**
             * Format: date-time
             * @description When this state was successfully verified in the hour, by a new body or by the source's report that nothing
             *     changed (304). For a saved file that was imported later, when the source saved it. For a marker without
             *     provider, the latest of the hour's frames.
             */
            checked_at: string;
            /**
             * Format: date-time
             * @description When the frame was stored here. Later than the hour for a saved file that was imported later. For a marker
             *     without provider, the latest of the hour's frames.
             */
            recorded_at: string;
            /** @description When the source observed this quote; null (unknown) if the feed gives no quote time. */
            source_observed_at: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description Reason for a price or its absence. `quoted`: a stored price exists for this provider and side. `item_missing`: a
         *     frame was recorded but this exact item or phase was absent from its feed; without a provider filter, from all
         *     frames of the hour. `no_quote`: the item was present but had no quote for the selection. An item also counts as
         *     present in three cases: the feed has its name but an unreadable price, several items share the name, or it
         *     joined the catalog later.
         * @enum {string}
         */
        HourlyAvailability: "quoted" | "item_missing" | "no_quote";
        /** @description Metadata of the response: its window, its gaps and the times behind its rows. */
        HourlySeriesMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            from: components["schemas"]["UtcDate"];
            to: components["schemas"]["UtcDate"];
            resolution: components["schemas"]["SeriesResolutionHour"];
            missing_points: components["schemas"]["MissingPoints"];
            /** @description Pass it unchanged as `after`. Null on the last page. */
            next_page: components["schemas"]["PageCursor"] | null;
            /** @description Oldest source observation of the returned prices; null (unknown) if any of them has none. */
            as_of: components["schemas"]["Timestamp"] | null;
            freshness: components["schemas"]["Freshness"];
            timestamp_quality: components["schemas"]["TimestampQuality"];
            known_at?: components["schemas"]["KnownAtOfResponse"];
        };
        /**
         * @description One row is one UTC hour.
         * @constant
         * @enum {string}
         */
        SeriesResolutionHour: "hour";
        /** @description Response of `listHistoryDays`: one page of sealed days. */
        HistoryDayListEnvelope: {
            /** @description The sealed days, newest day first, then newest revision. */
            data: components["schemas"]["HistoryDay"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description One revision of a sealed day. Rows, bytes and digests cover the lines between `start` and `end` of its export. */
        HistoryDay: {
            date: components["schemas"]["UtcDate"];
            revision: components["schemas"]["DayRevision"];
            condition: components["schemas"]["DayCondition"];
            /** @description The feeds with a frame on the day or in the 30 days before it, ordered by name. */
            feeds: components["schemas"]["FeedHours"][];
            /**
             * Format: int64
             * @description Number of daily rows of the day.
             */
            rows: number;
            /**
             * Format: int64
             * @description Size of the daily rows' lines in bytes.
             */
            bytes: number;
            digest: components["schemas"]["Sha256Digest"];
            /**
             * @description State of the hourly rows. `pruned`: the hours were removed from the server.
             * @enum {string}
             */
            hourly: "available" | "pruned";
            /**
             * Format: int64
             * @description Number of lines of the hourly export; null if its hours were removed before the day was sealed.
             */
            hourly_rows: number | null;
            /**
             * Format: int64
             * @description Size of these lines in bytes; null if `hourly_rows` is null.
             */
            hourly_bytes: number | null;
            /** @description SHA-256 of these lines; null if `hourly_rows` is null. */
            hourly_digest: components["schemas"]["Sha256Digest"] | null;
            sealed_at: components["schemas"]["Timestamp"];
            /** @description When the next revision was sealed; null for the latest revision. */
            superseded_at: components["schemas"]["Timestamp"] | null;
            /** @description Whether `streamHistoryDay` can send this revision by its number. Its hourly rows also need `hourly: available`. */
            kept: boolean;
        };
        /**
         * Format: int32
         * @description Number of the seal of this day, from 1.
         */
        DayRevision: number;
        /**
         * @description Completeness of the recorded hours. `complete`: each feed has a frame in each of the 24 hours. `partial`: some
         *     hours lack a frame. `empty`: no hour has a frame, but daily rows may have been imported.
         * @enum {string}
         */
        DayCondition: "complete" | "partial" | "empty";
        /** @description Recorded hours of one feed on the day. */
        FeedHours: {
            feed: components["schemas"]["FeedName"];
            /**
             * Format: int32
             * @description Number of hours with a frame, 0 to 24.
             */
            hours: number;
        };
        /** @description Name of a source of quotes. */
        FeedName: string;
        /** @description A SHA-256 in lowercase hexadecimal digits. */
        Sha256Digest: string;
        /**
         * @description Request of `streamHistoryDay`: the rows to export. With `revision` this revision is sent as it was sealed, even
         *     if it is superseded. Without it, the latest revision is sent.
         */
        DayExportRequest: {
            resolution: components["schemas"]["DayResolution"];
            revision?: components["schemas"]["DayRevision"];
        };
        /**
         * @description Rows of the export. `daily`: one line per daily row. `hourly`: the cached quotes by hour, folded.
         * @enum {string}
         */
        DayResolution: "daily" | "hourly";
        /** @description One line of the day's export; `type` selects the kind. */
        DayExportRecord: components["schemas"]["DayExportStart"] | components["schemas"]["DayDaily"] | components["schemas"]["DayQuotes"] | components["schemas"]["DayMarkers"] | components["schemas"]["DayExportEnd"] | components["schemas"]["SnapshotError"];
        /** @description First record of a day's export, exactly once. */
        DayExportStart: {
            /**
             * @description Always `start`: the first record. (enum property replaced by openapi-typescript)
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
             * @description Currency of all amounts; always `USD`.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of amounts; always 2, for US-dollar cents.
             * @constant
             * @enum {integer}
             */
            minor_units: 2;
            /** @description The part that is sent; null if everything is sent, and the digest is then the listed one. */
            selection: components["schemas"]["DaySelection"] | null;
            /** @description The frames of the day, one entry per feed; empty in a daily export. */
            frames: components["schemas"]["DayFrames"][];
        };
        /** @description The part of the day that a plan may read; only these rows are sent. */
        DaySelection: {
            provider: components["schemas"]["ProviderSlug"];
            side: components["schemas"]["QuoteSide"];
        };
        /** @description The frames of one feed as parallel arrays, one entry per recorded hour. */
        DayFrames: {
            feed: components["schemas"]["FeedName"];
            /** @description Hours of the day with a frame, ascending. */
            hours: components["schemas"]["HourOfDay"][];
            /** @description When the mirror published each frame, in the order of `hours`. */
            ingested_at: components["schemas"]["Timestamp"][];
            /** @description When each frame was successfully verified, in the order of `hours`. */
            checked_at: components["schemas"]["Timestamp"][];
            /** @description When each frame was stored, in the order of `hours`. */
            recorded_at: components["schemas"]["Timestamp"][];
        };
        /**
         * Format: int32
         * @description Hour of a UTC day, 0 to 23.
         */
        HourOfDay: number;
        /** @description Record of one daily row. */
        DayDaily: {
            /**
             * @description Always `daily`: one daily row. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "daily";
            data: components["schemas"]["DayDailyData"];
        };
        /** @description One daily row; its fields are as in `getDailyPriceHistory`. */
        DayDailyData: {
            item_id: components["schemas"]["ItemId"];
            side: components["schemas"]["QuoteSide"];
            provider: components["schemas"]["ProviderSlug"];
            amount: components["schemas"]["Cents"];
            low_amount: components["schemas"]["Cents"];
            high_amount: components["schemas"]["Cents"];
            /**
             * Format: int32
             * @description Number of stored observations behind the row.
             */
            observations: number;
            quantity: components["schemas"]["KnownQuantity"];
            source_observed_at: components["schemas"]["KnownTime"];
            recorded_at: components["schemas"]["Timestamp"];
        };
        /**
         * Format: int64
         * @description Number of units; null if the source does not report it.
         */
        KnownQuantity: number | null;
        /**
         * Format: date-time
         * @description When the source observed the quote; null if unknown.
         */
        KnownTime: string | null;
        /** @description Record of the hourly quotes of one item, side, provider and feed. */
        DayQuotes: {
            /**
             * @description Always `quotes`: hourly quotes. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "quotes";
            data: components["schemas"]["DayQuotesData"];
        };
        /** @description Parallel arrays with one entry for each range of hours with the same quote. */
        DayQuotesData: {
            item_id: components["schemas"]["ItemId"];
            side: components["schemas"]["QuoteSide"];
            provider: components["schemas"]["ProviderSlug"];
            feed: components["schemas"]["FeedName"];
            /** @description Ranges of hours of the quotes, ascending. */
            hours: components["schemas"]["HourRange"][];
            /** @description Price in each range, in US-dollar cents. */
            amounts: components["schemas"]["Cents"][];
            /** @description Units offered or wanted in each range; null if the source does not report it. */
            quantities: components["schemas"]["KnownQuantity"][];
            /** @description When the source observed each quote; null if unknown. */
            source_observed_at: components["schemas"]["KnownTime"][];
        };
        /** @description First and last hour, both inclusive. */
        HourRange: components["schemas"]["HourOfDay"][];
        /** @description Record of the hours without a quote on one side of an item. */
        DayMarkers: {
            /**
             * @description Always `markers`: hours without a quote. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "markers";
            data: components["schemas"]["DayMarkersData"];
        };
        /** @description Parallel arrays with one entry for each range of hours with the same reason. */
        DayMarkersData: {
            item_id: components["schemas"]["ItemId"];
            side: components["schemas"]["QuoteSide"];
            /** @description Ranges of hours without a quote, ascending. */
            hours: components["schemas"]["HourRange"][];
            /** @description Reason for the missing quote in each range. */
            availability: components["schemas"]["HourlyAvailability"][];
            /** @description Feeds behind each range; null for all feeds with a frame in these hours. */
            feeds: components["schemas"]["FeedsOfHours"][];
        };
        /** @description Names of feeds; null for all feeds with a frame in these hours. */
        FeedsOfHours: components["schemas"]["FeedName"][] | null;
        /** @description Last record of a complete export. Accept the export only now. */
        DayExportEnd: {
            /**
             * @description Always `end`: the last record of a complete export. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "end";
            request_id: components["schemas"]["RequestId"];
            date: components["schemas"]["UtcDate"];
            revision: components["schemas"]["DayRevision"];
            /**
             * Format: int64
             * @description Number of lines between `start` and `end`.
             */
            rows: number;
            digest: components["schemas"]["Sha256Digest"];
        };
        /**
         * @description Last record of a failed export, with the `request_id` of `start`. No `end` follows; discard the data and retry
         *     the whole request.
         */
        SnapshotError: {
            /**
             * @description Always `error`: the export failed. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "error";
            request_id: components["schemas"]["RequestId"];
            code: components["schemas"]["SnapshotErrorCode"];
        };
        /**
         * @description Reason for the failure. `snapshot_changed`: during the export, the price cache changed its generation, or the
         *     day its revision. `snapshot_interrupted`: the export failed or passed its deadline.
         * @enum {string}
         */
        SnapshotErrorCode: "snapshot_interrupted" | "snapshot_changed";
        /**
         * @description Request of `getMarketPricesBatch`: items, and optional filters of their quotes. With `provider` only quotes of
         *     that provider are returned, and a missing one never falls back to another. With `side` the list of the other
         *     side is empty.
         */
        BatchPricesRequest: {
            /** @description 1 to 100 different item ids; the response has their order. */
            item_ids: components["schemas"]["ItemId"][];
            provider?: components["schemas"]["ProviderSlug"];
            side?: components["schemas"]["QuoteSide"];
        };
        /** @description Response of `getMarketPricesBatch`: one entry for each requested id. */
        MarketPricesBatchEnvelope: {
            /** @description One entry for each requested id, in the order of the request. */
            data: components["schemas"]["MarketPricesBatchEntry"][];
            meta: components["schemas"]["QuoteMeta"];
        };
        /** @description Cached quotes of one requested item. `status` reports an unknown id. */
        MarketPricesBatchEntry: {
            item_id: components["schemas"]["ItemId"];
            status: components["schemas"]["BatchEntryStatus"];
            /** @description Name of the item; null if the id is unknown. */
            market_hash_name: components["schemas"]["MarketHashName"] | null;
            /** @description Exact paint phase, or null; also null if the id is unknown. It never falls back to an unphased item. */
            phase: components["schemas"]["PaintPhase"] | null;
            /** @description Whether the cache has quotes of this item, without regard to filters; null if the id is unknown. */
            availability: components["schemas"]["Availability"] | null;
            /** @description Generation of the quotes, the same for all known items; null if the id is unknown. */
            generation: components["schemas"]["Generation"] | null;
            /** @description When that generation was published; null if the id is unknown. Not an observation time. */
            ingested_at: components["schemas"]["Timestamp"] | null;
            /** @description Sellers' offers in no promised order. Empty if missing, filtered out or not found. */
            asks: components["schemas"]["Quote"][];
            /** @description Buy orders in no promised order. Empty if missing, filtered out or not found. */
            bids: components["schemas"]["Quote"][];
        };
        /**
         * @description Whether the id is known. `not_found`: no item has this id.
         * @enum {string}
         */
        BatchEntryStatus: "found" | "not_found";
        /**
         * @description Request of `getMarketPricesKnownAt`: an instant, items, and optional filters of their quotes. With `provider`
         *     only its feed and its quotes are returned. With `side` the list of the other side is empty.
         */
        KnownPricesRequest: {
            known_at: components["schemas"]["KnownInstant"];
            /** @description 1 to 100 different item ids; the response has their order. */
            item_ids: components["schemas"]["ItemId"][];
            provider?: components["schemas"]["ProviderSlug"];
            side?: components["schemas"]["QuoteSide"];
        };
        /** @description Response of `getMarketPricesKnownAt`: the frames, and one entry for each requested id. */
        MarketPricesKnownAtEnvelope: {
            data: components["schemas"]["KnownPrices"];
            meta: components["schemas"]["KnownPricesMeta"];
        };
        /** @description Quotes as known at an instant, and the frames that they are from. */
        KnownPrices: {
            /**
             * @description Currency of all amounts; always `USD`.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of all amounts; always 2, so amounts are US-dollar cents.
             * @constant
             * @enum {integer}
             */
            minor_units: 2;
            /** @description The frames that counted at the instant, at most one of each feed, ordered by feed. */
            frames: components["schemas"]["KnownFrame"][];
            /** @description One entry for each requested id, in the order of the request. */
            items: components["schemas"]["KnownPricesEntry"][];
        };
        /** @description The frame of one feed. All quotes of the feed's providers are from it. */
        KnownFrame: {
            feed: components["schemas"]["FeedName"];
            /** @description Providers that the frame covers, ordered by slug; null if it does not remember them. */
            providers: components["schemas"]["ProviderSlug"][] | null;
            /**
             * Format: date-time
             * @description Start of the frame's UTC hour. Not an observation time.
             */
            ts: string;
            /**
             * Format: date-time
             * @description When the feed was verified in that hour. Not an observation time.
             */
            checked_at: string;
            /**
             * Format: date-time
             * @description When the server recorded the frame, at most `known_at`.
             */
            recorded_at: string;
        };
        /** @description Quotes of one requested item. `status` reports an unknown id. */
        KnownPricesEntry: {
            item_id: components["schemas"]["ItemId"];
            /**
             * @description Whether the id was known at the instant. `not_found`: no item had this id.
             * @enum {string}
             */
            status: "found" | "not_found";
            /** @description Sellers' offers, cheapest first. Empty if missing, filtered out or not found. */
            asks: components["schemas"]["KnownQuote"][];
            /** @description Buy orders, highest first. Empty if missing, filtered out or not found. */
            bids: components["schemas"]["KnownQuote"][];
        };
        /** @description One offer or buy order of a frame. It was observed; it is not a completed sale. */
        KnownQuote: {
            provider: components["schemas"]["ProviderSlug"];
            amount: components["schemas"]["Cents"];
            /** @description Number of units offered or wanted at this amount; null if the source does not report it. */
            quantity: components["schemas"]["Quantity"] | null;
            /** @description When the source observed this quote; null (unknown) if the source gives no time. */
            as_of: components["schemas"]["Timestamp"] | null;
        };
        /** @description Metadata of the response, with the instant and the times behind its quotes. */
        KnownPricesMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            known_at: components["schemas"]["KnownAtOfResponse"];
            /** @description Oldest source observation of the returned quotes; null (unknown) if any of them has none. */
            as_of: components["schemas"]["Timestamp"] | null;
            freshness: components["schemas"]["Freshness"];
            timestamp_quality: components["schemas"]["TimestampQuality"];
        };
        /** @description One line of the market export; `type` selects the kind. */
        SnapshotRecord: components["schemas"]["SnapshotStart"] | components["schemas"]["SnapshotItem"] | components["schemas"]["SnapshotEnd"] | components["schemas"]["SnapshotError"];
        /** @description First record of a market export, exactly once. */
        SnapshotStart: {
            /**
             * @description Always `start`: the first record. (enum property replaced by openapi-typescript)
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
            /** @description Always null, because the feed supplies no observation time. */
            price_as_of: null;
            /**
             * @description All prices are from one generation. Catalog identity is scanned by id and is not a database snapshot.
             * @constant
             * @enum {string}
             */
            consistency: "single_price_generation";
            /**
             * Format: int32
             * @description Upper bound of the catalog scan; 0 if the catalog is empty.
             */
            catalog_max_item_id: number;
        };
        /** @description Record of one catalog item, at most 256 KiB encoded. Item records are in ascending `item_id`. */
        SnapshotItem: {
            /**
             * @description Always `item`: one catalog item. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "item";
            data: components["schemas"]["SnapshotItemData"];
        };
        /** @description Identity of an item and its quotes. */
        SnapshotItemData: {
            item_id: components["schemas"]["ItemId"];
            market_hash_name: components["schemas"]["MarketHashName"];
            /**
             * @description Exact paint phase; null for items without phases and for unphased identities. No fallback to an unphased
             *     item.
             */
            phase: components["schemas"]["PaintPhase"] | null;
            availability: components["schemas"]["Availability"];
            /** @description Sellers' offers, in no promised order. Empty if `missing`; bids never substitute for them. */
            asks: components["schemas"]["SnapshotQuote"][];
            /** @description Buy orders, in no promised order. Empty if `missing`. */
            bids: components["schemas"]["SnapshotQuote"][];
        };
        /** @description One cached offer or buy order. It was observed; it is not a completed sale. */
        SnapshotQuote: {
            provider: components["schemas"]["ProviderSlug"];
            amount: components["schemas"]["Cents"];
            /**
             * @description Currency of `amount`; always `USD`.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of `amount`; always 2, so amounts are US-dollar cents.
             * @constant
             * @enum {integer}
             */
            minor_units: 2;
            /** @description Number of units offered or wanted at this amount; null if the source does not report it. */
            quantity: components["schemas"]["Quantity"] | null;
            /** @description Page of the item at the provider; null if unknown. */
            url: components["schemas"]["HttpsUrl"] | null;
            /** @description Time of the source's observation; always null in exports, even if a price read of the same quote has a time. */
            as_of: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description Last record of a complete export, with the `request_id` and the `generation` of `start`. Accept the export only
         *     now.
         */
        SnapshotEnd: {
            /**
             * @description Always `end`: the last record of a complete export. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "end";
            request_id: components["schemas"]["RequestId"];
            generation: components["schemas"]["Generation"];
            /**
             * Format: int32
             * @description Number of item records in the export.
             */
            items: number;
        };
        /** @description Request of `streamMarketChanges`: the state of the client's copy. */
        ChangesRequest: {
            /** @description Generation of the copy, such as `g5`. */
            generation: string;
            identity_digest: components["schemas"]["Sha256Digest"];
        };
        /** @description One line of the stream of changes; `type` selects the kind. */
        ChangesRecord: components["schemas"]["ChangesStart"] | components["schemas"]["SnapshotItem"] | components["schemas"]["ChangesRemoved"] | components["schemas"]["ChangesEnd"] | components["schemas"]["SnapshotError"];
        /** @description First record of a stream of changes, exactly once. */
        ChangesStart: {
            /**
             * @description Always `start`: the first record. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "start";
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            ingested_at: components["schemas"]["IngestedAt"];
            from: components["schemas"]["MarketState"];
            to: components["schemas"]["MarketState"];
        };
        /** @description State of the market at one time, with the digests of `getGeneration`. */
        MarketState: {
            generation: components["schemas"]["Generation"];
            digest: components["schemas"]["Sha256Digest"];
            identity_digest: components["schemas"]["Sha256Digest"];
        };
        /** @description Record of an item in the copy that exports no longer contain. */
        ChangesRemoved: {
            /**
             * @description Always `removed`: an item to delete from the copy. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "removed";
            item_id: components["schemas"]["ItemId"];
        };
        /** @description Last record, with the `request_id` and the `to` of `start`. Accept the changes only now. */
        ChangesEnd: {
            /**
             * @description Always `end`: the last record of complete changes. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "end";
            request_id: components["schemas"]["RequestId"];
            to: components["schemas"]["MarketState"];
            /**
             * Format: int32
             * @description Number of `item` records in the stream.
             */
            items: number;
            /**
             * Format: int32
             * @description Number of `removed` records in the stream.
             */
            removed: number;
        };
        /** @description Response of `getGeneration` and `getCurrentGeneration`: totals and digests. */
        PublishedGenerationEnvelope: {
            data: components["schemas"]["PublishedGeneration"];
            meta: components["schemas"]["Meta"];
        };
        /** @description Totals and digests of the complete export of one generation; see `getGeneration` for the canonical price part. */
        PublishedGeneration: {
            generation: components["schemas"]["Generation"];
            ingested_at: components["schemas"]["IngestedAt"];
            /**
             * Format: int32
             * @description Number of available items: one line each in the canonical price part.
             */
            items: number;
            /**
             * Format: int64
             * @description Length of the canonical price part in UTF-8 bytes, line feeds included.
             */
            bytes: number;
            /** @description SHA-256 of the canonical price part, in lowercase hexadecimal digits. */
            digest: string;
            /**
             * @description SHA-256 of the canonical identity part as it is now, in lowercase hexadecimal digits; null for a superseded
             *     generation.
             */
            identity_digest: components["schemas"]["Sha256Digest"] | null;
        };
        /** @description Response of `listIndexes`: one page of indexes. */
        IndexListEnvelope: {
            /** @description The indexes, in ascending order of `index_id`. */
            data: components["schemas"]["MarketIndex"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * @description A price index over the daily asks of one provider, with its latest level under the current methodology. It uses
         *     observed offers, not completed sales.
         */
        MarketIndex: {
            index_id: components["schemas"]["IndexId"];
            /** @description Display name of the index. */
            name: string;
            /** @description Composition of the index in words. */
            description: string;
            /**
             * Format: date
             * @description First UTC day of the index. The first day from it on with enough prices has the base value.
             */
            base_date: string;
            base_value: components["schemas"]["DecimalString"];
            /**
             * @description Latest level; null if too few constituents had a price (coverage under 90 %), if less than half of the
             *     members had one both then and on the last day with a value, or if no level exists yet.
             */
            value: components["schemas"]["IndexValue"] | null;
            /**
             * @description Price times units in US-dollar cents, summed over the constituents with a price; null if `value` is null.
             *     See `coverage_pct`.
             */
            capitalization_cents: components["schemas"]["CapitalizationCents"] | null;
            /**
             * Format: int32
             * @description Number of items in the membership version.
             */
            constituent_count: number;
            /**
             * Format: int32
             * @description Number of constituents with a price on the day of the level; null if no level exists yet.
             */
            priced_constituent_count: number | null;
            /** @description Priced constituents as a share of all; null if no level exists yet. */
            coverage_pct: components["schemas"]["PercentageString"] | null;
            provider: components["schemas"]["ProviderSlug"];
            weighting: components["schemas"]["IndexWeighting"];
            methodology_version: components["schemas"]["MethodologyVersion"];
            membership_version: components["schemas"]["MembershipVersion"];
            /** @description False if the index is no longer calculated; its history stays. */
            active: boolean;
            /** @description Oldest source observation behind the level; null (unknown) if any price has none. */
            as_of: components["schemas"]["Timestamp"] | null;
            /** @description When the index was last calculated, even without a change; null if never. Not an observation time. */
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
         * @description Capitalization in integer US-dollar cents, as a string of digits because a JSON number may lose precision.
         * @example 184467440737095516150
         */
        CapitalizationCents: string;
        /**
         * @description A share of 0 to 100 percent as a decimal string.
         * @example 97.5
         */
        PercentageString: string;
        /**
         * @description Weights of the constituents. `equal`: every constituent has the same weight. `capitalization`: its weight is its
         *     price times the units in the member list.
         * @enum {string}
         */
        IndexWeighting: "equal" | "capitalization";
        /**
         * @description Version of the method behind a value. Values of different versions are incompatible: never merge them into one
         *     curve.
         * @example 1
         */
        MethodologyVersion: string;
        /**
         * Format: int32
         * @description Version of an index's members, counted from 1. A change of members makes a new version from its day on and is
         *     never applied backwards.
         * @example 2
         */
        MembershipVersion: number;
        /** @description Response of `getIndex`: one index with its latest level. */
        IndexEnvelope: {
            data: components["schemas"]["MarketIndex"];
            meta: components["schemas"]["IndexMeta"];
        };
        /** @description Metadata of the response, with the times behind the level. */
        IndexMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            /** @description Oldest source observation behind the level; null (unknown) if any price has none. */
            as_of: components["schemas"]["Timestamp"] | null;
            freshness: components["schemas"]["Freshness"];
        };
        /** @description Response of `getIndexHistory`: one page of daily levels. */
        IndexHistoryEnvelope: {
            /** @description The daily levels, in ascending order of `date`, all of one methodology version. */
            data: components["schemas"]["IndexLevel"][];
            meta: components["schemas"]["DailySeriesMeta"];
        };
        /** @description Level of an index on one UTC day under one methodology. A day without a calculation has no row. */
        IndexLevel: {
            /**
             * Format: date
             * @description The UTC day of the level.
             */
            date: string;
            /**
             * @description The level; null if coverage was under the floor of the methodology (90 %), or if less than half of the
             *     members had a price both then and on the last day with a value. Neither zero nor the level of the day
             *     before.
             */
            value: components["schemas"]["IndexValue"] | null;
            /**
             * @description Price times units in US-dollar cents, summed over the constituents with a price; null if `value` is null.
             *     See `coverage_pct`.
             */
            capitalization_cents: components["schemas"]["CapitalizationCents"] | null;
            /**
             * Format: int32
             * @description Number of items in the membership version.
             */
            constituent_count: number;
            /**
             * Format: int32
             * @description Number of constituents with a price on the day of the level.
             */
            priced_constituent_count: number;
            coverage_pct: components["schemas"]["PercentageString"];
            methodology_version: components["schemas"]["MethodologyVersion"];
            membership_version: components["schemas"]["MembershipVersion"];
            /** @description Oldest source observation behind the level; null (unknown) if any price has none. */
            as_of: components["schemas"]["Timestamp"] | null;
            /**
             * Format: date-time
             * @description When the stored row was written. Not an observation time.
             */
            recorded_at: string;
            /**
             * Format: int32
             * @description Number of the level of the day, from 1. A correction of its prices makes a new revision of the level and of
             *     each later level that it changes.
             */
            revision: number;
            /**
             * @description Kind of value: a level calculated from observed offers.
             * @constant
             * @enum {string}
             */
            kind: "index_level";
        };
        /** @description Response of `listIndexMembers`: one page of members. */
        IndexMemberListEnvelope: {
            /** @description The members, in ascending order of `item_id`. */
            data: components["schemas"]["IndexMember"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description An item in one membership version of an index. */
        IndexMember: {
            item_id: components["schemas"]["ItemId"];
            market_hash_name: components["schemas"]["MarketHashName"];
            /** @description Exact paint phase, or null; it never falls back to an unphased item. */
            phase: components["schemas"]["PaintPhase"] | null;
            /**
             * @description Share in the index at the latest level of this version with a value; null without such a level, or if that
             *     level had no price of the item.
             */
            weight_pct: components["schemas"]["PercentageString"] | null;
            /**
             * Format: date
             * @description First UTC day of the item's unbroken membership.
             */
            added_on: string;
            /** @description First UTC day of a later version without the item; null if none dropped it. */
            removed_on: components["schemas"]["UtcDate"] | null;
        };
        /**
         * @description ISO 4217 code of a currency.
         * @example EUR
         */
        CurrencyCode: string;
        /** @description Response of `listExchangeRates`: one page of rates. */
        ExchangeRateListEnvelope: {
            /** @description The rates, in ascending order of `currency`. */
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
            /**
             * @description When the source observed the rate; null if unknown. A source that gives only a day counts as the first
             *     instant of that UTC day.
             */
            as_of: components["schemas"]["Timestamp"] | null;
            /** @description When the rate was stored here; null for USD, which is 1 by definition. Not an observation time. */
            ingested_at: components["schemas"]["Timestamp"] | null;
            /** @description Source of the rate, or of the rates behind it. */
            source: string;
            methodology_version: components["schemas"]["MethodologyVersion"];
        };
        /**
         * @description Units of the currency per US dollar, as a decimal string. Never with an exponent.
         * @example 0.8594
         */
        RatePerUsd: string;
        /** @description Response of `getExchangeRateHistory`: one page of daily rates. */
        ExchangeRateHistoryEnvelope: {
            /** @description The daily rates, in ascending order of `date`. Nothing is carried forward. */
            data: components["schemas"]["ExchangeRatePoint"][];
            meta: components["schemas"]["DailySeriesMeta"];
        };
        /** @description Rate of one currency on one UTC day. A day without a rate, such as most weekends, has no row. */
        ExchangeRatePoint: {
            /**
             * Format: date
             * @description The UTC day of the rate.
             */
            date: string;
            currency: components["schemas"]["CurrencyCode"];
            rate_per_usd: components["schemas"]["RatePerUsd"];
            /**
             * @description When the source observed the rate; null if unknown. A source that gives only a day counts as the first
             *     instant of that UTC day.
             */
            as_of: components["schemas"]["Timestamp"] | null;
            /**
             * Format: date-time
             * @description When the stored row was written. Not an observation time.
             */
            recorded_at: string;
            /** @description Source of the rate, or of the rates behind it. */
            source: string;
            methodology_version: components["schemas"]["MethodologyVersion"];
            /**
             * @description Kind of rate: a reference rate, not an offer to exchange.
             * @constant
             * @enum {string}
             */
            kind: "exchange_rate";
        };
        /**
         * @description Valuation model, not an individual marketplace and not guaranteed proceeds. One mode never falls back to the
         *     other. `steam_gross`: the main platform's lowest ask of exactly that item, its fee not deducted. `cash_ask`: the
         *     lowest ask among providers of kind `cash`.
         * @default steam_gross
         * @enum {string}
         */
        SelectedValuationMode: "steam_gross" | "cash_ask";
        /** @description Response of `listOpenables`: one page of containers. */
        OpenableListEnvelope: {
            /** @description The containers, in ascending order of `slug`. */
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
            /** @description HTTPS address of a picture; null if unknown. */
            image_url: components["schemas"]["HttpsUrl"] | null;
            /** @description False if the pool is retired. A retired pool stays listed and is still calculated. */
            active: boolean;
            /** @description UTC day of the container's release; null if unknown. */
            released_on: components["schemas"]["UtcDate"] | null;
            /** @description UTC day of the pool's retirement; null if it is not retired or the day is unknown. */
            retired_on: components["schemas"]["UtcDate"] | null;
            /** @description Whether an opening needs a key. */
            requires_key: boolean;
            /**
             * Format: int32
             * @description Number of exact items with a probability above zero.
             */
            outcome_count: number;
            valuation_mode: components["schemas"]["ValuationMode"];
            /**
             * @description The current calculation; null if none is published for this mode and the current methodology; null is not
             *     zero ROI.
             */
            current: components["schemas"]["RoiCalculation"] | null;
            /**
             * @description The tier with the share `current.price_coverage.lowest_tier_coverage_pct`, the first of several; null
             *     without a calculation.
             */
            lowest_tier: components["schemas"]["TierName"] | null;
        };
        /**
         * @description Kind of container. `case`: weapons and gloves or knives. `souvenir_package`: souvenir items of a map. `capsule`:
         *     stickers, charms and the like. `other`: for example music kit boxes.
         * @enum {string}
         */
        OpenableType: "case" | "souvenir_package" | "capsule" | "other";
        /**
         * @description Valuation model, not an individual marketplace and not guaranteed proceeds. One mode never falls back to the
         *     other. `steam_gross`: the main platform's lowest ask of exactly that item, its fee not deducted. Phased outcomes
         *     have no price in it, because the platform does not distinguish phases. `cash_ask`: the lowest ask among
         *     providers of kind `cash`.
         * @enum {string}
         */
        ValuationMode: "steam_gross" | "cash_ask";
        /**
         * @description The model's result for one opening, calculated from observed asks, not from sales. A missing point value is
         *     null, and a null bound is unknown; neither is zero.
         */
        RoiCalculation: {
            revision_id: components["schemas"]["PoolRevisionId"];
            revision_number: components["schemas"]["PoolRevisionNumber"];
            methodology_version: components["schemas"]["MethodologyVersion"];
            valuation_mode: components["schemas"]["ValuationMode"];
            /**
             * Format: date-time
             * @description When the model last calculated or confirmed these numbers. Not a price time.
             */
            calculated_at: string;
            /**
             * @description Oldest source time of the values and of the container's price; null (unknown) if a source gave none for any
             *     of them. Never replaced by the time of import or of the calculation.
             */
            price_as_of: components["schemas"]["Timestamp"] | null;
            /**
             * @description Whether the calculation is stale now: more than 8 hours old, with an unknown price time, or with a price
             *     more than 24 hours old.
             */
            stale: boolean;
            /** @description Reasons why the calculation is stale; empty if it is not. */
            stale_reasons: components["schemas"]["StaleReason"][];
            /**
             * @description Currency of every amount; always `USD`.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of the amounts; always 2, for US-dollar cents.
             * @constant
             * @enum {integer}
             */
            minor_units: 2;
            /**
             * Format: int64
             * @description Modeled cost of one opening in US-dollar cents: container plus key.
             */
            cost_cents: number;
            /**
             * Format: int64
             * @description The container's lowest ask in this mode, in US-dollar cents.
             */
            container_cost_cents: number;
            container_cost_provider: components["schemas"]["ProviderSlug"];
            /** @description Source time of the container's ask; null if the source gave none. */
            container_cost_as_of: components["schemas"]["Timestamp"] | null;
            /**
             * Format: int64
             * @description Fixed store price of the key in US-dollar cents, never a listing; 0 if the container needs none.
             */
            key_cost_cents: number;
            /**
             * Format: int64
             * @description Modeled expected value of one opening in US-dollar cents; null if too little is priced for a point value.
             *     Unpriced outcomes count like the priced ones of their tier. Not a median or guaranteed sale value.
             */
            expected_value_cents: number | null;
            /**
             * Format: int64
             * @description Lower bound of the expected value, with unpriced outcomes worth nothing. Rounded down; equal to the expected
             *     value if every outcome is priced.
             */
            expected_value_lower_cents: number;
            /**
             * Format: int64
             * @description Upper bound of the expected value; null is unknown, not zero. An unpriced outcome counts as the dearest
             *     priced one of its tier. Its own highest daily ask of the last 90 completed days counts instead if that is
             *     higher. It bounds the model, not the market, because an item can be unpriced for being dear; see the flag
             *     `upper_bound_assumed`. Rounded up; equal to the expected value if every outcome is priced.
             */
            expected_value_upper_cents: number | null;
            /**
             * Format: int64
             * @description Expected value minus cost, in US-dollar cents; may be negative, null without an expected value.
             */
            expected_profit_cents: number | null;
            /** @description Expected value / cost x 100, from the published integers; may exceed 100, null without an expected value. */
            return_pct: components["schemas"]["ReturnPercentage"] | null;
            /** @description `return_pct` minus 100; null without an expected value; null is not zero ROI. */
            profit_roi_pct: components["schemas"]["ProfitPercentage"] | null;
            /**
             * @description Modeled probability that the outcome is worth more than the cost; null if too little is priced for a point
             *     value.
             */
            profit_chance_pct: components["schemas"]["FinePercentage"] | null;
            /** @description Lower bound of the chance: every unpriced outcome counts as a loss. Rounded down if any is unpriced. */
            profit_chance_lower_pct: string;
            /** @description Upper bound of the chance: every unpriced outcome counts as a profit. Rounded up if any is unpriced. */
            profit_chance_upper_pct: string;
            /**
             * @description Probability of the possible outcomes with a price, rounded down: it is `100.0000` only if all have one.
             *     Coverage of the model, not the chance of profit.
             */
            priced_probability_mass_pct: string;
            price_coverage: components["schemas"]["PriceCoverage"];
            /** @description Spread of the value of one opening; null if nothing is priced. */
            quantiles: components["schemas"]["ValueQuantiles"] | null;
            confidence: components["schemas"]["RoiConfidence"];
            /** @description Cautions about the numbers, always in the order of the list of flags. */
            flags: components["schemas"]["RoiFlag"][];
        };
        /**
         * @description Id of one published definition of a pool. The definition never changes; another one has another id.
         * @example pr_0123456789abcdef01234567
         */
        PoolRevisionId: string;
        /**
         * Format: int32
         * @description Number of the published definition of the container's pool, from 1.
         * @example 1
         */
        PoolRevisionNumber: number;
        /**
         * @description Reason why a calculation is stale. `calculation_age`: calculated more than 8 hours ago. `price_time_unknown`: a
         *     source gave no time for its price. `price_age`: the oldest price is more than 24 hours old.
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
             * @description Number of outcomes with a probability above zero.
             */
            outcome_count: number;
            /**
             * Format: int32
             * @description Number of these outcomes with a price.
             */
            priced_outcome_count: number;
            /** @description Priced outcomes as a share of all by number, rounded down. */
            priced_outcome_pct: string;
            /** @description Smallest priced share of a tier's own probability over all tiers, rounded down. */
            lowest_tier_coverage_pct: string;
        };
        /**
         * @description Quantiles of the value of one opening over the priced outcomes, in integer US-dollar cents. `p50` is the
         *     smallest value that at least half of the priced probability does not exceed. Unpriced outcomes are left out.
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
         * @description Reliability of the point values, by a fixed rule; not a probability. `high`: at least 99.5 % of all outcomes by
         *     probability and 95 % of each tier are priced, and the calculation is not stale. The bounds of the expected value
         *     are at most 5 % of it apart, compared before rounding to cents. It never applies if a feed gives no times.
         *     `medium`: at least 80 % of each tier is priced, and the upper bound is known. `low`: other calculations with
         *     point values. `insufficient`: no point values.
         * @enum {string}
         */
        RoiConfidence: "high" | "medium" | "low" | "insufficient";
        /**
         * @description Caution about a calculation. `unpriced_outcomes`: a possible outcome has no price. `phases_unpriced`: a possible
         *     outcome with a paint phase has no price. `tier_coverage_low`: less than 80 % of a tier is priced.
         *     `upper_bound_unknown`: nothing limits the price of an unpriced outcome. `upper_bound_assumed`: an unpriced
         *     outcome counts as the dearest priced one of its tier, and may exceed it. `above_price_ceiling`: an unpriced
         *     outcome may be dearer than the highest price that the mode's providers list. The upper bound is then unknown and
         *     `confidence` is at most `low`. `odds_inferred`: some or all odds are assumed. `single_provider`: in `cash_ask`,
         *     which reads several providers, all prices and the container's are from one provider, without confirmation. Never
         *     in `steam_gross`, which always has one provider. `price_time_unknown`, `price_stale`, `calculation_stale`: see
         *     `stale_reasons`. `retired_pool`: the container is no longer `active`.
         */
        RoiFlag: "unpriced_outcomes" | "phases_unpriced" | "tier_coverage_low" | "upper_bound_unknown" | "upper_bound_assumed" | "above_price_ceiling" | "odds_inferred" | "single_provider" | "price_time_unknown" | "price_stale" | "calculation_stale" | "retired_pool";
        /**
         * @description Name of a group of outcomes that the pool draws first, such as a rarity.
         * @example mil_spec
         */
        TierName: string;
        /** @description Metadata of the response: the position of the next page and the times behind its values. */
        OpenablePageMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            /** @description Pass it unchanged as `after`. Null on the last page. */
            next_page: components["schemas"]["PageCursor"] | null;
            /** @description Oldest source time of the returned values; null (unknown) if any of them has no time, or without values. */
            as_of: components["schemas"]["Timestamp"] | null;
            freshness: components["schemas"]["Freshness"];
        };
        /** @description Response of `getOpenable`: one container with its calculation. */
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
            /** @description HTTPS address of a picture; null if unknown. */
            image_url: components["schemas"]["HttpsUrl"] | null;
            /** @description False if the pool is retired. A retired pool stays listed and is still calculated. */
            active: boolean;
            /** @description UTC day of the container's release; null if unknown. */
            released_on: components["schemas"]["UtcDate"] | null;
            /** @description UTC day of the pool's retirement; null if it is not retired or the day is unknown. */
            retired_on: components["schemas"]["UtcDate"] | null;
            /** @description Whether an opening needs a key. */
            requires_key: boolean;
            /**
             * Format: int32
             * @description Number of exact items with a probability above zero.
             */
            outcome_count: number;
            valuation_mode: components["schemas"]["ValuationMode"];
            /**
             * @description The current calculation; null if none is published for this mode and the current methodology; null is not
             *     zero ROI.
             */
            current: components["schemas"]["RoiCalculation"] | null;
            pool: components["schemas"]["OpenablePool"];
        };
        /** @description The current pool, published as one immutable revision. Drafts are never shown. */
        OpenablePool: {
            revision_id: components["schemas"]["PoolRevisionId"];
            revision_number: components["schemas"]["PoolRevisionNumber"];
            odds_source: components["schemas"]["OddsSource"];
            /** @description Cautions about the definition; often empty. */
            flags: components["schemas"]["PoolFlag"][];
            /** @description Model that spreads an item's probability over its wears, such as `wear-1`. */
            wear_model: string;
            /** @description The tiers, in the order of the pool. */
            tiers: components["schemas"]["PoolTier"][];
        };
        /**
         * @description Origin of the odds. `published`: by the game's operator. `community`: measured by players from many openings.
         *     `inferred`: some or all are assumed, such as equal chances of paint phases, or the items of a list that was
         *     completed.
         */
        OddsSource: "published" | "community" | "inferred";
        /**
         * @description Caution about a pool's definition. `pool_completed`: the source of the definition ends its list early, and the
         *     missing items were added from other public sources. Such odds are `inferred`.
         */
        PoolFlag: "pool_completed";
        /** @description A tier of a pool. An opening draws a tier by its weight first, then an item of it. */
        PoolTier: {
            tier: components["schemas"]["TierName"];
            /**
             * Format: int64
             * @description Weight of the tier relative to the weights of the other tiers.
             */
            weight: number;
            probability_pct: components["schemas"]["ProbabilityPercentage"];
            /**
             * Format: int32
             * @description Number of items in the tier. A finish counts once, with all its wears, variants and phases.
             */
            item_count: number;
            /**
             * @description Priced share of the tier's own probability in the current calculation, rounded down; null without a
             *     calculation of this revision. Not the chance of profit.
             */
            priced_probability_mass_pct: components["schemas"]["FinePercentage"] | null;
        };
        /**
         * @description A probability in percent as a decimal string with eight decimal places, rounded half up.
         * @example 0.25575448
         */
        ProbabilityPercentage: string;
        /** @description Metadata of the response, with the times behind the calculation. */
        OpenableMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            /** @description `price_as_of` of the calculation; null (unknown) if that is null or without a calculation. */
            as_of: components["schemas"]["Timestamp"] | null;
            freshness: components["schemas"]["Freshness"];
        };
        /**
         * @description Whether a row is one UTC hour or one UTC day.
         * @default day
         * @enum {string}
         */
        SelectedRoiGranularity: "hour" | "day";
        /** @description Response of `getOpenableHistory`: one page of model snapshots. */
        OpenableHistoryEnvelope: {
            /** @description The snapshots, in ascending order of `ts`, all of one mode, granularity and methodology version. */
            data: components["schemas"]["RoiHistoryRow"][];
            meta: components["schemas"]["RoiSeriesMeta"];
        };
        /**
         * @description The model's last result in one UTC hour or day. A run with an unknown cost writes no row, and an earlier run of
         *     the same hour or day keeps its row. Not a sale and not a realized return. Later reconstruction may revise a row.
         */
        RoiHistoryRow: {
            /**
             * @description Kind of row: a snapshot of the model, not a sale or a realized return.
             * @constant
             * @enum {string}
             */
            kind: "model_snapshot";
            /**
             * Format: date-time
             * @description Start of the UTC hour or day of the row.
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
             * @description Origin of the row's inputs; it is not recorded.
             * @constant
             * @enum {string}
             */
            provenance: "not_recorded";
            valuation_mode: components["schemas"]["ValuationMode"];
            granularity: components["schemas"]["RoiGranularity"];
            /**
             * Format: int64
             * @description Modeled cost of one opening in US-dollar cents: container plus key.
             */
            cost_cents: number;
            /**
             * Format: int64
             * @description Modeled expected value of one opening in US-dollar cents, not a median or guaranteed sale value; null if too
             *     little was priced for a point value; not zero.
             */
            expected_value_cents: number | null;
            /**
             * Format: int64
             * @description Expected value minus cost, in US-dollar cents; may be negative, null without an expected value.
             */
            expected_profit_cents: number | null;
            /** @description Expected value / cost x 100; may exceed 100, null without an expected value. */
            return_pct: components["schemas"]["ReturnPercentage"] | null;
            /**
             * @description Modeled probability that the outcome is worth more than the cost; null if too little was priced for a point
             *     value.
             */
            profit_chance_pct: components["schemas"]["FinePercentage"] | null;
            /** @description Probability of the possible outcomes with a price, rounded down. Not the chance of profit. */
            priced_probability_mass_pct: string;
            /** @description Oldest source time of the prices; null (unknown) if any of them has none. */
            price_as_of: components["schemas"]["Timestamp"] | null;
            /**
             * @description Currency of every amount; always `USD`.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of the amounts; always 2, for US-dollar cents.
             * @constant
             * @enum {integer}
             */
            minor_units: 2;
        };
        /**
         * @description Whether a row is one UTC hour or one UTC day.
         * @enum {string}
         */
        RoiGranularity: "hour" | "day";
        /** @description Metadata of the response: its window, its gaps and the times behind its rows. */
        RoiSeriesMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            from: components["schemas"]["UtcDate"];
            to: components["schemas"]["UtcDate"];
            resolution: components["schemas"]["RoiGranularity"];
            missing_points: components["schemas"]["MissingPoints"];
            /** @description Pass it unchanged as `after`. Null on the last page. */
            next_page: components["schemas"]["PageCursor"] | null;
            /** @description Oldest `price_as_of` of the returned rows; null (unknown) if any of them has none. */
            as_of: components["schemas"]["Timestamp"] | null;
            freshness: components["schemas"]["Freshness"];
            timestamp_quality: components["schemas"]["TimestampQuality"];
            known_at?: components["schemas"]["KnownAtOfResponse"];
        };
        /** @description Response of `listOpenableOutcomes`: one page of outcomes. */
        OpenableOutcomeListEnvelope: {
            /** @description The outcomes, in the order of the pool. */
            data: components["schemas"]["OpenableOutcome"][];
            meta: components["schemas"]["OpenablePageMeta"];
        };
        /** @description One exact item of a pool, with its odds and its value in the current calculation. */
        OpenableOutcome: {
            item_id: components["schemas"]["ItemId"];
            market_hash_name: components["schemas"]["MarketHashName"];
            /** @description Exact paint phase, or null; it never falls back to another phase or an unphased item. */
            phase: components["schemas"]["PaintPhase"] | null;
            tier: components["schemas"]["TierName"];
            /** @description Numerator of the outcome's probability, in digits. The numerators of a pool sum to the denominator. */
            probability_numerator: string;
            /** @description Denominator of the probability, in digits; the same for all outcomes of the pool. */
            probability_denominator: string;
            probability_pct: components["schemas"]["ProbabilityPercentage"];
            status: components["schemas"]["OutcomeStatus"];
            /**
             * @description Lowest ask in this mode at the calculation, in US-dollar cents; null if not priced. An observed offer, not a
             *     sale.
             */
            value_cents: components["schemas"]["Cents"] | null;
            /** @description Provider of that ask; null if the outcome is not priced. */
            value_provider: components["schemas"]["ProviderSlug"] | null;
            /** @description Source time of that ask; null if the source gave none or the outcome is not priced. */
            value_as_of: components["schemas"]["Timestamp"] | null;
            /**
             * @description Highest daily ask of exactly this item among the mode's providers in the 90 completed UTC days before the
             *     calculation, in US-dollar cents; null for priced outcomes and if none is stored. It is an unpriced outcome's
             *     part of the upper bound.
             */
            recent_high_cents: components["schemas"]["Cents"] | null;
            /**
             * @description Price ceiling of the mode's providers, in US-dollar cents, if this unpriced outcome counts as above it, else
             *     null. Its price is then unknown, not low. If all providers of the mode have a ceiling, every unpriced
             *     outcome counts as above it, with one exception: its `recent_high_cents` and its value in the other mode are
             *     below half of the ceiling, or, without both, the dearest value of its tier is.
             */
            above_ceiling_cents: components["schemas"]["Cents"] | null;
        };
        /**
         * @description State of an outcome in the calculation. `priced`: has a value. `unpriced`: possible, but without a price in this
         *     mode; not worth zero. `excluded`: named by the pool but with zero probability under the pool's wear model or
         *     phase weights (numerator `0`); it counts in no number.
         * @enum {string}
         */
        OutcomeStatus: "priced" | "unpriced" | "excluded";
        /** @description Response of `listDataEvents`: one page of events. */
        DataEventListEnvelope: {
            /** @description The events, newest `at` first, then highest `event_id`. */
            data: components["schemas"]["DataEvent"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * @description One event of the data. `at` is when it happened; of refusals of one body, the first. It concerns the time from
         *     `window_from` until before `window_to`, which is in one UTC day.
         */
        DataEvent: {
            /**
             * Format: int64
             * @description Number of the event, never given again.
             */
            event_id: number;
            at: components["schemas"]["Timestamp"];
            /** @description The last refusal of this body; null for other kinds, and for a body that was refused once. */
            last_at: components["schemas"]["Timestamp"] | null;
            kind: components["schemas"]["DataEventKind"];
            cause: components["schemas"]["DataEventCause"];
            /** @description The feed concerned; null for an event that is not of one feed. */
            feed: components["schemas"]["FeedName"] | null;
            /** @description The provider concerned; null for a whole feed, and for an event that is not of a provider. */
            provider: components["schemas"]["ProviderSlug"] | null;
            /** @description The index concerned; null for an event that is not of an index. */
            index_id: components["schemas"]["IndexId"] | null;
            /** @description The container concerned; null for an event that is not of a container. */
            openable: components["schemas"]["OpenableSlug"] | null;
            /** @description The first items concerned, ascending. Empty for whole feeds and days. */
            item_ids: components["schemas"]["ItemId"][];
            window_from: components["schemas"]["Timestamp"];
            window_to: components["schemas"]["Timestamp"];
            /** @description The separate times within the window, ascending, of a gap or of frames. Empty for other kinds. */
            spans: components["schemas"]["DataEventSpan"][];
            /**
             * Format: int64
             * @description Number of refused bodies, accepted bodies, missing hours, frames, dropped quotes, daily rows, rates, items or
             *     levels, depending on the kind; 1 for a revised day and a published pool.
             */
            count: number;
            /** @description The guard that refused the body or was overruled; null for other kinds. */
            guard: string | null;
            /** @description The measured figure in words; null for kinds without a guard, and on the Free plan. */
            figure: string | null;
            /** @description SHA-256 of the refused, accepted or imported body; null if it is unknown, and for other kinds. */
            body_digest: components["schemas"]["Sha256Digest"] | null;
            /** @description The revision before the event; null if there was none, and for other kinds. */
            before: components["schemas"]["DataEventState"] | null;
            /** @description The revision after the event; null for kinds without a revision. */
            after: components["schemas"]["DataEventState"] | null;
            /** @description The first changes of values; empty for kinds without them, and on the Free plan. */
            changes: components["schemas"]["DataEventChange"][];
        };
        /**
         * @description Kind of event. `body_refused`: a guard refused a body of prices or rates. `exception_accepted`: the operator
         *     overruled a guard for one body. `gap`: hours of a feed without a frame, once their day is sealed. `late_frame`: a
         *     frame recorded more than an hour after its check. `frame_retracted`: the operator retracted a frame.
         *     `feed_dropped`: the operator removed the quotes of a feed. `days_imported`: an import added daily rows.
         *     `days_replaced`: an import replaced daily rows. `day_revised`: a sealed day has a new revision.
         *     `rates_corrected`: exchange rates were replaced. `items_moved`: names or identities of items changed, or items
         *     left the catalog or returned. `index_revised`: a published level of an index was corrected.
         *     `pool_published`: a revision of a container's pool was published.
         */
        DataEventKind: "body_refused" | "exception_accepted" | "gap" | "late_frame" | "frame_retracted" | "feed_dropped" | "days_imported" | "days_replaced" | "day_revised" | "rates_corrected" | "items_moved" | "index_revised" | "pool_published";
        /**
         * @description Cause of the event. `guard`, `operator`, `import`, `catalog`: who or what made it. `saved_body`: a body that was
         *     saved earlier. `delay`: the server recorded the frame late. `prices`: corrected prices of a constituent. A name of
         *     a kind: the events of that kind. `several`: events of several kinds. `not_known`: none was noted.
         */
        DataEventCause: "guard" | "operator" | "import" | "saved_body" | "delay" | "catalog" | "prices" | "body_refused" | "late_frame" | "frame_retracted" | "feed_dropped" | "days_imported" | "days_replaced" | "several" | "not_known";
        /** @description One time within the window of an event, from `from` until before `to`. */
        DataEventSpan: {
            from: components["schemas"]["Timestamp"];
            to: components["schemas"]["Timestamp"];
        };
        /** @description A revision of a sealed day, of an index level or of a pool. */
        DataEventState: {
            /**
             * Format: int32
             * @description Number of the revision.
             */
            revision: number;
            /** @description SHA-256 of the day's daily lines; null for an index level and a pool. */
            digest: components["schemas"]["Sha256Digest"] | null;
            /** @description SHA-256 of the day's hourly lines; null if its hours were removed, and for other kinds. */
            hourly_digest: components["schemas"]["Sha256Digest"] | null;
        };
        /** @description One value that the event changed. */
        DataEventChange: {
            /** @description Name of the value that changed. */
            field: "ask_cents" | "bid_cents" | "rate_per_usd" | "market_hash_name" | "phase" | "identity" | "in_catalog" | "value";
            /** @description The item whose value changed; null for rates and index levels. */
            item_id: components["schemas"]["ItemId"] | null;
            /** @description The currency whose rate changed; null for other values. */
            currency: components["schemas"]["CurrencyCode"] | null;
            /** @description The value before, as text; null if there was none. */
            before: string | null;
            /** @description The value after, as text; null if there is none. */
            after: string | null;
        };
        /** @description Response of `getUsage`: plan, usage and limits of the account. */
        UsageEnvelope: {
            data: components["schemas"]["Usage"];
            meta: components["schemas"]["Meta"];
        };
        /** @description Usage of the account, over all its keys. */
        Usage: {
            plan: components["schemas"]["PlanName"];
            /** @description When the plan ends; null for a plan without an end. Purchases last 30 days and do not renew themselves. */
            plan_ends_at: components["schemas"]["Timestamp"] | null;
            /**
             * Format: date-time
             * @description First instant of the current UTC calendar month.
             */
            month_starts_at: string;
            /**
             * Format: date-time
             * @description First instant of the next UTC calendar month, when usage restarts at zero.
             */
            month_ends_at: string;
            /**
             * Format: int32
             * @description Units of the plan per UTC calendar month.
             */
            monthly_limit: number;
            /**
             * Format: int32
             * @description Units used in this month. A change of plan does not reset it, so it can be above the limit.
             */
            monthly_used: number;
            /**
             * Format: int32
             * @description Units left in this month; 0 if more are used than the plan has.
             */
            monthly_remaining: number;
            /**
             * Format: int32
             * @description Requests per minute that the plan allows, over all keys.
             */
            minute_limit: number;
            /**
             * Format: int32
             * @description Export starts in the last 24 hours, a running export included.
             */
            snapshot_starts_used: number;
            /**
             * Format: int32
             * @description Export starts that the plan allows in any 24 hours; 0 if it has no exports.
             */
            snapshot_starts_limit: number;
            /** @description When the next start becomes free; null if a start is free now or the plan has no exports. */
            snapshot_next_start_at: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description Plan of the account. Plans differ in quota, rate and export limits, not in freshness. A plan that has ended is
         *     `free`.
         * @enum {string}
         */
        PlanName: "free" | "builder" | "trader" | "quant";
        /** @description Response of `listPortfolios`: one page of portfolios. */
        PortfolioListEnvelope: {
            /** @description The portfolios, in ascending order of `portfolio_id`. */
            data: components["schemas"]["Portfolio"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * @description Settings of one portfolio. Notes, account identifiers of external marketplaces and references of integrations
         *     are never returned.
         */
        Portfolio: {
            portfolio_id: components["schemas"]["PortfolioId"];
            /** @description Name that the owner gave to the portfolio. */
            name: string;
            /**
             * @description ISO 4217 code of the currency for the owner's display. A setting only: money stays in US-dollar cents, and
             *     nothing is converted.
             */
            display_currency: string;
            /**
             * @description Currency of all money of the portfolio; always `USD`, also with another `display_currency`.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of amounts; always 2, for US-dollar cents.
             * @constant
             * @enum {integer}
             */
            minor_units: 2;
            /** @description Whether the owner shares the portfolio publicly on the web. Sharing grants no API permission. */
            is_public: boolean;
            /**
             * @description Slug of the provider that values new days by its daily asks, or the reserved word `lowest-ask`: each lot at
             *     the lowest daily ask of all providers with a feed checked that day. No provider has this slug. A past day
             *     keeps its own source.
             */
            price_source: string;
            /**
             * Format: int32
             * @description Number of lots in the portfolio now.
             */
            holding_count: number;
            /**
             * Format: int32
             * @description Number of rows in this owner's ledger, over all days.
             */
            transaction_count: number;
            /**
             * Format: date-time
             * @description When the portfolio was created here.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its settings, lots or ledger last changed.
             */
            updated_at: string;
        };
        /**
         * @description Id of a portfolio. It is not a secret and grants no access.
         * @example pf_000000000000000demo7
         */
        PortfolioId: string;
        /** @description Response of `getPortfolio`: the settings of one portfolio. */
        PortfolioEnvelope: {
            data: components["schemas"]["Portfolio"];
            meta: components["schemas"]["Meta"];
        };
        /** @description Response of `listPortfolioHoldings`: one page of lots. */
        PortfolioHoldingListEnvelope: {
            /** @description The lots, in ascending order of `holding_id`. */
            data: components["schemas"]["PortfolioHolding"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description One lot: units of one exact item that were added together. It has no live price. */
        PortfolioHolding: {
            holding_id: components["schemas"]["HoldingId"];
            item_id: components["schemas"]["ItemId"];
            market_hash_name: components["schemas"]["LotItemName"];
            /** @description Exact paint phase, or null; it never falls back to an unphased item. */
            phase: components["schemas"]["PaintPhase"] | null;
            /**
             * Format: int32
             * @description Number of units in the lot.
             */
            quantity: number;
            /**
             * Format: int64
             * @description Cost of one unit in US-dollar cents; null is unknown, 0 is free.
             */
            unit_cost_cents: number | null;
            /** @description Whether `unit_cost_cents` is an estimate, not a paid amount. */
            cost_estimated: boolean;
            /** @description UTC day on which the lot was acquired; null if unknown. */
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
             * @description Currency of all amounts; always `USD`, also with another `display_currency`.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of amounts; always 2, for US-dollar cents.
             * @constant
             * @enum {integer}
             */
            minor_units: 2;
        };
        /**
         * @description Id of one lot in a portfolio.
         * @example hl_000000000000000demo8
         */
        HoldingId: string;
        /**
         * @description Name of the item; null (unknown, like its phase) if the server does not have the item yet, as one of several
         *     servers may for some seconds.
         */
        LotItemName: components["schemas"]["MarketHashName"] | null;
        /**
         * @description Origin of the lot: by hand, by an import, or from a row of the ledger.
         * @enum {string}
         */
        HoldingOrigin: "manual" | "import" | "transaction";
        /** @description Response of `listPortfolioTransactions`: one page of ledger rows. */
        PortfolioTransactionListEnvelope: {
            /** @description The ledger rows, in ascending order of `occurred_on`, then `transaction_id`. */
            data: components["schemas"]["PortfolioTransaction"][];
            meta: components["schemas"]["LedgerMeta"];
        };
        /** @description One row of this owner's ledger. It is not a marketplace-wide sale. */
        PortfolioTransaction: {
            transaction_id: components["schemas"]["TransactionId"];
            /** @description The lot of the row, which may no longer exist; null if none is recorded. */
            holding_id: components["schemas"]["HoldingId"] | null;
            kind: components["schemas"]["TransactionKind"];
            item_id: components["schemas"]["ItemId"];
            market_hash_name: components["schemas"]["LotItemName"];
            /** @description Exact paint phase, or null; it never falls back to an unphased item. */
            phase: components["schemas"]["PaintPhase"] | null;
            /**
             * Format: int32
             * @description Number of units, never 0. Negative in an `adjustment` that removes units; in other rows, `kind` gives the
             *     direction.
             */
            quantity: number;
            /**
             * Format: int64
             * @description Amount per unit in US-dollar cents; null is unknown, 0 is nothing.
             */
            unit_amount_cents: number | null;
            /**
             * Format: int64
             * @description Fees of the whole row in US-dollar cents; null is unknown, 0 means no fees.
             */
            fee_cents: number | null;
            /**
             * Format: int64
             * @description Amount of the whole row in US-dollar cents, without a sign, as the owner recorded it; null is unknown, 0 is
             *     nothing.
             */
            total_amount_cents: number | null;
            /** @description Whether the amounts are estimates, not paid amounts. */
            cost_estimated: boolean;
            /** @description Marketplace of the transaction, as the owner recorded it; null if none is recorded. */
            provider: components["schemas"]["ProviderSlug"] | null;
            /**
             * Format: date
             * @description UTC day of the transaction.
             */
            occurred_on: string;
            /** @description Time of the transaction; null if only the day is known. */
            occurred_at: components["schemas"]["Timestamp"] | null;
            /**
             * Format: date-time
             * @description When the row was written here. Not the time of the transaction.
             */
            recorded_at: string;
            /**
             * @description Currency of all amounts; always `USD`, also with another `display_currency`.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of amounts; always 2, for US-dollar cents.
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
         * @description Kind of ledger row. `buy`, `sell`: units against money. `transfer_in`, `transfer_out`: units from or to another
         *     place of the owner. `adjustment`: a correction; its `quantity` may be negative.
         * @enum {string}
         */
        TransactionKind: "buy" | "sell" | "transfer_in" | "transfer_out" | "adjustment";
        /** @description Metadata of the response: its window and the position of the next page. */
        LedgerMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            from: components["schemas"]["UtcDate"];
            to: components["schemas"]["UtcDate"];
            /** @description Pass it unchanged as `after`. Null on the last page. */
            next_page: components["schemas"]["PageCursor"] | null;
        };
        /** @description Response of `getPortfolioHistory`: one page of daily values. */
        PortfolioHistoryEnvelope: {
            /** @description The daily values, in ascending order of `date`. */
            data: components["schemas"]["PortfolioValuation"][];
            meta: components["schemas"]["DailySeriesMeta"];
        };
        /**
         * @description Value of a portfolio on one UTC day, from daily asks: observed offers, not completed sales. A change from one
         *     day to another is not a return.
         */
        PortfolioValuation: {
            /**
             * Format: date
             * @description The UTC day of the value.
             */
            date: string;
            /**
             * @description Kind of value: a valuation at observed offers, not a return.
             * @constant
             * @enum {string}
             */
            kind: "portfolio_valuation";
            /**
             * Format: int64
             * @description Daily ask times quantity in US-dollar cents, summed over the lots with a price; null if no lot had one,
             *     never 0 for an unknown.
             */
            value_cents: number | null;
            /**
             * Format: int64
             * @description Unit cost times quantity in US-dollar cents, summed over all lots of the day, priced or not; null if the
             *     cost of any lot is unknown.
             */
            cost_basis_cents: number | null;
            /**
             * Format: int32
             * @description Number of lots on that day.
             */
            holding_count: number;
            /**
             * Format: int32
             * @description Number of lots with a stored price of that day at `price_source` for their exact item.
             */
            priced_holding_count: number;
            /**
             * Format: int32
             * @description Number of lots without such a price. `value_cents` leaves them out: neither zero nor an older price replaces
             *     it.
             */
            unpriced_holding_count: number;
            /** @description True if `unpriced_holding_count` is 0. Do not compare an incomplete value with other days. */
            complete: boolean;
            /**
             * Format: int32
             * @description Number of lots with a price of that day and a known unit cost; null in rows that an earlier release wrote.
             */
            compared_holding_count: number | null;
            /**
             * Format: int64
             * @description Value of these lots alone, in US-dollar cents; null without such lots, and in rows that an earlier release
             *     wrote.
             */
            compared_value_cents: number | null;
            /**
             * Format: int64
             * @description Unit cost times quantity of the same lots, in US-dollar cents; null if `compared_value_cents` is null.
             */
            compared_cost_cents: number | null;
            /**
             * @description Provider of the daily asks, or `lowest-ask`; null is an unknown legacy source. The reserved word
             *     `lowest-ask` values each lot at the lowest daily ask of all providers.
             */
            price_source: components["schemas"]["ProviderSlug"] | null;
            /**
             * @description Slugs of the providers with daily asks in `value_cents`, in ascending order; null if `price_source` is
             *     unknown. Empty if no lot had a price.
             */
            price_providers: components["schemas"]["ProviderSlug"][] | null;
            /** @description Oldest source observation of the prices; null (unknown) if any of them has none. */
            price_as_of: components["schemas"]["Timestamp"] | null;
            /**
             * Format: date-time
             * @description When this value was calculated. Later corrections of its prices move it. Not an observation time.
             */
            recorded_at: string;
            /**
             * @description Currency of all amounts; always `USD`, also with another `display_currency`.
             * @constant
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of amounts; always 2, for US-dollar cents.
             * @constant
             * @enum {integer}
             */
            minor_units: 2;
        };
    };
    responses: {
        /**
         * @description Malformed, or with a parameter or body that the operation does not have. Do not retry unchanged. Refused before
         *     any quota is used.
         */
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
        /** @description Declared for uniformity; this operation needs no credential. */
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
        /** @description Declared for uniformity; this operation needs no scope and no plan. */
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
        /** @description Declared for uniformity; this operation has no body and refuses any body with 400. */
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
        /** @description The response still matches `If-None-Match`. It has no body. The request is admitted and charged like a 200. */
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
        /** @description The request exceeds the Free plan, the key lacks the scope, or the account is disabled. Costs nothing. */
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
        /** @description The request exceeds the Free plan, the key lacks the scope, or the account is disabled. Costs nothing. */
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
         * @description The account's export is still running, or the minute limit or the month is exhausted. Follow `Retry-After`; do
         *     not bypass limits with extra keys. Costs no unit.
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
        /** @description Bad parameters, body, range or cursor. Do not retry unchanged. Refused before any quota is used. */
        MarketPricesKnownAtBadRequest: {
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
        /**
         * @description The server does not know the state, or too much has changed since (admitted reads: one unit each), or no
         *     operation answers this method and path (costs nothing).
         */
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
        /**
         * @description Four requests of the account are waiting, or the minute limit or the month is exhausted. Follow `Retry-After`.
         *     Costs no unit.
         */
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
        /**
         * @description The generation is unknown (an admitted read: costs one unit), or no operation answers this method and path
         *     (costs nothing).
         */
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
        /**
         * @description No source has the currency (an admitted read: costs one unit), or no operation answers this method and path
         *     (costs nothing).
         */
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
        /**
         * @description No source has the currency (an admitted read: costs one unit), or no operation answers this method and path
         *     (costs nothing).
         */
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
        /** @description Bad parameters, body, range or cursor. Do not retry unchanged. Refused before any quota is used. */
        DataEventsBadRequest: {
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
        /** @description The key lacks the scope (every project key does), or the account is disabled. Costs nothing. */
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
        /**
         * @description This token cannot read the portfolio (an admitted read: costs one unit): unselected, another account's, deleted,
         *     publicly shared, nonexistent and malformed ids all get this same response. Or no operation answers this method
         *     and path (costs nothing).
         */
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
         * @description Maximum number of rows on a page.
         * @example 2
         */
        PageLimit: number;
        /**
         * @description Value of `meta.next_page` of the previous page, unchanged. It remembers omitted filters and resolved dates. If
         *     they are passed again, they must be the same (`cursor_mismatch`). Any other text of this form is an
         *     `invalid_cursor`.
         */
        AfterPage: components["schemas"]["PageCursor"];
        /**
         * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
         *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
         * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
         */
        IfNoneMatch: string;
        /**
         * @description Maximum number of providers on a page.
         * @example 2
         */
        ProviderPageLimit: number;
        /** @description Exclusive lower bound of `item_id`: the value of `meta.next_cursor` of the previous page. */
        ItemCursor: number;
        /**
         * @description Words in any order. Each begins a word of the item's English or Russian name, its phase or its type. A search
         *     word of one or two characters matches a whole word. Case, accents, punctuation and symbols have no effect. Parts
         *     at hyphens and digits are also words: `ak`, `47` and `ak47` find `AK-47`. `fn mw ft ww bs` mean wears, `st` the
         *     stat counter, and common nicknames are known.
         *
         *     If no item has all words, `meta.read_as` is the search made instead. The page stays in ascending `item_id`;
         *     clients rank it. Text in `"…"` is literal except for case. A `q` without a letter or digit, or with an open
         *     quote, is also literal.
         * @example karambit doppler
         */
        NameSearch: string;
        /**
         * @description Only items of this type, such as `Weapon` or `Knife`.
         * @example Knife
         */
        ItemTypeFilter: "Weapon" | "Knife" | "Gloves" | "Sticker" | "Sticker Slab" | "Graffiti" | "Patch" | "Charm" | "Music Kit" | "Agent" | "Collectible" | "Container" | "Key" | "Tool";
        /**
         * @description Only items of this rarity grade, such as `Covert`.
         * @example Covert
         */
        RarityFilter: string;
        /**
         * @description Only items of this weapon, such as `Karambit`.
         * @example Karambit
         */
        WeaponFilter: string;
        /**
         * @description Only items of this wear, such as `Factory New`.
         * @example Factory New
         */
        WearFilter: "Factory New" | "Minimal Wear" | "Field-Tested" | "Well-Worn" | "Battle-Scarred";
        /**
         * @description Only items of this exact paint phase, such as `Phase 2` or `Ruby`.
         * @example Ruby
         */
        PhaseFilter: "Phase 1" | "Phase 2" | "Phase 3" | "Phase 4" | "Ruby" | "Sapphire" | "Black Pearl" | "Emerald";
        /**
         * @description Only stat-counter variants (`true`), or only others (`false`).
         * @example false
         */
        StatCounterFilter: boolean;
        /**
         * @description Only souvenir variants (`true`), or only others (`false`).
         * @example false
         */
        SouvenirFilter: boolean;
        /**
         * @description Only items that this provider quotes, by its exact slug.
         * @example northgate
         */
        ItemProviderFilter: string;
        /**
         * @description Minimum of `best_ask_cents`. In US-dollar cents, inclusive.
         * @example 100
         */
        LowestAskFilter: number;
        /**
         * @description Maximum of `best_ask_cents`. In US-dollar cents, inclusive.
         * @example 1000000
         */
        HighestAskFilter: number;
        /**
         * @description Only these items. Separate the ids with commas, or repeat the parameter.
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
         * @description Exact slug of one provider, see `listProviders`. Only its quotes are returned; a provider without a quote never
         *     falls back to another. An unknown slug is refused with `unknown_provider`.
         * @example steam
         */
        ProviderFilter: components["schemas"]["ProviderSlug"];
        /**
         * @description Exact slug of one provider, see `listProviders`; it never falls back to another. An unknown slug is refused with
         *     `unknown_provider`. By default all providers. On the Free plan, the main platform is the default and the only
         *     allowed value.
         * @example steam
         */
        DailyProviderFilter: components["schemas"]["ProviderSlug"];
        /**
         * @description Offers (`ask`) or buy orders (`bid`), without fallback to the other. `bid` needs a paid plan.
         * @example ask
         */
        DailySide: components["schemas"]["SelectedSide"];
        /**
         * @description First UTC day, inclusive. By default 29 days before `to`, or the first of the last 30 completed UTC days. The
         *     window has at most 366 days (`window_too_large`).
         */
        DailyFrom: components["schemas"]["UtcDate"];
        /**
         * @description Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). By default 29 days after
         *     `from`, but at most the last completed UTC day.
         */
        DailyTo: components["schemas"]["UtcDate"];
        /**
         * @description Instant of the past, for a paid plan (`plan_upgrade_required`). The response has the rows that were recorded by
         *     then, in the version in force then. Default dates, `complete`, `freshness` and `missing_points` are of that
         *     instant, and `meta.known_at` repeats it.
         *
         *     The instant must not be after now or before the first one that the server can answer (`known_since` of
         *     `getStatus`). An hourly history begins with the first recorded hour. A window with data that was removed since
         *     is refused as well. Each is an `invalid_range` without a charge, and the detail gives the first instant to ask.
         */
        KnownAt: components["schemas"]["KnownInstant"];
        /**
         * @description Maximum number of daily rows on a page.
         * @example 2
         */
        DailyPageLimit: number;
        /**
         * @description Offers (`ask`) or buy orders (`bid`), without fallback to the other.
         * @example ask
         */
        HourlySide: components["schemas"]["SelectedSide"];
        /**
         * @description Exact slug of one provider, see `listProviders`; it never falls back to another. Each hour in which its feed has
         *     a frame then has one row with this name, quoted or not. An unknown slug is refused with `unknown_provider`. By
         *     default all providers with a quote.
         * @example steam
         */
        HourlyProviderFilter: components["schemas"]["ProviderSlug"];
        /**
         * @description First UTC day, inclusive. By default 30 days before `to`, or before today. The window has at most 31 days
         *     (`window_too_large`).
         */
        HourlyFrom: components["schemas"]["UtcDate"];
        /**
         * @description Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). By default 30 days after
         *     `from`, but at most today.
         */
        HourlyTo: components["schemas"]["UtcDate"];
        /**
         * @description Maximum number of rows on a page.
         * @example 2
         */
        PageLimitTo1000: number;
        /**
         * @description Maximum number of day revisions on a page.
         * @example 2
         */
        RevisionPageLimit: number;
        /**
         * @description A UTC day before today (`invalid_range`). A date that is not in the calendar is refused with
         *     `invalid_parameter`.
         */
        DateInPath: components["schemas"]["UtcDate"];
        /**
         * @description The generation that the client has, such as `g5`; not a page cursor. Without it, the response is immediate.
         * @example g5
         */
        AfterGeneration: string;
        /**
         * @description Maximum wait in seconds for a generation newer than `after`.
         * @example 0
         */
        WaitSeconds: number;
        /**
         * @description Name of a generation, as in quotes and exports: `g` and its number without leading zero.
         * @example g5
         */
        GenerationInPath: string;
        /**
         * @description Exact slug of the index, see `listIndexes`.
         * @example knives-equal
         */
        IndexIdInPath: components["schemas"]["IndexId"];
        /**
         * @description First UTC day, inclusive. By default 30 days before `to`, or before today. The window has at most 366 days
         *     (`window_too_large`).
         */
        SeriesFrom: components["schemas"]["UtcDate"];
        /**
         * @description Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). By default 30 days after
         *     `from`, but at most today.
         */
        SeriesTo: components["schemas"]["UtcDate"];
        /**
         * @description Only levels of this methodology; by default the index's current one. A version without any level of the index is
         *     refused with `unknown_methodology_version`, unless it is the current one.
         * @example 1
         */
        IndexMethodologyFilter: components["schemas"]["MethodologyVersion"];
        /**
         * @description Members of this version; by default the version of the latest level. An unknown version is refused with
         *     `invalid_parameter`.
         * @example 1
         */
        MembershipVersionFilter: components["schemas"]["MembershipVersion"];
        /**
         * @description Maximum number of rows on a page.
         * @example 2
         */
        PageLimitTo500: number;
        /**
         * @description ISO 4217 code, in capitals; only its rate is listed. An unknown code is a 404 `currency_not_found`.
         * @example EUR
         */
        CurrencyFilter: components["schemas"]["CurrencyCode"];
        /**
         * @description Maximum number of rates on a page.
         * @example 2
         */
        ExchangeRatePageLimit: number;
        /**
         * @description ISO 4217 code, in capitals. An unknown code is a 404 `currency_not_found`.
         * @example EUR
         */
        CurrencyInPath: components["schemas"]["CurrencyCode"];
        /**
         * @description Valuation mode of the container and its outcomes; `steam_gross` by default. One mode never falls back to the
         *     other.
         * @example steam_gross
         */
        ValuationModeFilter: components["schemas"]["SelectedValuationMode"];
        /**
         * @description Maximum number of containers on a page.
         * @example 2
         */
        OpenablePageLimit: number;
        /**
         * @description Exact slug of the container, see `listOpenables`. A hidden or unknown container is a 404 `openable_not_found`.
         * @example kilowatt-case
         */
        OpenableSlugInPath: components["schemas"]["OpenableSlug"];
        /**
         * @description Rows per UTC hour or per UTC day; `day` by default. Only this resolution is returned.
         * @example day
         */
        RoiGranularityFilter: components["schemas"]["SelectedRoiGranularity"];
        /**
         * @description Only rows of this methodology; by default the methodology of the current calculation. A version without any
         *     calculation of the container is refused with `unknown_methodology_version`, unless it is the service's current
         *     one.
         * @example roi-1
         */
        RoiMethodologyFilter: components["schemas"]["MethodologyVersion"];
        /**
         * @description Maximum number of history rows on a page.
         * @example 2
         */
        RoiHistoryPageLimit: number;
        /**
         * @description Only events of this kind. A kind without an event gives an empty list.
         * @example gap
         */
        EventKindFilter: string;
        /**
         * @description Only events that concern this feed. A feed without an event gives an empty list.
         * @example steam
         */
        EventFeedFilter: string;
        /**
         * @description Only events that concern this provider or its whole feed. An unknown slug is refused with `unknown_provider`.
         * @example steam
         */
        EventProviderFilter: components["schemas"]["ProviderSlug"];
        /** @description Only events that concern this UTC day or a later day. By default without a limit. */
        EventFrom: components["schemas"]["UtcDate"];
        /**
         * @description Only events that concern this UTC day or an earlier day, not before `from` (`invalid_range`). By default
         *     without a limit.
         */
        EventTo: components["schemas"]["UtcDate"];
        /**
         * @description Id of a portfolio from `listPortfolios`: `pf_` and 16 to 32 of `[A-Za-z0-9]`. Any other text is a 404, like an
         *     unknown id, and not a 400.
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
         * @description `Cache-Control` of a response that no cache may store.
         * @example no-store
         */
        NoStoreCaching: "no-store";
        /**
         * @description `Vary`: the request headers that the response depends on, for caches.
         * @example Authorization, Accept-Encoding
         */
        VaryingHeaders: string;
        /**
         * @description `Access-Control-Allow-Origin`: pages of every origin may read the response. Only responses that need no key have
         *     it.
         * @example *
         */
        AnyOrigin: "*";
        /**
         * @description Requests per minute that the account's plan allows. Present if the credential was accepted.
         * @example 60
         */
        RateLimitLimitIfKnown: number;
        /**
         * @description Requests left in the minute limit now. Present if the credential was accepted.
         * @example 60
         */
        RateLimitRemainingIfKnown: number;
        /**
         * @description Monthly units left. Present if the credential was accepted, but absent if the minute limit refused the request.
         * @example 10000
         */
        QuotaRemainingIfKnown: number;
        /**
         * @description `WWW-Authenticate`: asks for a bearer key. It contains `invalid_token` if the request had one.
         * @example Bearer realm="itemtape", error="invalid_token"
         */
        BearerChallenge: string;
        /**
         * @description `Allow`: the methods of this path. Present if the path exists but not with this method.
         * @example GET
         */
        AllowedMethods: string;
        /**
         * @description Whole seconds to wait before the next attempt.
         * @example 30
         */
        RetryAfter: number;
        /**
         * @description Weak tag for `If-None-Match`: a digest of the response except `request_id` and `generated_at`. The same for each
         *     coding.
         * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
         */
        ETag: string;
        /**
         * @description `Cache-Control` of a response to a credential. Shared caches do not store it; a private cache revalidates it
         *     each time.
         * @example private, no-cache
         */
        PrivateCaching: "private, no-cache";
        /**
         * @description Requests per minute that the account's plan allows, over all its keys.
         * @example 60
         */
        RateLimitLimit: number;
        /**
         * @description Requests left in the minute limit now.
         * @example 59
         */
        RateLimitRemaining: number;
        /**
         * @description Monthly units left after this request, until the UTC calendar month ends.
         * @example 9999
         */
        QuotaRemaining: number;
        /**
         * @description `WWW-Authenticate`: the scope that the key lacks. Present with `insufficient_scope`.
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
export type HttpsUrl = components['schemas']['HttpsUrl'];
export type UtcDate = components['schemas']['UtcDate'];
export type Redistribution = components['schemas']['Redistribution'];
export type ItemId = components['schemas']['ItemId'];
export type ItemListEnvelope = components['schemas']['ItemListEnvelope'];
export type CatalogItem = components['schemas']['CatalogItem'];
export type MarketHashName = components['schemas']['MarketHashName'];
export type ItemSlug = components['schemas']['ItemSlug'];
export type PaintPhase = components['schemas']['PaintPhase'];
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
export type KnownInstant = components['schemas']['KnownInstant'];
export type DailyPriceHistoryEnvelope = components['schemas']['DailyPriceHistoryEnvelope'];
export type DailyPrice = components['schemas']['DailyPrice'];
export type QuoteSide = components['schemas']['QuoteSide'];
export type DailySeriesMeta = components['schemas']['DailySeriesMeta'];
export type SeriesResolutionDay = components['schemas']['SeriesResolutionDay'];
export type MissingPoints = components['schemas']['MissingPoints'];
export type KnownAtOfResponse = components['schemas']['KnownAtOfResponse'];
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
export type KnownPricesRequest = components['schemas']['KnownPricesRequest'];
export type MarketPricesKnownAtEnvelope = components['schemas']['MarketPricesKnownAtEnvelope'];
export type KnownPrices = components['schemas']['KnownPrices'];
export type KnownFrame = components['schemas']['KnownFrame'];
export type KnownPricesEntry = components['schemas']['KnownPricesEntry'];
export type KnownQuote = components['schemas']['KnownQuote'];
export type KnownPricesMeta = components['schemas']['KnownPricesMeta'];
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
export type DataEventListEnvelope = components['schemas']['DataEventListEnvelope'];
export type DataEvent = components['schemas']['DataEvent'];
export type DataEventKind = components['schemas']['DataEventKind'];
export type DataEventCause = components['schemas']['DataEventCause'];
export type DataEventSpan = components['schemas']['DataEventSpan'];
export type DataEventState = components['schemas']['DataEventState'];
export type DataEventChange = components['schemas']['DataEventChange'];
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
export type ResponseMarketPricesKnownAtBadRequest = components['responses']['MarketPricesKnownAtBadRequest'];
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
export type ResponseDataEventsBadRequest = components['responses']['DataEventsBadRequest'];
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
export type ParameterKnownAt = components['parameters']['KnownAt'];
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
export type ParameterEventKindFilter = components['parameters']['EventKindFilter'];
export type ParameterEventFeedFilter = components['parameters']['EventFeedFilter'];
export type ParameterEventProviderFilter = components['parameters']['EventProviderFilter'];
export type ParameterEventFrom = components['parameters']['EventFrom'];
export type ParameterEventTo = components['parameters']['EventTo'];
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
            /** @description Availability of the local data sets. */
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
                 * @description Maximum number of rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description Value of `meta.next_page` of the previous page, unchanged. It remembers omitted filters and resolved dates. If
                 *     they are passed again, they must be the same (`cursor_mismatch`). Any other text of this form is an
                 *     `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
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
                 * @description Maximum number of providers on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["ProviderPageLimit"];
                /**
                 * @description Value of `meta.next_page` of the previous page, unchanged. It remembers omitted filters and resolved dates. If
                 *     they are passed again, they must be the same (`cursor_mismatch`). Any other text of this form is an
                 *     `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
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
                /** @description Exclusive lower bound of `item_id`: the value of `meta.next_cursor` of the previous page. */
                cursor?: components["parameters"]["ItemCursor"];
                /**
                 * @description Maximum number of rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description Words in any order. Each begins a word of the item's English or Russian name, its phase or its type. A search
                 *     word of one or two characters matches a whole word. Case, accents, punctuation and symbols have no effect. Parts
                 *     at hyphens and digits are also words: `ak`, `47` and `ak47` find `AK-47`. `fn mw ft ww bs` mean wears, `st` the
                 *     stat counter, and common nicknames are known.
                 *
                 *     If no item has all words, `meta.read_as` is the search made instead. The page stays in ascending `item_id`;
                 *     clients rank it. Text in `"…"` is literal except for case. A `q` without a letter or digit, or with an open
                 *     quote, is also literal.
                 * @example karambit doppler
                 */
                q?: components["parameters"]["NameSearch"];
                /**
                 * @description Only items of this type, such as `Weapon` or `Knife`.
                 * @example Knife
                 */
                item_type?: components["parameters"]["ItemTypeFilter"];
                /**
                 * @description Only items of this rarity grade, such as `Covert`.
                 * @example Covert
                 */
                rarity?: components["parameters"]["RarityFilter"];
                /**
                 * @description Only items of this weapon, such as `Karambit`.
                 * @example Karambit
                 */
                weapon?: components["parameters"]["WeaponFilter"];
                /**
                 * @description Only items of this wear, such as `Factory New`.
                 * @example Factory New
                 */
                wear?: components["parameters"]["WearFilter"];
                /**
                 * @description Only items of this exact paint phase, such as `Phase 2` or `Ruby`.
                 * @example Ruby
                 */
                phase?: components["parameters"]["PhaseFilter"];
                /**
                 * @description Only stat-counter variants (`true`), or only others (`false`).
                 * @example false
                 */
                stat_counter?: components["parameters"]["StatCounterFilter"];
                /**
                 * @description Only souvenir variants (`true`), or only others (`false`).
                 * @example false
                 */
                souvenir?: components["parameters"]["SouvenirFilter"];
                /**
                 * @description Only items that this provider quotes, by its exact slug.
                 * @example northgate
                 */
                provider?: components["parameters"]["ItemProviderFilter"];
                /**
                 * @description Minimum of `best_ask_cents`. In US-dollar cents, inclusive.
                 * @example 100
                 */
                ask_min?: components["parameters"]["LowestAskFilter"];
                /**
                 * @description Maximum of `best_ask_cents`. In US-dollar cents, inclusive.
                 * @example 1000000
                 */
                ask_max?: components["parameters"]["HighestAskFilter"];
                /**
                 * @description Only these items. Separate the ids with commas, or repeat the parameter.
                 * @example [
                 *       445,
                 *       485
                 *     ]
                 */
                item_ids?: components["parameters"]["ItemIdsFilter"];
            };
            header?: {
                /**
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
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
         * @description JSON of at most 16 KiB; a larger body is a 413 `request_too_large`. Long names in non-Latin scripts can reach
         *     that size below 100 names. More than 100 names are refused with `batch_limit_exceeded`, repeated names with
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
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
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
            /** @description The stored metadata of the item; unknown fields are null. */
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
                 * @description Exact slug of one provider, see `listProviders`. Only its quotes are returned; a provider without a quote never
                 *     falls back to another. An unknown slug is refused with `unknown_provider`.
                 * @example steam
                 */
                provider?: components["parameters"]["ProviderFilter"];
            };
            header?: {
                /**
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
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
                 *     `unknown_provider`. By default all providers. On the Free plan, the main platform is the default and the only
                 *     allowed value.
                 * @example steam
                 */
                provider?: components["parameters"]["DailyProviderFilter"];
                /**
                 * @description Offers (`ask`) or buy orders (`bid`), without fallback to the other. `bid` needs a paid plan.
                 * @example ask
                 */
                side?: components["parameters"]["DailySide"];
                /**
                 * @description First UTC day, inclusive. By default 29 days before `to`, or the first of the last 30 completed UTC days. The
                 *     window has at most 366 days (`window_too_large`).
                 */
                from?: components["parameters"]["DailyFrom"];
                /**
                 * @description Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). By default 29 days after
                 *     `from`, but at most the last completed UTC day.
                 */
                to?: components["parameters"]["DailyTo"];
                /**
                 * @description Instant of the past, for a paid plan (`plan_upgrade_required`). The response has the rows that were recorded by
                 *     then, in the version in force then. Default dates, `complete`, `freshness` and `missing_points` are of that
                 *     instant, and `meta.known_at` repeats it.
                 *
                 *     The instant must not be after now or before the first one that the server can answer (`known_since` of
                 *     `getStatus`). An hourly history begins with the first recorded hour. A window with data that was removed since
                 *     is refused as well. Each is an `invalid_range` without a charge, and the detail gives the first instant to ask.
                 */
                known_at?: components["parameters"]["KnownAt"];
                /**
                 * @description Maximum number of daily rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["DailyPageLimit"];
                /**
                 * @description Value of `meta.next_page` of the previous page, unchanged. It remembers omitted filters and resolved dates. If
                 *     they are passed again, they must be the same (`cursor_mismatch`). Any other text of this form is an
                 *     `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
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
                 * @description Exact slug of one provider, see `listProviders`; it never falls back to another. Each hour in which its feed has
                 *     a frame then has one row with this name, quoted or not. An unknown slug is refused with `unknown_provider`. By
                 *     default all providers with a quote.
                 * @example steam
                 */
                provider?: components["parameters"]["HourlyProviderFilter"];
                /**
                 * @description First UTC day, inclusive. By default 30 days before `to`, or before today. The window has at most 31 days
                 *     (`window_too_large`).
                 */
                from?: components["parameters"]["HourlyFrom"];
                /**
                 * @description Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). By default 30 days after
                 *     `from`, but at most today.
                 */
                to?: components["parameters"]["HourlyTo"];
                /**
                 * @description Instant of the past, for a paid plan (`plan_upgrade_required`). The response has the rows that were recorded by
                 *     then, in the version in force then. Default dates, `complete`, `freshness` and `missing_points` are of that
                 *     instant, and `meta.known_at` repeats it.
                 *
                 *     The instant must not be after now or before the first one that the server can answer (`known_since` of
                 *     `getStatus`). An hourly history begins with the first recorded hour. A window with data that was removed since
                 *     is refused as well. Each is an `invalid_range` without a charge, and the detail gives the first instant to ask.
                 */
                known_at?: components["parameters"]["KnownAt"];
                /**
                 * @description Maximum number of rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["PageLimitTo1000"];
                /**
                 * @description Value of `meta.next_page` of the previous page, unchanged. It remembers omitted filters and resolved dates. If
                 *     they are passed again, they must be the same (`cursor_mismatch`). Any other text of this form is an
                 *     `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
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
                 * @description Maximum number of day revisions on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["RevisionPageLimit"];
                /**
                 * @description Value of `meta.next_page` of the previous page, unchanged. It remembers omitted filters and resolved dates. If
                 *     they are passed again, they must be the same (`cursor_mismatch`). Any other text of this form is an
                 *     `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
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
                /**
                 * @description A UTC day before today (`invalid_range`). A date that is not in the calendar is refused with
                 *     `invalid_parameter`.
                 */
                date: components["parameters"]["DateInPath"];
            };
            cookie?: never;
        };
        /** @description JSON of at most 16 KiB; `resolution` selects daily rows or hourly quotes, `revision` a seal of the day. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DayExportRequest"];
            };
        };
        responses: {
            /**
             * @description One record per line, each ended by a line feed. Complete only with a matching `end` record; the status 200
             *     alone proves nothing.
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
         * @description JSON of at most 16 KiB; a larger body is a 413 `request_too_large`. More than 100 ids are refused with
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
    getMarketPricesKnownAt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * @description JSON of at most 16 KiB; a larger body is a 413 `request_too_large`. More than 100 ids are refused with
         *     `batch_limit_exceeded`, repeated ids with `invalid_body`.
         */
        requestBody: {
            content: {
                "application/json": components["schemas"]["KnownPricesRequest"];
            };
        };
        responses: {
            /** @description The frames that counted at the instant, and one entry for each requested id. */
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
                    "application/json": components["schemas"]["MarketPricesKnownAtEnvelope"];
                };
            };
            400: components["responses"]["MarketPricesKnownAtBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PaidForbidden"];
            404: components["responses"]["EndpointNotFound"];
            413: components["responses"]["RequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
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
             * @description One record per line, each ended by a line feed. Complete only with a matching `end` record; the status 200
             *     alone proves nothing.
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
        /** @description The state of your copy, as JSON of at most 16 KiB. */
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
                 * @description The generation that the client has, such as `g5`; not a page cursor. Without it, the response is immediate.
                 * @example g5
                 */
                after?: components["parameters"]["AfterGeneration"];
                /**
                 * @description Maximum wait in seconds for a generation newer than `after`.
                 * @example 0
                 */
                wait_seconds?: components["parameters"]["WaitSeconds"];
            };
            header?: {
                /**
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The published generation, its totals and both digests. */
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
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Name of a generation, as in quotes and exports: `g` and its number without leading zero.
                 * @example g5
                 */
                generation: components["parameters"]["GenerationInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The totals and digests of the generation. */
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
                 * @description Maximum number of rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description Value of `meta.next_page` of the previous page, unchanged. It remembers omitted filters and resolved dates. If
                 *     they are passed again, they must be the same (`cursor_mismatch`). Any other text of this form is an
                 *     `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
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
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
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
                 * @description First UTC day, inclusive. By default 30 days before `to`, or before today. The window has at most 366 days
                 *     (`window_too_large`).
                 */
                from?: components["parameters"]["SeriesFrom"];
                /**
                 * @description Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). By default 30 days after
                 *     `from`, but at most today.
                 */
                to?: components["parameters"]["SeriesTo"];
                /**
                 * @description Only levels of this methodology; by default the index's current one. A version without any level of the index is
                 *     refused with `unknown_methodology_version`, unless it is the current one.
                 * @example 1
                 */
                methodology_version?: components["parameters"]["IndexMethodologyFilter"];
                /**
                 * @description Instant of the past, for a paid plan (`plan_upgrade_required`). The response has the rows that were recorded by
                 *     then, in the version in force then. Default dates, `complete`, `freshness` and `missing_points` are of that
                 *     instant, and `meta.known_at` repeats it.
                 *
                 *     The instant must not be after now or before the first one that the server can answer (`known_since` of
                 *     `getStatus`). An hourly history begins with the first recorded hour. A window with data that was removed since
                 *     is refused as well. Each is an `invalid_range` without a charge, and the detail gives the first instant to ask.
                 */
                known_at?: components["parameters"]["KnownAt"];
                /**
                 * @description Maximum number of rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["PageLimitTo1000"];
                /**
                 * @description Value of `meta.next_page` of the previous page, unchanged. It remembers omitted filters and resolved dates. If
                 *     they are passed again, they must be the same (`cursor_mismatch`). Any other text of this form is an
                 *     `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
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
                 * @description Members of this version; by default the version of the latest level. An unknown version is refused with
                 *     `invalid_parameter`.
                 * @example 1
                 */
                membership_version?: components["parameters"]["MembershipVersionFilter"];
                /**
                 * @description Maximum number of rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["PageLimitTo500"];
                /**
                 * @description Value of `meta.next_page` of the previous page, unchanged. It remembers omitted filters and resolved dates. If
                 *     they are passed again, they must be the same (`cursor_mismatch`). Any other text of this form is an
                 *     `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
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
                 * @description ISO 4217 code, in capitals; only its rate is listed. An unknown code is a 404 `currency_not_found`.
                 * @example EUR
                 */
                currency?: components["parameters"]["CurrencyFilter"];
                /**
                 * @description Maximum number of rates on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["ExchangeRatePageLimit"];
                /**
                 * @description Value of `meta.next_page` of the previous page, unchanged. It remembers omitted filters and resolved dates. If
                 *     they are passed again, they must be the same (`cursor_mismatch`). Any other text of this form is an
                 *     `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
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
                 * @description First UTC day, inclusive. By default 30 days before `to`, or before today. The window has at most 366 days
                 *     (`window_too_large`).
                 */
                from?: components["parameters"]["SeriesFrom"];
                /**
                 * @description Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). By default 30 days after
                 *     `from`, but at most today.
                 */
                to?: components["parameters"]["SeriesTo"];
                /**
                 * @description Instant of the past, for a paid plan (`plan_upgrade_required`). The response has the rows that were recorded by
                 *     then, in the version in force then. Default dates, `complete`, `freshness` and `missing_points` are of that
                 *     instant, and `meta.known_at` repeats it.
                 *
                 *     The instant must not be after now or before the first one that the server can answer (`known_since` of
                 *     `getStatus`). An hourly history begins with the first recorded hour. A window with data that was removed since
                 *     is refused as well. Each is an `invalid_range` without a charge, and the detail gives the first instant to ask.
                 */
                known_at?: components["parameters"]["KnownAt"];
                /**
                 * @description Maximum number of daily rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["DailyPageLimit"];
                /**
                 * @description Value of `meta.next_page` of the previous page, unchanged. It remembers omitted filters and resolved dates. If
                 *     they are passed again, they must be the same (`cursor_mismatch`). Any other text of this form is an
                 *     `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description ISO 4217 code, in capitals. An unknown code is a 404 `currency_not_found`.
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
                 * @description Valuation mode of the container and its outcomes; `steam_gross` by default. One mode never falls back to the
                 *     other.
                 * @example steam_gross
                 */
                valuation_mode?: components["parameters"]["ValuationModeFilter"];
                /**
                 * @description Maximum number of containers on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["OpenablePageLimit"];
                /**
                 * @description Value of `meta.next_page` of the previous page, unchanged. It remembers omitted filters and resolved dates. If
                 *     they are passed again, they must be the same (`cursor_mismatch`). Any other text of this form is an
                 *     `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
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
                 * @description Valuation mode of the container and its outcomes; `steam_gross` by default. One mode never falls back to the
                 *     other.
                 * @example steam_gross
                 */
                valuation_mode?: components["parameters"]["ValuationModeFilter"];
            };
            header?: {
                /**
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Exact slug of the container, see `listOpenables`. A hidden or unknown container is a 404 `openable_not_found`.
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
                 * @description First UTC day, inclusive. By default 30 days before `to`, or before today. The window has at most 366 days
                 *     (`window_too_large`).
                 */
                from?: components["parameters"]["SeriesFrom"];
                /**
                 * @description Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). By default 30 days after
                 *     `from`, but at most today.
                 */
                to?: components["parameters"]["SeriesTo"];
                /**
                 * @description Rows per UTC hour or per UTC day; `day` by default. Only this resolution is returned.
                 * @example day
                 */
                granularity?: components["parameters"]["RoiGranularityFilter"];
                /**
                 * @description Valuation mode of the container and its outcomes; `steam_gross` by default. One mode never falls back to the
                 *     other.
                 * @example steam_gross
                 */
                valuation_mode?: components["parameters"]["ValuationModeFilter"];
                /**
                 * @description Only rows of this methodology; by default the methodology of the current calculation. A version without any
                 *     calculation of the container is refused with `unknown_methodology_version`, unless it is the service's current
                 *     one.
                 * @example roi-1
                 */
                methodology_version?: components["parameters"]["RoiMethodologyFilter"];
                /**
                 * @description Instant of the past, for a paid plan (`plan_upgrade_required`). The response has the rows that were recorded by
                 *     then, in the version in force then. Default dates, `complete`, `freshness` and `missing_points` are of that
                 *     instant, and `meta.known_at` repeats it.
                 *
                 *     The instant must not be after now or before the first one that the server can answer (`known_since` of
                 *     `getStatus`). An hourly history begins with the first recorded hour. A window with data that was removed since
                 *     is refused as well. Each is an `invalid_range` without a charge, and the detail gives the first instant to ask.
                 */
                known_at?: components["parameters"]["KnownAt"];
                /**
                 * @description Maximum number of history rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["RoiHistoryPageLimit"];
                /**
                 * @description Value of `meta.next_page` of the previous page, unchanged. It remembers omitted filters and resolved dates. If
                 *     they are passed again, they must be the same (`cursor_mismatch`). Any other text of this form is an
                 *     `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Exact slug of the container, see `listOpenables`. A hidden or unknown container is a 404 `openable_not_found`.
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
                 * @description Valuation mode of the container and its outcomes; `steam_gross` by default. One mode never falls back to the
                 *     other.
                 * @example steam_gross
                 */
                valuation_mode?: components["parameters"]["ValuationModeFilter"];
                /**
                 * @description Maximum number of rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["PageLimitTo1000"];
                /**
                 * @description Value of `meta.next_page` of the previous page, unchanged. It remembers omitted filters and resolved dates. If
                 *     they are passed again, they must be the same (`cursor_mismatch`). Any other text of this form is an
                 *     `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Exact slug of the container, see `listOpenables`. A hidden or unknown container is a 404 `openable_not_found`.
                 * @example kilowatt-case
                 */
                slug: components["parameters"]["OpenableSlugInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of outcomes in the order of the pool. */
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
    listDataEvents: {
        parameters: {
            query?: {
                /**
                 * @description Only events of this kind. A kind without an event gives an empty list.
                 * @example gap
                 */
                kind?: components["parameters"]["EventKindFilter"];
                /**
                 * @description Only events that concern this feed. A feed without an event gives an empty list.
                 * @example steam
                 */
                feed?: components["parameters"]["EventFeedFilter"];
                /**
                 * @description Only events that concern this provider or its whole feed. An unknown slug is refused with `unknown_provider`.
                 * @example steam
                 */
                provider?: components["parameters"]["EventProviderFilter"];
                /** @description Only events that concern this UTC day or a later day. By default without a limit. */
                from?: components["parameters"]["EventFrom"];
                /**
                 * @description Only events that concern this UTC day or an earlier day, not before `from` (`invalid_range`). By default
                 *     without a limit.
                 */
                to?: components["parameters"]["EventTo"];
                /**
                 * @description Maximum number of rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description Value of `meta.next_page` of the previous page, unchanged. It remembers omitted filters and resolved dates. If
                 *     they are passed again, they must be the same (`cursor_mismatch`). Any other text of this form is an
                 *     `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events, newest first. */
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
                    "application/json": components["schemas"]["DataEventListEnvelope"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["DataEventsBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["EndpointNotFound"];
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
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account's plan, usage and limits. */
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
                 * @description Maximum number of rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description Value of `meta.next_page` of the previous page, unchanged. It remembers omitted filters and resolved dates. If
                 *     they are passed again, they must be the same (`cursor_mismatch`). Any other text of this form is an
                 *     `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
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
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of a portfolio from `listPortfolios`: `pf_` and 16 to 32 of `[A-Za-z0-9]`. Any other text is a 404, like an
                 *     unknown id, and not a 400.
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
                 * @description Maximum number of rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["PageLimitTo500"];
                /**
                 * @description Value of `meta.next_page` of the previous page, unchanged. It remembers omitted filters and resolved dates. If
                 *     they are passed again, they must be the same (`cursor_mismatch`). Any other text of this form is an
                 *     `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of a portfolio from `listPortfolios`: `pf_` and 16 to 32 of `[A-Za-z0-9]`. Any other text is a 404, like an
                 *     unknown id, and not a 400.
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
                 * @description First UTC day, inclusive. By default 30 days before `to`, or before today. The window has at most 366 days
                 *     (`window_too_large`).
                 */
                from?: components["parameters"]["SeriesFrom"];
                /**
                 * @description Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). By default 30 days after
                 *     `from`, but at most today.
                 */
                to?: components["parameters"]["SeriesTo"];
                /**
                 * @description Maximum number of rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["PageLimitTo500"];
                /**
                 * @description Value of `meta.next_page` of the previous page, unchanged. It remembers omitted filters and resolved dates. If
                 *     they are passed again, they must be the same (`cursor_mismatch`). Any other text of this form is an
                 *     `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of a portfolio from `listPortfolios`: `pf_` and 16 to 32 of `[A-Za-z0-9]`. Any other text is a 404, like an
                 *     unknown id, and not a 400.
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
                 * @description First UTC day, inclusive. By default 30 days before `to`, or before today. The window has at most 366 days
                 *     (`window_too_large`).
                 */
                from?: components["parameters"]["SeriesFrom"];
                /**
                 * @description Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). By default 30 days after
                 *     `from`, but at most today.
                 */
                to?: components["parameters"]["SeriesTo"];
                /**
                 * @description Maximum number of daily rows on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["DailyPageLimit"];
                /**
                 * @description Value of `meta.next_page` of the previous page, unchanged. It remembers omitted filters and resolved dates. If
                 *     they are passed again, they must be the same (`cursor_mismatch`). Any other text of this form is an
                 *     `invalid_cursor`.
                 */
                after?: components["parameters"]["AfterPage"];
            };
            header?: {
                /**
                 * @description `ETag` values of responses that the client holds, separated by commas, or `*`. If one matches the current
                 *     response, the server answers 304, which costs the same as a 200. Other values have no effect.
                 * @example W/"b1cxYyW6ukpD8Kk7lEoAtw"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of a portfolio from `listPortfolios`: `pf_` and 16 to 32 of `[A-Za-z0-9]`. Any other text is a 404, like an
                 *     unknown id, and not a 400.
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
