import { isNode } from "./document.ts";
import type { Exchange, Request } from "./exchange/exchange.ts";
import type { Finding } from "./finding.ts";

const textCharsMax = 300;

/** Returns the witness of a finding as lines, apart from the report that shows them: the exchange, and the reason why it is invalid. */
export function witnessLines({ witness }: Pick<Finding, "witness">): string[] {
  if (witness === null) return [];
  const { exchange, fault } = witness;
  const isRequest = exchange.answer === null;
  return [
    isRequest ? `right before, wrong now: ${fault}` : `right now, wrong before: ${fault}`,
    ...exchangeLines(exchange),
  ];
}

function exchangeLines({ request, answer, near }: Exchange): string[] {
  const query = request.query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  const lines = [
    `${request.method.toUpperCase()} ${request.server ?? ""}${request.path}${query === "" ? "" : `?${query}`}`,
  ];
  lines.push(...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`));
  if (near[0] === "extensions" || near[0] === "security") lines.push(callerLine(request));
  if (request.accept !== null) lines.push(`accept: ${request.accept}`);
  if (request.body !== null) lines.push(`${request.body.mediaType} ${JSON.stringify(request.body.value)}`);
  const meant = Object.entries(request.means).map(([place, value]) => `${place} left out means ${value}`);
  if (meant.length > 0) lines.push(meant.join(", "));
  if (answer === null) return lines.map(short);
  const [, , part, name = ""] = near;
  const header = answer.headers[name];
  if (part === "headers")
    return [...lines, `${answer.status}${header === undefined ? "" : ` ${name}: ${header}`}`].map(short);
  const { place, value } = partAt(answer.value, near.slice(5));
  const where = place === "" ? "" : ` ${place}:`;
  const body = answer.value === undefined ? "" : ` ${answer.mediaType}${where} ${JSON.stringify(value)}`;
  return [...lines, `${answer.status}${body}`].map(short);
}

/** Describes the caller of a request that its rights decide. */
function callerLine({ caller: { scope, plan, units, hasMinute } }: Request): string {
  const left = `${units} ${units === 1 ? "unit" : "units"} left`;
  return `caller: scope ${scope}, plan ${plan}, ${left}${hasMinute ? "" : ", minute used up"}`;
}

/** Returns the varied part of a value, or its nearest existing parent. */
function partAt(whole: unknown, path: readonly string[]): { place: string; value: unknown } {
  let [place, value] = ["", whole];
  for (const [index, step] of path.entries()) {
    if (step === "items" || step === "contentSchema") {
      if (!Array.isArray(value)) break;
      [place, value] = [`${place}[0]`, value[0]];
    } else if (path[index - 1] === "properties") {
      if (!isNode(value) || !(step in value)) break;
      [place, value] = [place === "" ? step : `${place}.${step}`, value[step]];
    }
  }
  return { place, value };
}

function short(line: string): string {
  return line.length > textCharsMax ? `${line.slice(0, textCharsMax)}…` : line;
}
