import type { ValidateFunction } from "ajv/dist/2020.js";
import type { FeedFacts } from "../../store/write/feeds.ts";
import { centsFrom } from "../../values/money/money.ts";
import { fileOfProgram } from "../../values/root.ts";
import { phases } from "../../values/text/phases.ts";
import { type JsonObject, NumberText, toPlain } from "../../values/text/strict-json.ts";
import { type FeedFile, fileLines, refusedFile, type WrittenLine } from "../feed-file.ts";
import { FramedLines, type Framing, lineLabel, shapesIn } from "./canonical-lines.ts";
import {
  type Adapter,
  type FeedReading,
  type ItemReference,
  isPastTime,
  isSafeUrl,
  type LineReader,
  type Observation,
  type ReadPrices,
  type RefusalReason,
  Refusals,
  type Side,
} from "./observation.ts";

/** Adapter for the documented feed: a header line, a line per quote, and an end line with the count (`canonical-feed.schema.json`). */
export const canonicalAdapter: Adapter = {
  name: "canonical",
  read: readCanonical,
  lines: (body, at) => new CanonicalReader(body, at),
};

const reasonOf: Readonly<Record<string, RefusalReason>> = {
  amount: "unparsable",
  quantity: "bad_quantity",
  url: "bad_url",
  observed_at: "bad_time",
};

type Named = { name: string };
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
  const reader = new CanonicalReader(body, at);
  for (const line of fileLines(body)) reader.take(line);
  return reader.end();
}

/** Reads the documented feed line by line. Its methods throw like the adapter. */
class CanonicalReader implements LineReader {
  readonly #body: Named;
  readonly #at: number;
  readonly #frame: FramedLines<Header, "quotes">;
  readonly #refusals = new Refusals();
  #observations: Observation[] = [];
  #references: ItemReference[] = [];
  #header: Header | null = null;
  #providers: ReadonlySet<string> = new Set();

  /** `at` (UTC ms) limits the times in the body. */
  constructor(body: Named, at: number) {
    this.#body = body;
    this.#at = at;
    this.#frame = new FramedLines(body, shapes().framing);
  }

  take(written: WrittenLine): void {
    if (this.#header === null) {
      this.#header = this.#frame.takeHeader(written);
      refuseTwiceDeclared(this.#body, this.#header);
      this.#providers = new Set(this.#header.providers.map(({ provider }) => provider));
      return;
    }
    const line = this.#frame.take(written);
    if (line === null) return;
    const quote = readQuote(line.value, this.#providers, this.#at, shapes().quote);
    if (typeof quote === "string") {
      this.#refusals.add(quote, lineLabel(line));
      this.#references.push(...referencesOf(line.value));
    } else this.#observations.push(quote);
  }

  takeOut(): ReadPrices {
    const prices = { observations: this.#observations, references: this.#references };
    this.#observations = [];
    this.#references = [];
    return prices;
  }

  end(): FeedReading {
    this.#frame.end();
    const { feed, providers } = this.#header!;
    const facts = { feed, adapter: "canonical", providers };
    const rest = { refusals: this.#refusals, absent: 0, savedAt: null, isUnfinished: false };
    return { facts, ...this.takeOut(), ...rest };
  }
}

function refuseTwiceDeclared(body: Named, header: Header): void {
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

/** Returns the item references of a refused line. Empty if the line names no item. */
function referencesOf(value: JsonObject): ItemReference[] {
  const id = value.get("item_id");
  const name = value.get("market_hash_name");
  const phase = value.get("phase") ?? null;
  if (id instanceof NumberText && name === undefined && phase === null) {
    return [{ itemId: Number(id.text), name: null, phase: null }];
  }
  if (typeof name !== "string" || id !== undefined) return [];
  const isReadable = phase === null || typeof phase === "string";
  // An unreadable phase could be any of them.
  return (isReadable ? [phase] : [null, ...phases]).map((phase) => ({ itemId: null, name, phase }));
}

type Shapes = { framing: Framing<Header, "quotes">; quote: ValidateFunction<Quote> };

let compiled: Shapes | undefined;

function shapes(): Shapes {
  if (compiled === undefined) {
    const shape = shapesIn(fileOfProgram("src/import/quotes/canonical-feed.schema.json"));
    const framing = { title: "an Itemtape feed", counts: "quotes", header: shape<Header>("header") } as const;
    compiled = { framing: { ...framing, end: shape("end") }, quote: shape("quote") };
  }
  return compiled;
}
