import { planNames } from "../../access/plans.ts";
import { ItemtapeError, TransportError } from "../../client/index.ts";
import { isUnavailable } from "../../client/retry.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { displayText } from "../../values/text/display-text.ts";
import { perhaps } from "../../values/text/suggestion.ts";
import { secondMs } from "../../values/time/calendar.ts";
import { type Connection, defaultUrl } from "../connect.ts";

const detailCharsMax = 500;
const paidPlans = planNames.filter((name) => name !== "free").join(", ");

/** Turns an error of a client into one line with the cause, the page with the fix and the time to retry. Returns other errors unchanged. */
export function refusalOf(error: unknown, operationId: string, base: string): unknown {
  if (error instanceof ItemtapeError) {
    return new OperatorError(`${operationId}: ${sayRefusal(error, base)}`, exitCodeOf(error));
  }
  // A fault that the client found in the parameters before sending. Any other TypeError is a bug of this program.
  const isWrong = error instanceof TypeError && /^(\w+: )?the parameter `/.test(error.message);
  if (isWrong) return new OperatorError(displayText(error.message, detailCharsMax), exitCodes.usage);
  if (!(error instanceof TransportError)) return error;
  if (isBlocked(error))
    return new OperatorError(`--url: ${base}: the port belongs to another protocol`, exitCodes.usage);
  const isLater = isUnavailable(error);
  const named = `${operationId}: `;
  const message = error.message.startsWith(named) ? error.message.slice(named.length) : error.message;
  const orStart = base === defaultUrl ? " `npx itemtape start` starts one." : "";
  const hint = isLater ? `; is it running there, and is --url right?${orStart}` : "";
  return new OperatorError(
    `${operationId}: ${displayText(message, detailCharsMax)}${hint}`,
    isLater ? exitCodes.temporary : exitCodes.badData,
  );
}

/** Does the same. If the service does not know a provider, it also lists the known ones, for a unit that the message mentions. */
export async function refusalWithProviders(
  error: unknown,
  operationId: string,
  { client, base }: Connection,
  provider: string,
): Promise<unknown> {
  const refusal = refusalOf(error, operationId, base);
  const isUnknown = error instanceof ItemtapeError && error.code === "unknown_provider";
  if (!isUnknown || !(refusal instanceof OperatorError)) return refusal;
  try {
    const { data } = await client.call("listProviders", { limit: 100 });
    const names = data.map((row) => displayText(row.provider));
    const choices = `there are ${names.join(", ")} (\`listProviders\`, 1 unit)`;
    return new OperatorError(`${refusal.message}; ${choices}${perhaps(provider, names)}`, refusal.exitCode);
  } catch {
    return refusal;
  }
}

/** `fetch` refuses ports of other protocols itself. */
function isBlocked({ cause }: TransportError): boolean {
  return ((cause as Error | undefined)?.cause as Error | undefined)?.message === "bad port";
}

function sayRefusal(error: ItemtapeError, base: string): string {
  const { status, code, detail, requestId, problem } = error;
  const away = isUnavailable(error) ? "; a proxy answered, but the service behind it is unavailable" : "";
  if (problem === null) return `HTTP ${status} of ${base} without a problem record${away}${hintOf(error, base)}`;
  const about = displayText(detail ?? problem.title, detailCharsMax);
  const page = /^\/problems\/[a-z_]{1,60}$/.test(problem.type) ? `; see ${base}${problem.type}` : "";
  const request = requestId === null ? "" : ` (${displayText(requestId)})`;
  return `HTTP ${status} \`${displayText(String(code))}\`: ${about}${hintOf(error, base)}${page}${request}`;
}

const newKeyHint =
  "on your own server `npx itemtape keys create owner --days 90` makes a new key; a rotation keeps the expiry";

function hintOf({ status, code, detail, retryAfterMs }: ItemtapeError, base: string): string {
  if (status === 404 && code !== "endpoint_not_found") return "; the request cost a unit";
  if (code === "expired_api_key") return `; ${newKeyHint}`;
  if (status === 401) return "; the environment variable ITEMTAPE_API_KEY holds the key";
  if (code === "plan_upgrade_required") return `; the plans ${paidPlans} include it`;
  if (code === "insufficient_scope") return credentialHint(detail ?? "", base);
  if (code === "monthly_quota_exceeded") return "; try again next month";
  if (retryAfterMs !== null) return `; try again in ${Math.ceil(retryAfterMs / secondMs)} s`;
  return "";
}

/** Returns the credential that a refused request needs, and the page that creates it. */
function credentialHint(detail: string, base: string): string {
  if (detail.includes("portfolio:read")) return `; make a personal token at ${base}/dashboard/tokens/new`;
  return detail.includes("market:read") ? `; make a project key at ${base}/dashboard/keys/new` : "";
}

function exitCodeOf(error: ItemtapeError): number {
  const { status, code } = error;
  if (isUnavailable(error)) return exitCodes.temporary;
  if (code === "monthly_quota_exceeded") return exitCodes.unavailable;
  if (status === 401 || status === 403) return exitCodes.denied;
  if (status === 404) return exitCodes.noInput;
  if (status === 429 || status === 503) return exitCodes.temporary;
  return status === 400 || status === 413 ? exitCodes.usage : exitCodes.badData;
}

/** Exit codes of a refused request with their meanings, for `--help`. */
export const refusalCodes: readonly (readonly [code: number, meaning: string])[] = [
  [exitCodes.usage, "wrong command line or request (400, 413)"],
  [exitCodes.badData, "undocumented answer or redirect"],
  [exitCodes.noInput, "not found (404)"],
  [exitCodes.unavailable, "the month's units are used up"],
  [exitCodes.temporary, "limited (429), unavailable (5xx) or not connected; try again"],
  [exitCodes.denied, "key, plan or scope not accepted (401, 403)"],
];

/** Further exit codes of exports and copies. `get --help` lists `refusalCodes`. */
export const exportCodes: typeof refusalCodes = [
  [exitCodes.cannotCreate, "FILE exists or cannot be created"],
  [exitCodes.ioError, "FILE cannot be read or written and stays unchanged"],
  [exitCodes.exportChanged, "changed: a new generation was published"],
  [exitCodes.exportInterrupted, "interrupted: the service gave up"],
  [exitCodes.exportTruncated, "truncated: the stream ended early"],
  [exitCodes.exportMalformed, "malformed: an unexpected record"],
  [exitCodes.exportDigest, "the data does not match its digest"],
  [130, "stopped by Ctrl+C (143 by SIGTERM, 129 by SIGHUP)"],
];
