import { isDeepStrictEqual } from "node:util";
import { isNode } from "../contract/document.ts";
import { type Call, type Form, given } from "./calls.ts";
import type { Told } from "./judge.ts";
import type { Subject } from "./subject.ts";

/** A request as it went to the network. A header that was not sent is null, a body that was not sent is empty. */
export type Sent = {
  method: string;
  url: string;
  authorization: string | null;
  ifNoneMatch: string | null;
  contentType: string | null;
  body: string;
};

/** The request that the contract means. `query`: pairs in any order; null: there is no such part. */
export type Wanted = {
  method: string;
  path: readonly string[];
  query: readonly string[];
  key: string | null;
  tag: string | null;
  body: unknown;
};

/**
 * The requests that a check has to make, in order: a page's cursor is that of the answer before. `tag`: the one that the
 * operation was last answered with.
 */
export function wantedOf(call: Call, { kind, exchanges }: Told, keys: Subject["keys"], tag: string | null): Wanted[] {
  const first = wanted(call, "shown", keys);
  if (kind === "refusal") return [{ ...first, key: keys.unknown }];
  if (kind === "unchanged") return [{ ...first, tag }];
  if (call.paging === null || exchanges[0]?.status !== 200) return [first];
  const cursor = cursorOf(call, exchanges[0].text);
  if (cursor !== null) return [first, after(call, first, cursor)];
  const wide = wanted(call, "wide", keys);
  const next = exchanges[1] === undefined ? null : cursorOf(call, exchanges[1].text);
  return next === null ? [first, wide] : [first, wide, after(call, wide, next)];
}

/** Whether neither the examples nor the least page of all rows leaves a row for a second page. */
export function hasOnePage(call: Call, exchanges: Told["exchanges"]): boolean {
  if (call.paging === null || exchanges.length < 2) return false;
  return exchanges.every(({ status, text }) => status === 200 && cursorOf(call, text) === null);
}

/** Operations whose examples show one page, so that the second was one of all rows. */
export function widened(calls: readonly Call[], told: readonly Told[]): string[] {
  const isWidened = (call: Call) =>
    told.some(({ kind, operationId, exchanges }) => {
      const [first] = exchanges;
      if (kind !== "call" || operationId !== call.operationId || first?.status !== 200) return false;
      return call.paging !== null && cursorOf(call, first.text) === null;
    });
  return calls.filter(isWidened).map(({ operationId }) => operationId);
}

/** How a request differs from the one that the contract means. Never shows a key. */
export function requestFaults(sent: Sent, meant: Wanted, base: string): string[] {
  const url = new URL(sent.url);
  const path = url.pathname.split("/").map(decoded);
  const query = [...url.searchParams].map(pair).sort();
  const body = sent.body === "" ? null : parsed(sent.body);
  const key = meant.key === null ? null : `Bearer ${meant.key}`;
  const media = sent.contentType?.split(";")[0]?.trim() ?? null;
  const differing: [what: string, is: string, shouldBe: string, isRight: boolean][] = [
    ["method", sent.method, meant.method, sent.method === meant.method],
    ["origin", url.origin, base, url.origin === base],
    ["path", path.join("/"), meant.path.join("/"), isDeepStrictEqual(path, meant.path)],
    ["query", query.join("&"), meant.query.join("&"), isDeepStrictEqual(query, meant.query)],
    [
      "key",
      sent.authorization === null ? "" : "another",
      key === null ? "" : "the caller's",
      sent.authorization === key,
    ],
    ["If-None-Match", sent.ifNoneMatch ?? "", meant.tag ?? "", sent.ifNoneMatch === meant.tag],
    ["body", sent.body, meant.body === null ? "" : JSON.stringify(meant.body), isDeepStrictEqual(body, meant.body)],
    ["Content-Type", media ?? "", "application/json", meant.body === null || media === "application/json"],
  ];
  return differing
    .filter(([, , , isRight]) => !isRight)
    .map(([what, is, shouldBe]) => `asked with the wrong ${what}: ${shortened(is)} instead of ${shortened(shouldBe)}`);
}

function wanted(call: Call, form: Form, keys: Subject["keys"]): Wanted {
  const path = new Map(given(call, "path", form).map(({ name, value }) => [`{${name}}`, String(value)]));
  return {
    method: call.method.toUpperCase(),
    path: call.path.split("/").map((part) => path.get(part) ?? part),
    query: given(call, "query", form)
      .map(({ name, value }) => pair([name, String(value)]))
      .sort(),
    key: call.caller === "nobody" ? null : keys[call.caller],
    tag: null,
    body: call.body,
  };
}

function after({ paging }: Call, page: Wanted, cursor: string): Wanted {
  return { ...page, query: [...page.query, pair([paging?.to ?? "", cursor])].sort() };
}

/** Cursor that an answer tells for the next page; null: it is the last one, or no page. */
function cursorOf({ paging }: Call, text: string): string | null {
  const answer = parsed(text);
  const meta = isNode(answer) && isNode(answer.meta) ? answer.meta : {};
  const cursor = meta[paging?.from ?? ""];
  return typeof cursor === "string" || typeof cursor === "number" ? String(cursor) : null;
}

function pair([name, value]: [string, string]): string {
  return `${name}=${value}`;
}

/** A part of a path as it was meant, or as it is where it is no encoding of anything. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The JSON value of a text, or the text itself where it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function shortened(text: string): string {
  return text === "" ? "none" : text.slice(0, 200);
}
