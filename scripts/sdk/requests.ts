import { isDeepStrictEqual } from "node:util";
import { isNode, type Node } from "../contract/document.ts";
import type { CheckReport, Exchange, Sent } from "./caller-support.ts";
import { type Call, type Form, given } from "./calls.ts";
import type { Subject } from "./subject.ts";

/** A request expected by the contract. `query`: sorted `name=value` pairs. Null for an absent part. */
type ExpectedRequest = {
  method: string;
  path: readonly string[];
  query: readonly string[];
  key: string | null;
  tag: string | null;
  body: Node | null;
};

/**
 * Returns the expected requests of a check, in order. A page's cursor is read from the previous response. `tag`: the ETag of the
 * operation's last response.
 */
export function expectedRequests(
  call: Call,
  { kind, exchanges }: CheckReport,
  keys: Subject["keys"],
  tag: string | null,
): ExpectedRequest[] {
  const first = expected(call, "shown", keys);
  if (kind === "refusal") return [{ ...first, key: keys.unknown }];
  if (kind === "unchanged") return [{ ...first, tag }];
  if (call.paging === null || exchanges[0]?.status !== 200) return [first];
  const cursor = cursorOf(call, exchanges[0].text);
  if (cursor !== null) return [first, after(call, first, cursor)];
  const wide = expected(call, "wide", keys);
  const next = exchanges[1] === undefined ? null : cursorOf(call, exchanges[1].text);
  return next === null ? [first, wide] : [first, wide, after(call, wide, next)];
}

/** Returns whether neither the examples nor the smallest page of all rows has a second page. */
export function hasOnePage(call: Call, exchanges: readonly Exchange[]): boolean {
  if (call.paging === null || exchanges.length < 2) return false;
  return exchanges.every(({ status, text }) => status === 200 && cursorOf(call, text) === null);
}

/** Returns the operations with examples of only one page. Their second page was read from all rows. */
export function widened(calls: readonly Call[], reports: readonly CheckReport[]): string[] {
  const isWidened = (call: Call) => {
    const report = reports.find(({ kind, operationId }) => kind === "call" && operationId === call.operationId);
    const first = report?.exchanges[0];
    return call.paging !== null && first?.status === 200 && cursorOf(call, first.text) === null;
  };
  return calls.filter(isWidened).map(({ operationId }) => operationId);
}

/** Returns how a request differs from the expected one. Never shows a key. */
export function requestFaults(sent: Sent, expected: ExpectedRequest, base: string): string[] {
  const url = new URL(sent.url);
  const path = url.pathname.split("/").map(decoded);
  const query = [...url.searchParams].flatMap(pairs).sort();
  const body = sent.body === "" ? null : parsed(sent.body);
  const key = expected.key === null ? null : `Bearer ${expected.key}`;
  const media = sent.contentType?.split(";")[0]?.trim() ?? null;
  const differing: [what: string, is: string | null, shouldBe: string | null, isRight: boolean][] = [
    ["method", sent.method, expected.method, sent.method === expected.method],
    ["origin", url.origin, base, url.origin === base],
    ["path", path.join("/"), expected.path.join("/"), isDeepStrictEqual(path, expected.path)],
    ["query", query.join("&"), expected.query.join("&"), isDeepStrictEqual(query, expected.query)],
    ["key", sent.authorization && "another", key && "the caller's", sent.authorization === key],
    ["If-None-Match", sent.ifNoneMatch, expected.tag, sent.ifNoneMatch === expected.tag],
    ["body", sent.body, expected.body && JSON.stringify(expected.body), isDeepStrictEqual(body, expected.body)],
    ["Content-Type", media, "application/json", expected.body === null || media === "application/json"],
  ];
  return differing
    .filter(([, , , isRight]) => !isRight)
    .map(([what, is, shouldBe]) => `asked with the wrong ${what}: ${shortened(is)} instead of ${shortened(shouldBe)}`);
}

function expected(call: Call, form: Form, keys: Subject["keys"]): ExpectedRequest {
  const path = new Map(given(call, "path", form).map(({ name, value }) => [`{${name}}`, String(value)]));
  return {
    method: call.method.toUpperCase(),
    path: call.path.split("/").map((part) => path.get(part) ?? part),
    query: given(call, "query", form)
      .flatMap(({ name, value }) => pairs([name, String(value)]))
      .sort(),
    key: call.caller === "nobody" ? null : keys[call.caller],
    tag: null,
    body: call.body,
  };
}

function after({ paging }: Call, page: ExpectedRequest, cursor: string): ExpectedRequest {
  return { ...page, query: [...page.query, ...pairs([paging?.to ?? "", cursor])].sort() };
}

/** Returns the cursor of the next page. Null for the last page, or a response without pages. */
function cursorOf({ paging }: Call, text: string): string | null {
  const answer = parsed(text);
  const meta = isNode(answer) && isNode(answer.meta) ? answer.meta : {};
  const cursor = meta[paging?.from ?? ""];
  return typeof cursor === "string" || typeof cursor === "number" ? String(cursor) : null;
}

/** Generators write a list with commas or repeat its name. The service accepts both. */
function pairs([name, value]: [string, string]): string[] {
  return value.split(",").map((one) => `${name}=${one}`);
}

/** Decodes a part of a path. A part that cannot be decoded stays unchanged. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Parses JSON. An invalid text stays unchanged. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function shortened(text: string | null): string {
  return text?.slice(0, 200) || "none";
}
