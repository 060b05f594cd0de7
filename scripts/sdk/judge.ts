import { isDeepStrictEqual } from "node:util";
import { faultsOf } from "../../test/support/contract.ts";
import type { Call } from "./calls.ts";
import { hasOnePage, requestFaults, type Sent, wantedOf } from "./requests.ts";
import type { Subject } from "./subject.ts";

/** What a caller tells of one check: what crossed the wire, what the SDK handed over, what was thrown. */
export type Told = {
  kind: "call" | "unchanged" | "refusal";
  operationId: string;
  exchanges: readonly { sent: Sent; status: number; headers: [string, string][]; text: string }[];
  handed: readonly unknown[];
  error: string | null;
};

/** Something that an SDK cannot do. `operationId` null: the SDK as a whole. */
export type Failure = { operationId: string | null; message: string };

const statuses = { call: 200, unchanged: 304, refusal: 401 };

/** Everything that is wrong with what a caller did, by the contract. An operation that it did not call is a failure. */
export function judge(calls: readonly Call[], refusedId: string, told: readonly Told[], subject: Subject): Failure[] {
  const find = (kind: Told["kind"], operationId: string) =>
    told.find((candidate) => candidate.kind === kind && candidate.operationId === operationId);
  return calls.flatMap((call) => {
    const { operationId, canBeConditional } = call;
    const answered = find("call", operationId)?.exchanges[0];
    const tag = answered?.headers.find(([name]) => name === "etag")?.[1] ?? null;
    const kinds: Told["kind"][] = [
      "call",
      ...(canBeConditional ? (["unchanged"] as const) : []),
      ...(operationId === refusedId ? (["refusal"] as const) : []),
    ];
    return kinds.flatMap((kind) => {
      const found = find(kind, operationId);
      const faults =
        found === undefined
          ? ["was not made"]
          : [...askingFaults(call, found, subject, tag), ...answerFaults(call, found)];
      return faults.map((fault) => ({ operationId, message: kind === "call" ? fault : `${kind}: ${fault}` }));
    });
  });
}

/** How what was asked for differs from what the contract's call means. */
function askingFaults(call: Call, told: Told, { base, keys }: Subject, tag: string | null): string[] {
  const { exchanges, error } = told;
  const wanted = wantedOf(call, told, keys, tag);
  const wrong = wanted.flatMap((meant, index) => {
    const exchange = exchanges[index];
    const faults = exchange === undefined ? [] : requestFaults(exchange.sent, meant, base);
    return faults.map((fault) => (index === 0 ? fault : `on page ${index + 1} ${fault}`));
  });
  const missing = wanted.length - exchanges.length;
  // Whoever broke off has said why already.
  if (error !== null || exchanges.length === 0 || missing === 0) return wrong;
  return [...wrong, missing > 0 ? "the next page was not asked for" : `${-missing} requests too many were made`];
}

function answerFaults(call: Call, { kind, operationId, exchanges, handed, error }: Told): string[] {
  const wrong = exchanges.filter(({ status }) => status !== statuses[kind]);
  const refusals = wrong.map(({ status, text }) => `the server answered ${status}: ${text.slice(0, 200)}`);
  if (error !== null) return [...refusals, error];
  if (exchanges.length === 0) return ["no request was made"];
  const broken = exchanges.flatMap((exchange) =>
    faultsOf(operationId, { ...exchange, headers: new Headers(exchange.headers) }),
  );
  const faults = [...refusals, ...broken];
  if (faults.length > 0 || kind === "unchanged") return faults;
  const isSame =
    handed.length === exchanges.length &&
    exchanges.every(({ text }, index) => isDeepStrictEqual(handed[index], answerOf(text)));
  if (!isSame) return ["what the SDK hands over is not what the server answered"];
  if (hasOnePage(call, exchanges)) return ["no second page: the demo world has one row of it at most"];
  return isEmpty(handed[0]) ? ["there are no rows: the examples of its parameters address none"] : [];
}

function isEmpty(body: unknown): boolean {
  const { data } = body as { data?: unknown };
  return Array.isArray(data) && data.length === 0;
}

/** An answer's value, or the text of an export. */
function answerOf(text: string): unknown {
  return text.includes("\n") ? text : JSON.parse(text);
}
