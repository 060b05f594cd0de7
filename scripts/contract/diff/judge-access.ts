import type { Difference } from "./differences.ts";
import type { Verdict } from "./finding.ts";
import type { Judgement } from "./judge-schema.ts";
import { brief, unknownVerdict, wording } from "./verdict.ts";

type Requirement = Record<string, string[]>;

/** The plans and scopes from the one that shuts nobody out to the one that shuts out most. */
const planOrder = ["none", "free", "paid"];
const scopeOrder = ["none", "any"];
/** The extensions that say who may call and what it costs, with whether a value is one of those they can have. */
const accessExtensions: Readonly<Record<string, (value: unknown) => boolean>> = {
  "x-itemtape-plan": (value) => planOrder.includes(String(value)),
  "x-itemtape-scope": (value) => typeof value === "string",
  "x-itemtape-cost": (value) => typeof value === "number" && value >= 0,
  "x-itemtape-minute": (value) => typeof value === "boolean",
};

/** What a difference of security, extensions or servers of an operation is to its callers. */
export function judgeAccess({ path, before, after }: Difference): Judgement {
  const [part = "", name = ""] = path;
  if (part === "security") return { place: "security", verdicts: [judgeSecurity(String(before), String(after))] };
  if (part === "extensions") return { place: name, verdicts: [judgeExtension(name, before, after)] };
  if (part === "servers") return { place: "servers", verdicts: [judgeServer(path.slice(1), before, after)] };
  return { place: "operation", verdicts: [unknownVerdict(name === "" ? part : name, before, after)] };
}

/** Whoever was let in by an old alternative must be let in by a new one that asks for no more. */
function judgeSecurity(before: string, after: string): Verdict {
  const [old, now] = [requirementsOf(before), requirementsOf(after)];
  const shutOut = old.filter((alternative) => !now.some((other) => asksNoMore(other, alternative)));
  const told = { rule: "security", before: spoken(old), after: spoken(now) };
  if (shutOut.length > 0) {
    const says = `Callers with ${spoken(shutOut)} are refused: it takes ${spoken(now)} now.`;
    return { kind: "breaking", says, ...told };
  }
  return { kind: "additive", says: `It takes ${spoken(now)} now; nobody is shut out.`, ...told };
}

/** No alternative at all, like an empty one, asks for nothing. */
function requirementsOf(text: string): Requirement[] {
  const alternatives = JSON.parse(text) as Requirement[];
  return alternatives.length === 0 ? [{}] : alternatives;
}

function asksNoMore(other: Requirement, than: Requirement): boolean {
  return Object.entries(other).every(([scheme, scopes]) => {
    const held = than[scheme];
    return held !== undefined && scopes.every((scope) => held.includes(scope));
  });
}

function spoken(requirements: readonly Requirement[]): string {
  const one = (requirement: Requirement) => {
    const schemes = Object.entries(requirement).map(([scheme, scopes]) => [scheme, ...scopes].join(" "));
    return schemes.length === 0 ? "no credential" : schemes.join(" with ");
  };
  return requirements.map(one).join(" or ");
}

/** The extensions that say who may call and what it costs; any other is a note for tools. */
function judgeExtension(name: string, before: unknown, after: unknown): Verdict {
  const isKnown = accessExtensions[name];
  if (
    isKnown !== undefined &&
    ![before, after].every((text) => text !== undefined && isKnown(JSON.parse(String(text))))
  ) {
    const says = `\`${name}\` is absent or of an unknown form before or now; nobody can tell whom that shuts out or what it costs.`;
    return { kind: "breaking", rule: name, says, before: brief(before), after: brief(after) };
  }
  const [old, now] = [unquoted(before), unquoted(after)];
  const told = {
    rule: name,
    before: before === undefined ? null : brief(old),
    after: after === undefined ? null : brief(now),
  };
  if (name === "x-itemtape-plan") return { ...told, ...judgePlan(old, now) };
  if (name === "x-itemtape-scope") return { ...told, ...judgeScope(old, now) };
  if (name === "x-itemtape-cost") {
    const isMore = Number(now) > Number(old);
    return {
      ...told,
      kind: isMore ? "breaking" : "additive",
      says: `A request costs ${now} monthly units, not ${old}.`,
    };
  }
  if (name === "x-itemtape-minute") {
    const counts = now === "true";
    const says = `A request counts against the minute limit ${counts ? "from now on" : "no longer"}.`;
    return { ...told, kind: counts ? "breaking" : "additive", says };
  }
  return { ...told, kind: "wording", says: `\`${name}\` differs; nothing on the wire does.` };
}

function judgePlan(old: string, now: string): Pick<Verdict, "kind" | "says"> {
  const isStricter = planOrder.indexOf(now) > planOrder.indexOf(old);
  if (isStricter) return { kind: "breaking", says: `Callers of plan ${old} are refused: it takes plan ${now} now.` };
  return { kind: "additive", says: `It takes plan ${now} now, where plan ${old} was asked.` };
}

function judgeScope(old: string, now: string): Pick<Verdict, "kind" | "says"> {
  const isLooser = scopeOrder.includes(now) && (old !== "none" || now === "none");
  if (isLooser) return { kind: "additive", says: `It takes scope ${now} now, where ${old} was asked.` };
  return { kind: "breaking", says: `Keys with scope ${old} are refused: it takes ${now} now.` };
}

function unquoted(text: unknown): string {
  return String(text).replace(/^"|"$/g, "");
}

/** A difference below the servers of the document or of an operation. */
export function judgeServer(path: readonly string[], before: unknown, after: unknown): Verdict {
  const [part, url = ""] = path;
  if (part === "first") {
    const says = `Generated clients call ${after} unasked, not ${before}.`;
    return { kind: "breaking", rule: "server", says, before: brief(before), after: brief(after) };
  }
  if (part === "urls" && path.length === 2) {
    const isGone = after === undefined;
    const says = isGone ? `The server ${url} is gone.` : `There is a further server, ${url}.`;
    return {
      kind: isGone ? "breaking" : "additive",
      rule: "server",
      says,
      before: isGone ? url : null,
      after: isGone ? null : url,
    };
  }
  if (path[2] === "notes") return wording("server", "The description of a server reads differently.", before, after);
  if (part === undefined) return unknownVerdict("servers", before, after);
  return unknownVerdict(String(path.at(-1)), before, after);
}
