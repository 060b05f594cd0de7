import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { minuteMs } from "../../values/calendar.ts";
import { centsFrom } from "../../values/money.ts";
import { isObject, type JsonObject, NumberText, toPlain } from "../../values/strict-json.ts";
import {
  type Adapter,
  type FeedFacts,
  type FeedReading,
  type Observation,
  type RefusalReason,
  Refusals,
  type Side,
} from "./observation.ts";
import { type Body, bodyLines, brokenBody } from "./read-body.ts";

/** The documented feed: a header line, a line per quote, an end line that counts them (`canonical-feed.schema.json`). */
export const canonicalAdapter: Adapter = { name: "canonical", read: readCanonical };

const clockSkewMs = 5 * minuteMs;
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

function readCanonical(body: Body, at: number): FeedReading {
  const shape = shapes();
  const refusals = new Refusals();
  const observations: Observation[] = [];
  let header: Header | undefined;
  let providers: ReadonlySet<string> = new Set();
  let quotes = 0;
  let ended = false;
  for (const { line, value } of bodyLines(body)) {
    if (ended) throw brokenBody(body.name, `line ${line}: there is something after the end line`);
    if (!isObject(value)) throw brokenBody(body.name, `line ${line}: not a JSON object`);
    if (header === undefined) {
      header = readHeader(body, value, shape.header);
      providers = new Set(header.providers.map(({ provider }) => provider));
    } else if (value.has("end")) {
      checkEnd(body, line, value, quotes, shape.end);
      ended = true;
    } else {
      quotes += 1;
      const quote = readQuote(value, providers, at, shape.quote);
      if (typeof quote === "string") refusals.add(quote, exampleOf(value, line));
      else observations.push(quote);
    }
  }
  if (header === undefined || !ended) {
    throw brokenBody(body.name, `after ${quotes} quotes the end line is missing: the file is cut off`);
  }
  const { feed } = header;
  return { facts: { feed, adapter: "canonical", providers: header.providers }, observations, refusals, absent: 0 };
}

function readHeader(body: Body, value: JsonObject, validate: ValidateFunction<Header>): Header {
  const header = toPlain(value);
  if (!validate(header))
    throw brokenBody(body.name, `line 1: not the header of an Itemtape feed: ${complaint(validate)}`);
  const slugs = header.providers.map(({ provider }) => provider);
  const twice = slugs.find((slug, index) => slugs.indexOf(slug) !== index);
  if (twice !== undefined) throw brokenBody(body.name, `line 1: the provider ${twice} is declared twice`);
  return header;
}

function checkEnd(body: Body, line: number, value: JsonObject, quotes: number, validate: ValidateFunction<End>): void {
  const end = toPlain(value);
  if (!validate(end)) throw brokenBody(body.name, `line ${line}: not an end line: ${complaint(validate)}`);
  if (end.quotes !== quotes) {
    throw brokenBody(body.name, `line ${line}: the end line counts ${end.quotes} quotes and there are ${quotes}`);
  }
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
  if (observedAt !== null && !(observedAt >= 0 && observedAt <= at + clockSkewMs)) return "bad_time";
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

function isSafeUrl(url: string | null): boolean {
  if (url === null) return true;
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return protocol === "https:" && username === "" && password === "";
}

function exampleOf(value: JsonObject, line: number): string {
  const name = value.get("market_hash_name");
  return typeof name === "string" ? `line ${line}: ${name}` : `line ${line}`;
}

function complaint(validate: ValidateFunction): string {
  const [error] = validate.errors ?? [];
  return `${error?.instancePath === "" ? "the line" : `\`${error?.instancePath.slice(1)}\``} ${error?.message ?? "is wrong"}`;
}

type End = { quotes: number };
type Shapes = {
  header: ValidateFunction<Header>;
  quote: ValidateFunction<Quote>;
  end: ValidateFunction<End>;
};

let compiled: Shapes | undefined;

function shapes(): Shapes {
  if (compiled === undefined) {
    const schema = JSON.parse(readFileSync(new URL("./canonical-feed.schema.json", import.meta.url), "utf8"));
    const ajv = new Ajv2020({ allErrors: false, strict: true, strictRequired: false });
    addFormats.default(ajv);
    ajv.addSchema(schema);
    const shape = <T>(name: string) => ajv.compile<T>({ $ref: `${schema.$id}#/$defs/${name}` });
    compiled = { header: shape("header"), quote: shape("quote"), end: shape("end") };
  }
  return compiled;
}
