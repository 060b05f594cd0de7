import type { Entry } from "../sandbox/journal.ts";
import type { KitReply } from "./adapter.ts";
import type { RightAnswer, Scenario } from "./scenario.ts";

/** A timer may fire this much early, ms. */
const earlyMs = 20;
const keyMark = "[key]";

/** Returns the faults of the requests that a client sent. Empty if they are right. */
export function wireFaults({ call, wire, script = [] }: Scenario, entries: readonly Entry[]): string[] {
  const of = (operation: string) => entries.filter((entry) => entry.operation === operation);
  const own = of(call.operation);
  const faults = Object.entries(wire.requests).flatMap(([operation, given]) => {
    const [least, most] = typeof given === "number" ? [given, given] : given;
    const count = of(operation).length;
    if (count >= least && count <= most) return [];
    return [`${operation} was requested ${times(count)}, not ${least === most ? "" : `${least} to `}${times(most)}`];
  });
  for (const [index, seconds] of (wire.not_before_s ?? []).entries()) {
    const [from, next] = [own[index], own[index + 1]];
    const waitedMs = from === undefined || next === undefined ? null : next.at_ms - (from.answered_ms ?? from.at_ms);
    if (waitedMs !== null && waitedMs < seconds * 1000 - earlyMs)
      faults.push(`request ${index + 2} was sent ${waitedMs} ms after the answer; it had to wait ${seconds} s`);
  }
  for (const [name, value] of Object.entries(wire.query ?? {}))
    for (const { attempt, target } of own) {
      const sent = new URLSearchParams(target.split("?")[1] ?? "").getAll(name).join(",");
      if (sent !== value) faults.push(`request ${attempt} has the parameter ${name}=${sent}, not ${value}`);
    }
  if (wire.hung_up === true && own.at(-1)?.closed?.by !== "client")
    faults.push("the client did not close the connection that it gave up");
  if (call.call === "operation" && own.some((entry) => sentBy(entry) !== sentBy(own[0]!)))
    faults.push("a later attempt is another request than the first");
  if (entries.some(({ applied }) => !applied))
    faults.push(`the sandbox could not play its faults (${JSON.stringify(script)})`);
  return [...faults, ...entries.flatMap(keyFaults)];
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

function sentBy({ method, target, body }: Entry): string {
  return [method, target, body].join(" ");
}

/** Finds the key in a request. The journal replaces every key by `[key]`. */
function keyFaults({ operation, attempt, target, headers, body }: Entry): string[] {
  const request = `request ${attempt} of ${operation ?? target}`;
  const holders = headers.filter(([, value]) => value.includes(keyMark));
  const [first] = holders;
  const faults: string[] = [];
  if (target.includes(keyMark)) faults.push(`${request} has the key in its URL`);
  if (body?.includes(keyMark)) faults.push(`${request} has the key in its body`);
  if (holders.length > 1) faults.push(`${request} has the key in ${holders.map(([name]) => name).join(" and ")}`);
  else if (first !== undefined && !(first[0].toLowerCase() === "authorization" && /^bearer \[key\]$/i.test(first[1])))
    faults.push(`${request} has the key in ${first[0]}, not in \`Authorization: Bearer\``);
  return faults;
}

/** Returns the fault of a reply. Empty if it is one of the right answers. */
export function answerFaults({ answer }: Scenario, reply: KitReply, served: unknown): string[] {
  if (answer.some((right) => isRight(right, reply, served))) return [];
  const wanted = answer.map(wantedText).join(", or ");
  return [`the client replied ${replyText(reply)}; expected ${wanted}`];
}

function isRight(right: RightAnswer, reply: KitReply, served: unknown): boolean {
  if ("failure" in right) return "problem" in reply || "discarded" in reply;
  if ("problem" in right) {
    if (!("problem" in reply)) return false;
    const { code, status } = right.problem;
    const isCode = code === undefined || code === reply.problem.code;
    return isCode && (status === undefined || reply.problem.status === null || status === reply.problem.status);
  }
  return "value" in reply && holds(wantedValue(right.value, served), reply.value);
}

function wantedValue(wanted: Extract<RightAnswer, { value: unknown }>["value"], served: unknown): unknown {
  if (wanted === "served") return served;
  if ("has" in wanted) return wanted.has;
  const rows = served as unknown[];
  const { first = 0, last = 0 } = wanted;
  return [...rows.slice(0, first), ...rows.slice(rows.length - last)];
}

/** Returns whether `value` has all members of `wanted`. It may have more members, but no more entries of a list. */
function holds(wanted: unknown, value: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(value) && value.length === wanted.length && wanted.every((one, index) => holds(one, value[index]))
    );
  if (typeof wanted !== "object" || wanted === null) return wanted === value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.entries(wanted).every(([name, one]) => holds(one, (value as Record<string, unknown>)[name]));
}

function wantedText(right: RightAnswer): string {
  if ("failure" in right) return "a problem or `discarded`";
  if ("problem" in right) {
    const { code, status } = right.problem;
    const parts = [status === undefined ? "" : ` ${status}`, code === undefined ? "" : ` with code ${code}`];
    return `a problem${parts.join("")}`;
  }
  if (right.value === "served") return "the value that the server has";
  if ("has" in right.value) return `a value with ${shortened(right.value.has)}`;
  const { first, last } = right.value;
  const parts = [
    first === undefined ? "" : `the first ${first} rows`,
    last === undefined ? "" : `the last ${last} rows`,
  ];
  return parts.filter((part) => part !== "").join(" and ");
}

function replyText(reply: KitReply): string {
  if ("problem" in reply) return `problem ${reply.problem.status ?? "without status"}, code ${reply.problem.code}`;
  if ("discarded" in reply) return `discarded (${reply.discarded.slice(0, 200)})`;
  return "value" in reply ? `value ${shortened(reply.value)}` : "unsupported";
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value);
  const rows = Array.isArray(value) ? ` of ${value.length} rows` : "";
  return text.length > 160 ? `${text.slice(0, 160)}…${rows}` : text;
}
