import { isDeepStrictEqual } from "node:util";
import { faultsOf } from "../contract/answers.ts";
import type { CheckReport } from "./caller-support.ts";
import type { Call } from "./calls.ts";
import { expectedRequests, hasOnePage, requestFaults } from "./requests.ts";
import type { Subject } from "./subject.ts";

/** A fault of an SDK. `operationId` is null for the SDK as a whole. */
export type Failure = { operationId: string | null; message: string };

const statuses = { call: 200, unchanged: 304, refusal: 401 };

/** Returns every violation of the contract in a caller's reports. A missing operation is a failure. */
export function findFailures(
  calls: readonly Call[],
  refusedId: string,
  reports: readonly CheckReport[],
  subject: Subject,
): Failure[] {
  const find = (kind: CheckReport["kind"], operationId: string) =>
    reports.find((candidate) => candidate.kind === kind && candidate.operationId === operationId);
  return calls.flatMap((call) => {
    const { operationId, canBeConditional } = call;
    const answered = find("call", operationId)?.exchanges[0];
    const tag = answered?.headers.find(([name]) => name === "etag")?.[1] ?? null;
    const kinds: CheckReport["kind"][] = [
      "call",
      ...(canBeConditional ? (["unchanged"] as const) : []),
      ...(operationId === refusedId ? (["refusal"] as const) : []),
    ];
    return kinds.flatMap((kind) => {
      const found = find(kind, operationId);
      const faults =
        found === undefined
          ? ["was not made"]
          : [...sendingFaults(call, found, subject, tag), ...answerFaults(call, found)];
      return faults.map((fault) => ({ operationId, message: kind === "call" ? fault : `${kind}: ${fault}` }));
    });
  });
}

/** Returns how the requests of a check differ from the contract's. */
function sendingFaults(call: Call, report: CheckReport, { base, keys }: Subject, tag: string | null): string[] {
  const { exchanges, error } = report;
  const expected = expectedRequests(call, report, keys, tag);
  const wrong = expected.flatMap((request, index) => {
    const exchange = exchanges[index];
    const faults = exchange === undefined ? [] : requestFaults(exchange.sent, request, base);
    return faults.map((fault) => (index === 0 ? fault : `on page ${index + 1} ${fault}`));
  });
  const missing = expected.length - exchanges.length;
  // A caller that threw has already reported the reason.
  if (error !== null || exchanges.length === 0 || missing === 0) return wrong;
  return [...wrong, missing > 0 ? "the next page was not asked for" : `${-missing} requests too many were made`];
}

function answerFaults(call: Call, { kind, operationId, exchanges, bodies, error }: CheckReport): string[] {
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
    bodies.length === exchanges.length &&
    exchanges.every(({ text }, index) => isDeepStrictEqual(bodies[index], answerOf(text)));
  if (!isSame) return ["the SDK's result differs from the server's answer"];
  if (hasOnePage(call, exchanges)) return ["no second page: the demo world has one row of it at most"];
  return isEmpty(bodies[0]) ? ["it has no rows: its example parameters address none"] : [];
}

function isEmpty(body: unknown): boolean {
  const { data } = body as { data?: unknown };
  return Array.isArray(data) && data.length === 0;
}

/** Parses a JSON response. An export stays text. */
function answerOf(text: string): unknown {
  return text.includes("\n") ? text : JSON.parse(text);
}
