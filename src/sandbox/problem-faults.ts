import { hash } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { plans } from "../access/plans.ts";
import { addChallenge, problemHeaders, problemOf, varying } from "../api/problem.ts";
import { type ProblemEntry, problems } from "../api/problems.ts";
import { loadContract } from "../contract/document.ts";
import type { ErrorCode } from "../contract/types.ts";
import { Failure } from "../values/failure/failure.ts";
import { monthBounds, secondsUntil, utcMonth } from "../values/time/calendar.ts";
import { type Fault, type FaultedRequest, type Figures, sendWhole } from "./faulted-request.ts";

type Media = { examples?: Record<string, { $ref?: string }> };
type Header = { schema?: { const?: string } };
type Answer = { $ref?: string; headers?: Record<string, { $ref?: string }>; content?: Record<string, Media> };
/**
 * An example answer of the contract. `headers` lists the headers of the contract. Their value is null unless the contract allows only one
 * value.
 */
type Example = { status: number; mediaType: string; headers: [name: string, value: string | null][]; value: unknown };
type Document = {
  paths: Record<string, Record<string, { operationId?: string; responses?: Record<string, Answer> }>>;
  components: {
    responses: Record<string, Answer>;
    headers: Record<string, Header>;
    examples: Record<string, { value: unknown }>;
  };
};

/** The request id in all examples of the contract. */
const shownRequestId = "req_0mkfedmo00000001demodemo00";
/** Maximum `Retry-After` in seconds: 31 days. */
const retryAfterMost = 31 * 86_400;

let examples: Map<string, Map<string, Example>> | null = null;

/** Returns the example answers of an operation by name. Pass null for the examples of all operations. */
export function examplesOf(operationId: string | null): ReadonlyMap<string, Example> {
  examples ??= readExamples();
  if (operationId !== null) return examples.get(operationId) ?? new Map();
  return new Map([...examples.values()].flatMap((own) => [...own]));
}

function readExamples(): Map<string, Map<string, Example>> {
  const { paths, components } = loadContract().document as unknown as Document;
  const found = new Map<string, Map<string, Example>>();
  const lastOf = (reference = "") => reference.slice(reference.lastIndexOf("/") + 1);
  for (const { operationId, responses = {} } of Object.values(paths).flatMap(Object.values)) {
    if (operationId === undefined) continue;
    const own = new Map<string, Example>();
    for (const [status, given] of Object.entries(responses as Record<string, Answer>)) {
      const answer = given.$ref === undefined ? given : components.responses[lastOf(given.$ref)];
      const headers = Object.entries(answer?.headers ?? {}).map(([name, { $ref }]): Example["headers"][number] => {
        return [name, components.headers[lastOf($ref)]?.schema?.const ?? null];
      });
      for (const [mediaType, media] of Object.entries(answer?.content ?? {}))
        for (const name of Object.values(media.examples ?? {}).map(({ $ref }) => lastOf($ref)))
          own.set(name, { status: Number(status), mediaType, headers, value: components.examples[name]?.value });
    }
    found.set(operationId, own);
  }
  return found;
}

const exampleFigure = {
  about: "its name",
  fallback: null,
  takes: "an example of the contract",
  accepts: (value: unknown) => examplesOf(null).has(String(value)),
};
const retryFigure = {
  about: "seconds of `Retry-After`; null omits the header",
  fallback: -1,
  least: 0,
  most: retryAfterMost,
  isNullable: true,
} as const;

/** Answers with an example of the contract. */
const example: Fault = {
  about: "an example of the contract",
  figures: { name: { ...exampleFigure, isRequired: true } },
  async act(turn, { name }) {
    const found = examplesOf(turn.operationId).get(String(name)) ?? examplesOf(null).get(String(name))!;
    const { status, value } = found;
    if (isProblem(value)) {
      sendProblemText(turn, value.code as ErrorCode, value, {});
      return;
    }
    const shown = typeof value === "string" ? value : JSON.stringify(value);
    const body = Buffer.from(shown.replaceAll(shownRequestId, turn.requestId));
    sendWhole(turn, { status, reason: STATUS_CODES[status] ?? "", headers: headersOf(found, turn, body), body });
  },
};

function headersOf({ mediaType, headers }: Example, turn: FaultedRequest, body: Buffer): string[] {
  const { requestsPerMinute, requestsPerMonth } = plans[turn.plan];
  const values: Readonly<Record<string, string>> = {
    "X-Request-Id": turn.requestId,
    Vary: varying,
    ETag: `W/"${hash("sha256", body, "base64url").slice(0, 22)}"`,
    "X-RateLimit-Limit": String(requestsPerMinute),
    "X-RateLimit-Remaining": String(requestsPerMinute - 1),
    "X-Quota-Remaining": String(requestsPerMonth - 1),
  };
  const own = headers.map(([name, value]) => [name, value ?? values[name]]).filter(([, value]) => value !== undefined);
  return ["Content-Type", mediaType, "Content-Length", String(body.length), ...(own.flat() as string[])];
}

type Problem = { code: string; detail?: string };

function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && "code" in value && "type" in value;
}

/** Returns the fault that answers with this error code. */
function refusal(code: ErrorCode): Fault {
  const { status, retryAfterS }: ProblemEntry = problems[code];
  return {
    about: `${status} with the code \`${code}\``,
    figures: { example: exampleFigure, ...(retryAfterS !== null && { retry_after: retryFigure }) },
    async act(turn, figures) {
      sendProblemText(turn, code, problemFor(turn.operationId, code, figures.example), figures);
    },
  };
}

function problemFor(operationId: string | null, code: ErrorCode, name: unknown): Problem {
  const ofCode = (list: ReadonlyMap<string, Example>) =>
    [...list].filter(([own]) => typeof name !== "string" || own === name).map(([, { value }]) => value);
  const all = [...ofCode(examplesOf(operationId)), ...ofCode(examplesOf(null))];
  return all.filter(isProblem).find((one) => one.code === code) ?? problemOf(new Failure(code), "");
}

function sendProblemText(turn: FaultedRequest, code: ErrorCode, shown: Problem, figures: Figures): void {
  const { status }: ProblemEntry = problems[code];
  const body = JSON.stringify({ ...shown, request_id: turn.requestId });
  const given = figures.retry_after;
  const retryAfterS = typeof given === "number" && given >= 0 ? given : ownRetryAfter(code, turn.at);
  const facts = {
    ...(shown.detail !== undefined && { detail: shown.detail }),
    ...(retryAfterS !== null && { retryAfterS }),
  };
  const failure = new Failure(code, facts);
  let headers = problemHeaders(failure, turn.requestId, body);
  if (given === null) headers = headers.filter((_, index) => headers[index - (index % 2)] !== "Retry-After");
  addChallenge(headers, failure, turn.req.headers.authorization);
  if (status !== 401) headers.push(...allowance(turn, code));
  sendWhole(turn, { status, reason: STATUS_CODES[status] ?? "", headers, body: Buffer.from(body) });
}

/** Returns the `Retry-After` seconds that the code calculates. Null if the table of codes has a fixed value. */
function ownRetryAfter(code: ErrorCode, at: number): number | null {
  return code === "monthly_quota_exceeded" ? secondsUntil(monthBounds(utcMonth(at)).endsAt, at) : null;
}

function allowance({ plan }: FaultedRequest, code: ErrorCode): string[] {
  const { requestsPerMinute, requestsPerMonth } = plans[plan];
  const isOfMinute = code === "rate_limited";
  const headers = ["X-RateLimit-Limit", String(requestsPerMinute)];
  headers.push("X-RateLimit-Remaining", String(isOfMinute ? 0 : requestsPerMinute - 1));
  if (!isOfMinute) headers.push("X-Quota-Remaining", String(code === "monthly_quota_exceeded" ? 0 : requestsPerMonth));
  return headers;
}

/** One fault per error code of the contract, and `example`. */
export const problemFaults: Readonly<Record<string, Fault>> = {
  ...Object.fromEntries((Object.keys(problems) as ErrorCode[]).map((code) => [code, refusal(code)])),
  example,
};
