import { isDeepStrictEqual } from "node:util";
import { faultsOf } from "../../test/support/contract.ts";
import type { Call } from "./calls.ts";

/** What a caller tells of one check: what crossed the wire, what the SDK handed over, what was thrown. */
export type Told = {
  kind: "call" | "unchanged" | "refusal";
  operationId: string;
  exchanges: readonly { status: number; headers: [string, string][]; text: string }[];
  handed: readonly unknown[];
  error: string | null;
};

/** Something that an SDK cannot do. `operationId` null: the SDK as a whole. */
export type Failure = { operationId: string | null; message: string };

const statuses = { call: 200, unchanged: 304, refusal: 401 };

/** Everything that is wrong with what a caller did, by the contract. An operation that it did not call is a failure. */
export function judge(calls: readonly Call[], refusedId: string, told: readonly Told[]): Failure[] {
  const expected = [
    ...calls.map(({ operationId }) => ({ kind: "call", operationId })),
    ...calls
      .filter(({ canBeConditional }) => canBeConditional)
      .map(({ operationId }) => ({ kind: "unchanged", operationId })),
    { kind: "refusal", operationId: refusedId },
  ];
  return expected.flatMap(({ kind, operationId }) => {
    const found = told.find((candidate) => candidate.kind === kind && candidate.operationId === operationId);
    const faults = found === undefined ? ["was not made"] : faultsOfCheck(found);
    return faults.map((fault) => ({ operationId, message: kind === "call" ? fault : `${kind}: ${fault}` }));
  });
}

function faultsOfCheck({ kind, operationId, exchanges, handed, error }: Told): string[] {
  const wrong = exchanges.filter(({ status }) => status !== statuses[kind]);
  const refusals = wrong.map(({ status, text }) => `the server answered ${status}: ${text.slice(0, 200)}`);
  if (error !== null) return [...refusals, error];
  if (exchanges.length === 0) return ["no request was made"];
  const broken = exchanges.flatMap((exchange) =>
    faultsOf(operationId, { ...exchange, headers: new Headers(exchange.headers) }),
  );
  const faults = [...refusals, ...broken];
  if (faults.length > 0 || kind === "unchanged") return faults;
  const isSame = exchanges.every(({ text }, index) => isDeepStrictEqual(handed[index], answerOf(text)));
  if (!isSame) return ["what the SDK hands over is not what the server answered"];
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
