import type { ValidateFunction } from "ajv/dist/2020.js";
import type { FeedFacts } from "../../store/write/feeds.ts";
import { phases } from "../../values/item-names.ts";
import { centsFrom } from "../../values/money.ts";
import { type JsonObject, NumberText, toPlain } from "../../values/strict-json.ts";
import { type FeedFile, refusedFile } from "../feed-file.ts";
import { type Framing, lineLabel, readFramed, shapesIn } from "./canonical-lines.ts";
import {
  type Adapter,
  type FeedReading,
  type ItemReference,
  isPastTime,
  isSafeUrl,
  type Observation,
  type RefusalReason,
  Refusals,
  type Side,
} from "./observation.ts";

/** The documented feed: a header line, a line per quote, an end line that counts them (`canonical-feed.schema.json`). */
export const canonicalAdapter: Adapter = { name: "canonical", read: readCanonical };

const reasonOf: Readonly<Record<string, RefusalReason>> = {
  amount: "unparsable",
  quantity: "bad_quantity",
  url: "bad_url",
  observed_at: "bad_time",
};

type Header = { feed: string; providers: FeedFacts["providers"] };
type Quote = {
  item_id?: number;
  market_hash_name?: string;
  phase?: string | null;
  provider: string;
  side: Side;
  amount: number;
  quantity?: number | null;
  url?: string | null;
  observed_at?: string | null;
};

function readCanonical(body: FeedFile, at: number): FeedReading {
  const shape = shapes();
  const refusals = new Refusals();
  const observations: Observation[] = [];
  const references: ItemReference[] = [];
  const { header, lines } = readFramed(body, shape.framing);
  refuseTwiceDeclared(body, header);
  const providers = new Set(header.providers.map(({ provider }) => provider));
  for (const line of lines) {
    const quote = readQuote(line.value, providers, at, shape.quote);
    if (typeof quote === "string") {
      refusals.add(quote, lineLabel(line));
      references.push(...referencesOf(line.value));
    } else observations.push(quote);
  }
  const facts = { feed: header.feed, adapter: "canonical", providers: header.providers };
  return { facts, observations, references, refusals, absent: 0, savedAt: null, isUnfinished: false };
}

function refuseTwiceDeclared(body: FeedFile, header: Header): void {
  const slugs = header.providers.map(({ provider }) => provider);
  const twice = slugs.find((slug, index) => slugs.indexOf(slug) !== index);
  if (twice !== undefined) throw refusedFile(body.name, `line 1: the provider ${twice} is declared twice`);
}

function readQuote(
  value: JsonObject,
  providers: ReadonlySet<string>,
  at: number,
  validate: ValidateFunction<Quote>,
): Observation | RefusalReason {
  const written = value.get("amount");
  const amountCents = written instanceof NumberText ? centsFrom(written.text, "cents") : "unparsable";
  if (value.has("amount") && typeof amountCents === "string") return amountCents;
  const quote = toPlain(value);
  if (!validate(quote)) return reasonOf[validate.errors?.[0]?.instancePath.slice(1) ?? ""] ?? "malformed";
  if (!providers.has(quote.provider)) return "undeclared_provider";
  if (!isSafeUrl(quote.url ?? null)) return "bad_url";
  const observedAt = typeof quote.observed_at === "string" ? Date.parse(quote.observed_at) : null;
  if (observedAt !== null && !isPastTime(observedAt, at)) return "bad_time";
  return {
    itemId: quote.item_id ?? null,
    name: quote.market_hash_name ?? null,
    phase: quote.phase ?? null,
    provider: quote.provider,
    side: quote.side,
    amountCents: quote.amount,
    quantity: quote.quantity ?? null,
    url: quote.url ?? null,
    observedAt,
  };
}

/** Returns the item that a refused line names, if it names one as a quote would; else nothing. */
function referencesOf(value: JsonObject): ItemReference[] {
  const id = value.get("item_id");
  const name = value.get("market_hash_name");
  const phase = value.get("phase") ?? null;
  if (id instanceof NumberText && name === undefined && phase === null) {
    return [{ itemId: Number(id.text), name: null, phase: null }];
  }
  if (typeof name !== "string" || id !== undefined) return [];
  const isReadable = phase === null || typeof phase === "string";
  // A phase that cannot be read may be any.
  return (isReadable ? [phase] : [null, ...phases]).map((phase) => ({ itemId: null, name, phase }));
}

type Shapes = { framing: Framing<Header, "quotes">; quote: ValidateFunction<Quote> };

let compiled: Shapes | undefined;

function shapes(): Shapes {
  if (compiled === undefined) {
    const shape = shapesIn(new URL("./canonical-feed.schema.json", import.meta.url));
    const framing = { title: "an Itemtape feed", counts: "quotes", header: shape<Header>("header") } as const;
    compiled = { framing: { ...framing, end: shape("end") }, quote: shape("quote") };
  }
  return compiled;
}
