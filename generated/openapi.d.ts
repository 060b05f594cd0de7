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
         * @description Items that are in the catalog, in ascending `item_id`, unphased identities included. Never merge items by name:
         *     several phases can share one `market_hash_name`.
         *
         *     Pass `meta.next_cursor` as `cursor` until it is null. All plans; one monthly unit. On the Free plan the three
         *     price fields of every item are null.
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
         *     observed offers, not completed sales. The lists come in no promised order: sort asks ascending and bids descending
         *     by `amount` yourself. Bids never stand in for asks.
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
         * @description One entry for each id, in the order of the request, all of one generation of the price cache. An unknown id never
         *     fails the batch: its entry has `status: not_found`. Quotes are observed offers, not completed sales, in no
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
         *     - All prices come from one generation of the price cache. Catalog identity is scanned by id; it is not a database
         *       snapshot. A publication during the export ends it with `snapshot_changed`.
         *     - A missing quote is marked by `availability: missing` and empty lists. Bids never substitute for asks. Nothing is
         *       fetched upstream.
         *     - `price_as_of` and each quote's `as_of` are null because the feed supplies no observation time. `ingested_at` and
         *       `generated_at` are not observation times. The export is not a feed of completed transactions.
         *     - There is no filter, pagination or resume. After a failure discard the partial data and retry the whole request
         *       with bounded backoff. An encoded record is at most 256 KiB. The deadline is two minutes.
         *
         *     Takes no body and no query parameters. Paid plans; one active export per account over all its keys, eight over the
         *     whole service, and a ceiling of starts in any 24 hours. Refusals by a busy account, a full service or the ceiling
         *     come before the monthly unit is charged. A failure before the stream begins gives the start back but not the unit.
         *     Once it has begun, a cancellation or a later failure still counts as a start. Slow readers are waited for; a
         *     disconnect stops the export.
         */
        post: operations["streamMarketSnapshot"];
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
         * @description Plan, month, minute limit and export starts of the account that the calling key belongs to. All its keys share
         *     one allowance. A purchase or a manual change of the plan does not reset the month.
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Format: int32
         * @description Stable identifier of one exact variant: wear, stat-counter and souvenir variants and paint phases each have their
         *     own. Never reused.
         * @example 661
         */
        ItemId: number;
        /**
         * @description Readable short form of the name. May be shared by several items; it identifies none.
         * @example glock-18-fade-factory-new
         */
        ItemSlug: string;
        /**
         * @description Exact slug of a marketplace, see `listProviders`.
         * @example steam
         */
        ProviderSlug: string;
        /**
         * @description Name as the main platform writes it. May be shared by several phases; never merge items by it.
         * @example ★ Karambit | Doppler (Factory New)
         */
        MarketHashName: string;
        /**
         * @description Exact paint phase: one of `Phase 1` to `Phase 4`, `Ruby`, `Sapphire`, `Black Pearl`, `Emerald`.
         * @example Phase 2
         */
        PaintPhase: string;
        /**
         * Format: date-time
         * @description RFC 3339 in UTC, with milliseconds and `Z`.
         * @example 2026-01-15T12:00:00.000Z
         */
        Timestamp: string;
        /**
         * Format: date-time
         * @description When this answer was made. Never a price time.
         * @example 2026-01-15T12:00:00.000Z
         */
        GeneratedAt: string;
        /**
         * Format: date-time
         * @description When this generation of the price cache was published. Not an observation time.
         * @example 2026-01-15T11:50:00.000Z
         */
        IngestedAt: string;
        /**
         * Format: int64
         * @description Money in integer US-dollar cents. Never zero for "unknown".
         * @example 12345
         */
        Cents: number;
        /**
         * Format: int64
         * @description How many units are offered or wanted at this amount.
         * @example 3
         */
        Quantity: number;
        /**
         * Format: uri
         * @description An https address. It is passed on as stored and never fetched by this service.
         * @example https://example.com/items/1
         */
        HttpsUrl: string;
        /**
         * @description Decimal number as a string, never with an exponent.
         * @example 0.07
         */
        WearBound: string;
        /**
         * @description Names one published state of the whole price cache. Opaque: compare it for equality only.
         * @example g1
         */
        Generation: string;
        /**
         * @description Diagnostic identifier of a request, made by the server; the same as the header `X-Request-Id`.
         * @example req_0mkfedmo00000001demodemo00
         */
        RequestId: string;
        /**
         * @description Opaque position in a list.
         * @example eyJ2IjoxLCJvIjoibGlzdFByb3ZpZGVycyIsImsiOiJub3J0aGdhdGUifQ.eSoUHP3irtVIKDXRh7Qfyw
         */
        PageCursor: string;
        /**
         * @description `available`: the cache holds at least one quote of this exact item, on either side. `missing`: it holds none; both
         *     lists are empty. Filters of a request do not change it. There is no fallback to an unphased item or another side.
         * @enum {string}
         */
        Availability: "available" | "missing";
        /**
         * @description `unknown` when `as_of` is null, else by the age of `as_of`: `fresh` up to 30 minutes for quotes, then `stale`. The
         *     time of import or of a check never turns unknown into fresh.
         * @enum {string}
         */
        Freshness: "unknown" | "fresh" | "stale";
        /**
         * @description `source_observed`: every returned value carries its source's time. `partial`: some do. `ingest_only`: none does,
         *     only the time of publication is known. `unknown`: nothing is returned or no time is known.
         * @enum {string}
         */
        TimestampQuality: "source_observed" | "partial" | "ingest_only" | "unknown";
        /**
         * @description The closed list of error codes; some belong to operations that this version does not have yet. Each is explained at
         *     `/problems/{code}`.
         *
         *     400: `malformed_request` (not valid HTTP or URL), `invalid_parameter` (type, bound, enum, unknown or repeated),
         *     `invalid_body` (also repeated batch ids), `invalid_range`, `window_too_large`, `batch_limit_exceeded`,
         *     `invalid_cursor`, `cursor_mismatch` (a valid cursor with other filters), `unknown_provider`,
         *     `unknown_methodology_version`, `credential_in_url`. 401: `invalid_api_key`, `expired_api_key`, `revoked_api_key`.
         *     403: `plan_upgrade_required` (a paid plan is needed), `insufficient_scope`, `account_disabled`. 404:
         *     `item_not_found`, `openable_not_found`, `index_not_found`, `currency_not_found`, `portfolio_not_found`,
         *     `endpoint_not_found` (also a wrong method). 413: `request_too_large`. 429: `rate_limited`,
         *     `monthly_quota_exceeded`, `snapshot_busy`, `snapshot_capacity`, `snapshot_daily_limit`. 503:
         *     `snapshot_unavailable`, `data_unavailable`, `service_unavailable`.
         * @enum {string}
         */
        ErrorCode: "malformed_request" | "invalid_parameter" | "invalid_body" | "invalid_range" | "window_too_large" | "batch_limit_exceeded" | "invalid_cursor" | "cursor_mismatch" | "unknown_provider" | "unknown_methodology_version" | "credential_in_url" | "invalid_api_key" | "expired_api_key" | "revoked_api_key" | "plan_upgrade_required" | "insufficient_scope" | "account_disabled" | "item_not_found" | "openable_not_found" | "index_not_found" | "currency_not_found" | "portfolio_not_found" | "endpoint_not_found" | "request_too_large" | "rate_limited" | "monthly_quota_exceeded" | "snapshot_busy" | "snapshot_capacity" | "snapshot_daily_limit" | "snapshot_unavailable" | "data_unavailable" | "service_unavailable";
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
        /** @description About the answer. */
        Meta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
        };
        /** @description About the answer, with the position of the next page. */
        ProviderPageMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            /** @description Pass it unchanged as `after`. Null on the last page. */
            next_page: components["schemas"]["PageCursor"] | null;
        };
        /** @description About the answer, with the position of the next page. */
        ItemPageMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            /**
             * Format: int32
             * @description The last `item_id` of this page; pass it as `cursor`. Null on the last page.
             */
            next_cursor: number | null;
        };
        /** @description About the answer and the times behind its quotes. */
        QuoteMeta: {
            request_id: components["schemas"]["RequestId"];
            generated_at: components["schemas"]["GeneratedAt"];
            /** @description Oldest source observation among the returned quotes; null (unknown) when any of them has none. */
            as_of: components["schemas"]["Timestamp"] | null;
            freshness: components["schemas"]["Freshness"];
            /**
             * @description Whether the source was successfully verified (new data, or its word that nothing changed) within the last 15
             *     minutes. It describes the cache and is no sign of a new marketplace quote.
             */
            cache_recently_checked: boolean;
            timestamp_quality: components["schemas"]["TimestampQuality"];
        };
        /**
         * @description Whether the local database can be read.
         * @enum {string}
         */
        DatabaseState: "ok" | "unavailable";
        /**
         * @description `available`: a generation of quotes is published. `missing`: none is. `stale`: one is, but no feed was verified for
         *     24 hours.
         * @enum {string}
         */
        MarketSnapshotState: "available" | "missing" | "stale";
        /** @description Availability of local data sets only; not a promise of full catalog or historical coverage. */
        Status: {
            database: components["schemas"]["DatabaseState"];
            market_snapshot: components["schemas"]["MarketSnapshotState"];
            /** @description Version of the running program, with its build where known. */
            release: string;
        };
        /** @description Answer of `getStatus`. */
        StatusEnvelope: {
            data: components["schemas"]["Status"];
            meta: components["schemas"]["Meta"];
        };
        /**
         * @description `main_platform`: the game's own market. `cash`: a marketplace that pays out money. `trade`: one that trades items
         *     for items or credit.
         * @enum {string}
         */
        ProviderKind: "main_platform" | "cash" | "trade";
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
            /** @description False when its feed is no longer read; its history stays. */
            active: boolean;
            /** @description Last successful verification of its feed, changed or not. Not a quote time. Null when there was none. */
            last_checked_at: components["schemas"]["Timestamp"] | null;
            /** @description When data of its feed was last published here. Not a quote time. Null when none ever was. */
            last_ingested_at: components["schemas"]["Timestamp"] | null;
        };
        /** @description Answer of `listProviders`. */
        ProviderListEnvelope: {
            /** @description In ascending order of `provider`. */
            data: components["schemas"]["Provider"][];
            meta: components["schemas"]["ProviderPageMeta"];
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
             * @description Lowest cached ask over all providers, in US-dollar cents: an observed offer, not a sale. Null on the Free plan
             *     and when there is no ask.
             */
            best_ask_cents: components["schemas"]["Cents"] | null;
            /** @description Provider of that ask. Null when `best_ask_cents` is. */
            best_ask_provider: components["schemas"]["ProviderSlug"] | null;
            /**
             * @description When the generation that last changed this ask was published; not the time of the offer. Null when
             *     `best_ask_cents` is.
             */
            price_updated_at: components["schemas"]["Timestamp"] | null;
        };
        /** @description Answer of `listItems`. */
        ItemListEnvelope: {
            /** @description In ascending `item_id`. */
            data: components["schemas"]["CatalogItem"][];
            meta: components["schemas"]["ItemPageMeta"];
        };
        /**
         * @description `exact`: one exact variant. `unphased`: stands for a phased finish as sources see it that do not tell phases
         *     apart; it is an item of its own and never a substitute for one of the phases.
         * @enum {string}
         */
        ItemIdentity: "exact" | "unphased";
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
            /** @description Slug of the container that this item is; null when it is none that the service knows. */
            openable_slug: components["schemas"]["ItemSlug"] | null;
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
        /** @description Answer of `getItem`. */
        ItemEnvelope: {
            data: components["schemas"]["ItemDetail"];
            meta: components["schemas"]["Meta"];
        };
        /** @description One cached offer or order. It was observed; it is not a completed sale. */
        Quote: {
            provider: components["schemas"]["ProviderSlug"];
            amount: components["schemas"]["Cents"];
            /**
             * @description Always US dollars.
             * @constant
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of `amount`: cents.
             * @constant
             */
            minor_units: 2;
            /** @description How many units are offered or wanted at this amount; null when the source does not say. */
            quantity: components["schemas"]["Quantity"] | null;
            /** @description Page of the item at the provider, where known. */
            url: components["schemas"]["HttpsUrl"] | null;
            /** @description When the source observed this quote; null (unknown) when the source did not say. */
            as_of: components["schemas"]["Timestamp"] | null;
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
        /** @description Answer of `getMarketPrices`. */
        MarketPricesEnvelope: {
            data: components["schemas"]["MarketPrices"];
            meta: components["schemas"]["QuoteMeta"];
        };
        /**
         * @description `ask`: sellers' offers. `bid`: buy orders. There is no fallback between the two.
         * @enum {string}
         */
        QuoteSide: "ask" | "bid";
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
        /**
         * @description `not_found`: no item has this id.
         * @enum {string}
         */
        BatchEntryStatus: "found" | "not_found";
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
        /** @description Answer of `getMarketPricesBatch`. */
        MarketPricesBatchEnvelope: {
            /** @description One entry for each requested id, in the order of the request. */
            data: components["schemas"]["MarketPricesBatchEntry"][];
            meta: components["schemas"]["QuoteMeta"];
        };
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
             */
            currency: "USD";
            /**
             * Format: int32
             * @description Decimal places of `amount`: cents.
             * @constant
             */
            minor_units: 2;
            /** @description How many units are offered or wanted at this amount; null when the source does not say. */
            quantity: components["schemas"]["Quantity"] | null;
            /** @description Page of the item at the provider, where known. */
            url: components["schemas"]["HttpsUrl"] | null;
            /**
             * @description Time of the source's observation. The export always says null, also where a price read of the same quote tells
             *     a time.
             */
            as_of: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description The last record of a complete export, with the `request_id` and the `generation` of `start`. Only now is the export
         *     accepted.
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
        /**
         * @description `snapshot_changed`: the price cache changed its generation during the export. `snapshot_interrupted`: the export
         *     failed or passed its deadline.
         * @enum {string}
         */
        SnapshotErrorCode: "snapshot_interrupted" | "snapshot_changed";
        /**
         * @description The last record of a failed export, with the `request_id` of `start`. No `end` follows; discard the data and retry
         *     the whole request.
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
         * @description Plan of the account. Plans differ in quota, rate and export ceilings, not in freshness; a plan that has ended is
         *     `free`.
         * @enum {string}
         */
        PlanName: "free" | "builder" | "trader" | "quant";
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
             * @description When the next start becomes free. Null when there is nothing to wait for: a start is free now, or the plan has
             *     no exports.
             */
            snapshot_next_start_at: components["schemas"]["Timestamp"] | null;
        };
        /** @description Answer of `getUsage`. */
        UsageEnvelope: {
            data: components["schemas"]["Usage"];
            meta: components["schemas"]["Meta"];
        };
    };
    responses: {
        /** @description What can be read locally. */
        StatusOk: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "Cache-Control": components["headers"]["NoStoreCaching"];
                Vary: components["headers"]["VaryingHeaders"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusEnvelope"];
            };
        };
        /** @description A page of providers in ascending order of their slug. */
        ProvidersOk: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
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
        /** @description A page of catalog items in ascending `item_id`. */
        ItemsOk: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
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
        /** @description The stored metadata of the item; missing fields are null. */
        ItemOk: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
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
        /** @description The cached quotes of the item. Observed offers and orders, not completed sales. */
        MarketPricesOk: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
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
        /** @description One entry for each requested id, in the order of the request. */
        MarketPricesBatchOk: {
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
        /**
         * @description One record per line, each ended by a line feed. Complete only with a matching `end` record; the status 200 alone proves
         *     nothing.
         */
        MarketSnapshotOk: {
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
        /** @description What the account of the calling key has used. */
        UsageOk: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdHeader"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
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
        /** @description Bad parameters, body, range or cursor. Do not retry unchanged. Refused before any quota is used. */
        ProvidersBadRequest: {
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
        ItemsBadRequest: {
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
        ItemBadRequest: {
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
        /**
         * @description A limit of exports, the minute limit or the month is exhausted. Follow `Retry-After`; do not bypass limits with extra
         *     keys. Costs no unit.
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
        /**
         * @description No quotes are published, or the service cannot answer now; nothing was streamed. Retry a bounded number of times with
         *     backoff.
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
    };
    parameters: {
        /**
         * @description Stable identifier of the item, in canonical decimal form (no sign, no leading zero).
         * @example 661
         */
        ItemIdInPath: components["schemas"]["ItemId"];
        /**
         * @description Exclusive lower bound of `item_id`. Pass `meta.next_cursor` of the page before.
         * @example 0
         */
        ItemCursor: number;
        /**
         * @description Most items on a page.
         * @example 2
         */
        ItemPageLimit: number;
        /**
         * @description Literal part of `market_hash_name` or `name_ru`, compared in NFC without regard to case. Wildcards have no
         *     meaning. Control characters are refused.
         * @example doppler
         */
        NameSearch: string;
        /**
         * @description Most providers on a page.
         * @example 2
         */
        ProviderPageLimit: number;
        /**
         * @description `meta.next_page` of the page before, unchanged. A value that this server did not make is refused with
         *     `invalid_cursor`.
         * @example eyJ2IjoxLCJvIjoibGlzdFByb3ZpZGVycyIsImsiOiJub3J0aGdhdGUifQ.eSoUHP3irtVIKDXRh7Qfyw
         */
        After: components["schemas"]["PageCursor"];
        /**
         * @description Exact slug of one provider, see `listProviders`; only its quotes are returned. A provider without a quote never
         *     falls back to another. An unknown slug is refused with `unknown_provider`.
         * @example steam
         */
        ProviderFilter: components["schemas"]["ProviderSlug"];
    };
    requestBodies: {
        /**
         * @description JSON of at most 16 KiB (more: 413 `request_too_large`). More than 100 ids are refused with `batch_limit_exceeded`,
         *     repeated ids with `invalid_body`.
         */
        BatchPrices: {
            content: {
                "application/json": components["schemas"]["BatchPricesRequest"];
            };
        };
    };
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
         * @description `Cache-Control` of an answer to a credential. Shared caches keep out of it, a private one asks again each time.
         * @example private, no-cache
         */
        PrivateCaching: "private, no-cache";
        /**
         * @description `Cache-Control` of an answer that no cache may keep.
         * @example no-store
         */
        NoStoreCaching: "no-store";
        /**
         * @description `Vary`: the request headers that the answer depends on, for caches.
         * @example Authorization
         */
        VaryingHeaders: string;
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
         * @description Whole seconds to wait before the next attempt.
         * @example 30
         */
        RetryAfter: number;
        /**
         * @description `WWW-Authenticate`: asks for a bearer key, and says `invalid_token` when one was sent.
         * @example Bearer realm="itemtape", error="invalid_token"
         */
        BearerChallenge: string;
        /**
         * @description `WWW-Authenticate`: names the scope that the key lacks. Present with `insufficient_scope`.
         * @example Bearer realm="itemtape", error="insufficient_scope", scope="market:read"
         */
        ScopeChallenge: string;
        /**
         * @description `Allow`: the methods of this path. Present when the path exists but not with this method.
         * @example GET
         */
        AllowedMethods: string;
    };
    pathItems: never;
}
export type ItemId = components['schemas']['ItemId'];
export type ItemSlug = components['schemas']['ItemSlug'];
export type ProviderSlug = components['schemas']['ProviderSlug'];
export type MarketHashName = components['schemas']['MarketHashName'];
export type PaintPhase = components['schemas']['PaintPhase'];
export type Timestamp = components['schemas']['Timestamp'];
export type GeneratedAt = components['schemas']['GeneratedAt'];
export type IngestedAt = components['schemas']['IngestedAt'];
export type Cents = components['schemas']['Cents'];
export type Quantity = components['schemas']['Quantity'];
export type HttpsUrl = components['schemas']['HttpsUrl'];
export type WearBound = components['schemas']['WearBound'];
export type Generation = components['schemas']['Generation'];
export type RequestId = components['schemas']['RequestId'];
export type PageCursor = components['schemas']['PageCursor'];
export type Availability = components['schemas']['Availability'];
export type Freshness = components['schemas']['Freshness'];
export type TimestampQuality = components['schemas']['TimestampQuality'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type Problem = components['schemas']['Problem'];
export type Meta = components['schemas']['Meta'];
export type ProviderPageMeta = components['schemas']['ProviderPageMeta'];
export type ItemPageMeta = components['schemas']['ItemPageMeta'];
export type QuoteMeta = components['schemas']['QuoteMeta'];
export type DatabaseState = components['schemas']['DatabaseState'];
export type MarketSnapshotState = components['schemas']['MarketSnapshotState'];
export type Status = components['schemas']['Status'];
export type StatusEnvelope = components['schemas']['StatusEnvelope'];
export type ProviderKind = components['schemas']['ProviderKind'];
export type Provider = components['schemas']['Provider'];
export type ProviderListEnvelope = components['schemas']['ProviderListEnvelope'];
export type CatalogItem = components['schemas']['CatalogItem'];
export type ItemListEnvelope = components['schemas']['ItemListEnvelope'];
export type ItemIdentity = components['schemas']['ItemIdentity'];
export type ItemDetail = components['schemas']['ItemDetail'];
export type ItemEnvelope = components['schemas']['ItemEnvelope'];
export type Quote = components['schemas']['Quote'];
export type MarketPrices = components['schemas']['MarketPrices'];
export type MarketPricesEnvelope = components['schemas']['MarketPricesEnvelope'];
export type QuoteSide = components['schemas']['QuoteSide'];
export type BatchPricesRequest = components['schemas']['BatchPricesRequest'];
export type BatchEntryStatus = components['schemas']['BatchEntryStatus'];
export type MarketPricesBatchEntry = components['schemas']['MarketPricesBatchEntry'];
export type MarketPricesBatchEnvelope = components['schemas']['MarketPricesBatchEnvelope'];
export type SnapshotRecord = components['schemas']['SnapshotRecord'];
export type SnapshotStart = components['schemas']['SnapshotStart'];
export type SnapshotItem = components['schemas']['SnapshotItem'];
export type SnapshotItemData = components['schemas']['SnapshotItemData'];
export type SnapshotQuote = components['schemas']['SnapshotQuote'];
export type SnapshotEnd = components['schemas']['SnapshotEnd'];
export type SnapshotErrorCode = components['schemas']['SnapshotErrorCode'];
export type SnapshotError = components['schemas']['SnapshotError'];
export type PlanName = components['schemas']['PlanName'];
export type Usage = components['schemas']['Usage'];
export type UsageEnvelope = components['schemas']['UsageEnvelope'];
export type ResponseStatusOk = components['responses']['StatusOk'];
export type ResponseProvidersOk = components['responses']['ProvidersOk'];
export type ResponseItemsOk = components['responses']['ItemsOk'];
export type ResponseItemOk = components['responses']['ItemOk'];
export type ResponseMarketPricesOk = components['responses']['MarketPricesOk'];
export type ResponseMarketPricesBatchOk = components['responses']['MarketPricesBatchOk'];
export type ResponseMarketSnapshotOk = components['responses']['MarketSnapshotOk'];
export type ResponseUsageOk = components['responses']['UsageOk'];
export type ResponseNoParametersBadRequest = components['responses']['NoParametersBadRequest'];
export type ResponseProvidersBadRequest = components['responses']['ProvidersBadRequest'];
export type ResponseItemsBadRequest = components['responses']['ItemsBadRequest'];
export type ResponseItemBadRequest = components['responses']['ItemBadRequest'];
export type ResponseMarketPricesBadRequest = components['responses']['MarketPricesBadRequest'];
export type ResponseMarketPricesBatchBadRequest = components['responses']['MarketPricesBatchBadRequest'];
export type ResponseStatusUnauthorized = components['responses']['StatusUnauthorized'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseStatusForbidden = components['responses']['StatusForbidden'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponsePaidForbidden = components['responses']['PaidForbidden'];
export type ResponseUsageForbidden = components['responses']['UsageForbidden'];
export type ResponseEndpointNotFound = components['responses']['EndpointNotFound'];
export type ResponseItemNotFound = components['responses']['ItemNotFound'];
export type ResponseRequestTooLarge = components['responses']['RequestTooLarge'];
export type ResponseBodilessRequestTooLarge = components['responses']['BodilessRequestTooLarge'];
export type ResponseStatusTooManyRequests = components['responses']['StatusTooManyRequests'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseUsageTooManyRequests = components['responses']['UsageTooManyRequests'];
export type ResponseSnapshotTooManyRequests = components['responses']['SnapshotTooManyRequests'];
export type ResponseServiceUnavailable = components['responses']['ServiceUnavailable'];
export type ResponsePricesUnavailable = components['responses']['PricesUnavailable'];
export type ResponseMarketSnapshotUnavailable = components['responses']['MarketSnapshotUnavailable'];
export type ParameterItemIdInPath = components['parameters']['ItemIdInPath'];
export type ParameterItemCursor = components['parameters']['ItemCursor'];
export type ParameterItemPageLimit = components['parameters']['ItemPageLimit'];
export type ParameterNameSearch = components['parameters']['NameSearch'];
export type ParameterProviderPageLimit = components['parameters']['ProviderPageLimit'];
export type ParameterAfter = components['parameters']['After'];
export type ParameterProviderFilter = components['parameters']['ProviderFilter'];
export type RequestBodyBatchPrices = components['requestBodies']['BatchPrices'];
export type HeaderRequestIdHeader = components['headers']['RequestIdHeader'];
export type HeaderContentTypeOptions = components['headers']['ContentTypeOptions'];
export type HeaderPrivateCaching = components['headers']['PrivateCaching'];
export type HeaderNoStoreCaching = components['headers']['NoStoreCaching'];
export type HeaderVaryingHeaders = components['headers']['VaryingHeaders'];
export type HeaderRateLimitLimit = components['headers']['RateLimitLimit'];
export type HeaderRateLimitRemaining = components['headers']['RateLimitRemaining'];
export type HeaderQuotaRemaining = components['headers']['QuotaRemaining'];
export type HeaderRateLimitLimitIfKnown = components['headers']['RateLimitLimitIfKnown'];
export type HeaderRateLimitRemainingIfKnown = components['headers']['RateLimitRemainingIfKnown'];
export type HeaderQuotaRemainingIfKnown = components['headers']['QuotaRemainingIfKnown'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type HeaderBearerChallenge = components['headers']['BearerChallenge'];
export type HeaderScopeChallenge = components['headers']['ScopeChallenge'];
export type HeaderAllowedMethods = components['headers']['AllowedMethods'];
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
            200: components["responses"]["StatusOk"];
            400: components["responses"]["NoParametersBadRequest"];
            401: components["responses"]["StatusUnauthorized"];
            403: components["responses"]["StatusForbidden"];
            404: components["responses"]["EndpointNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["StatusTooManyRequests"];
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
                 * @description `meta.next_page` of the page before, unchanged. A value that this server did not make is refused with
                 *     `invalid_cursor`.
                 * @example eyJ2IjoxLCJvIjoibGlzdFByb3ZpZGVycyIsImsiOiJub3J0aGdhdGUifQ.eSoUHP3irtVIKDXRh7Qfyw
                 */
                after?: components["parameters"]["After"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ProvidersOk"];
            400: components["responses"]["ProvidersBadRequest"];
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
                /**
                 * @description Exclusive lower bound of `item_id`. Pass `meta.next_cursor` of the page before.
                 * @example 0
                 */
                cursor?: components["parameters"]["ItemCursor"];
                /**
                 * @description Most items on a page.
                 * @example 2
                 */
                limit?: components["parameters"]["ItemPageLimit"];
                /**
                 * @description Literal part of `market_hash_name` or `name_ru`, compared in NFC without regard to case. Wildcards have no
                 *     meaning. Control characters are refused.
                 * @example doppler
                 */
                q?: components["parameters"]["NameSearch"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ItemsOk"];
            400: components["responses"]["ItemsBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["EndpointNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Stable identifier of the item, in canonical decimal form (no sign, no leading zero).
                 * @example 661
                 */
                item_id: components["parameters"]["ItemIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ItemOk"];
            400: components["responses"]["ItemBadRequest"];
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
            header?: never;
            path: {
                /**
                 * @description Stable identifier of the item, in canonical decimal form (no sign, no leading zero).
                 * @example 661
                 */
                item_id: components["parameters"]["ItemIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MarketPricesOk"];
            400: components["responses"]["MarketPricesBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PaidForbidden"];
            404: components["responses"]["ItemNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["PricesUnavailable"];
        };
    };
    getMarketPricesBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["BatchPrices"];
        responses: {
            200: components["responses"]["MarketPricesBatchOk"];
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
            200: components["responses"]["MarketSnapshotOk"];
            400: components["responses"]["NoParametersBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PaidForbidden"];
            404: components["responses"]["EndpointNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["SnapshotTooManyRequests"];
            503: components["responses"]["MarketSnapshotUnavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["UsageOk"];
            400: components["responses"]["NoParametersBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["UsageForbidden"];
            404: components["responses"]["EndpointNotFound"];
            413: components["responses"]["BodilessRequestTooLarge"];
            429: components["responses"]["UsageTooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
