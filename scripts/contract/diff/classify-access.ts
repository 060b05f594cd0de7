import type { Classification } from "./classify-schema.ts";
import type { Difference } from "./differences.ts";
import type { Verdict } from "./finding.ts";
import { brief, unknownVerdict, wording } from "./verdict.ts";

type Requirement = Record<string, string[]>;

/** The plans and scopes from the one that shuts nobody out to the one that shuts out most. */
const planOrder = ["none", "free", "paid"];
const scopeOrder = ["none", "any"];
/** The extensions for who may call and what it costs, with whether a value is one of those they can have. */
const accessExtensions: Readonly<Record<string, (value: unknown) => boolean>> = {
  "x-itemtape-plan": (value) => planOrder.includes(String(value)),
  "x-itemtape-scope": (value) => typeof value === "string",
  "x-itemtape-cost": (value) => typeof value === "number" && value >= 0,
  "x-itemtape-minute": (value) => typeof value === "boolean",
};

/** Classifies a difference of security, extensions or servers of an operation. */
export function classifyAccess({ path, before, after }: Difference): Classification {
  const [part = "", name = ""] = path;
  if (part === "security") return { place: "security", verdicts: [classifySecurity(String(before), String(after))] };
  if (part === "extensions") return { place: name, verdicts: [classifyExtension(name, before, after)] };
  if (part === "servers") return { place: "servers", verdicts: [classifyServer(path.slice(1), before, after)] };
  return { place: "operation", verdicts: [unknownVerdict(name === "" ? part : name, before, after)] };
}

/** Whoever was let in by an old alternative must be let in by a new one that asks for no more. */
function classifySecurity(before: string, after: string): Verdict {
  const [old, now] = [requirementsOf(before), requirementsOf(after)];
  const shutOut = old.filter((alternative) => !now.some((other) => asksNoMore(other, alternative)));
  const change = { rule: "security", before: spoken(old), after: spoken(now) };
  if (shutOut.length > 0) {
    const description = `Callers with ${spoken(shutOut)} are refused: it takes ${spoken(now)} now.`;
    return { kind: "breaking", description, ...change };
  }
  return { kind: "additive", description: `It takes ${spoken(now)} now; nobody is shut out.`, ...change };
}

/** No alternative at all, like an empty one, asks for nothing. */
function requirementsOf(text: string): Requirement[] {
  const alternatives = JSON.parse(text) as Requirement[];
  return alternatives.length === 0 ? [{}] : alternatives;
}

function asksNoMore(other: Requirement, than: Requirement): boolean {
  return Object.entries(other).every(([scheme, scopes]) => {
    const granted = than[scheme];
    return granted !== undefined && scopes.every((scope) => granted.includes(scope));
  });
}

function spoken(requirements: readonly Requirement[]): string {
  const one = (requirement: Requirement) => {
    const schemes = Object.entries(requirement).map(([scheme, scopes]) => [scheme, ...scopes].join(" "));
    return schemes.length === 0 ? "no credential" : schemes.join(" with ");
  };
  return requirements.map(one).join(" or ");
}

/** The extensions for who may call and what it costs; any other is a note for tools. */
function classifyExtension(name: string, before: unknown, after: unknown): Verdict {
  const isKnown = accessExtensions[name];
  if (
    isKnown !== undefined &&
    ![before, after].every((text) => text !== undefined && isKnown(JSON.parse(String(text))))
  ) {
    const description = `\`${name}\` is absent or of an unknown form before or now; its effect on access and cost is unknown.`;
    return { kind: "breaking", rule: name, description, before: brief(before), after: brief(after) };
  }
  const [old, now] = [unquoted(before), unquoted(after)];
  const change = {
    rule: name,
    before: before === undefined ? null : brief(old),
    after: after === undefined ? null : brief(now),
  };
  if (name === "x-itemtape-plan") return { ...change, ...classifyPlan(old, now) };
  if (name === "x-itemtape-scope") return { ...change, ...classifyScope(old, now) };
  if (name === "x-itemtape-cost") {
    const isMore = Number(now) > Number(old);
    return {
      ...change,
      kind: isMore ? "breaking" : "additive",
      description: `A request costs ${now} monthly units, not ${old}.`,
    };
  }
  if (name === "x-itemtape-minute") {
    const counts = now === "true";
    const description = `A request counts against the minute limit ${counts ? "from now on" : "no longer"}.`;
    return { ...change, kind: counts ? "breaking" : "additive", description };
  }
  return { ...change, kind: "wording", description: `\`${name}\` differs; nothing on the wire does.` };
}

function classifyPlan(old: string, now: string): Pick<Verdict, "kind" | "description"> {
  const isStricter = planOrder.indexOf(now) > planOrder.indexOf(old);
  if (isStricter)
    return { kind: "breaking", description: `Callers of plan ${old} are refused: it takes plan ${now} now.` };
  return { kind: "additive", description: `It takes plan ${now} now, where plan ${old} was asked.` };
}

function classifyScope(old: string, now: string): Pick<Verdict, "kind" | "description"> {
  const isLooser = scopeOrder.includes(now) && (old !== "none" || now === "none");
  if (isLooser) return { kind: "additive", description: `It takes scope ${now} now, where ${old} was asked.` };
  return { kind: "breaking", description: `Keys with scope ${old} are refused: it takes ${now} now.` };
}

function unquoted(text: unknown): string {
  return String(text).replace(/^"|"$/g, "");
}

/** Classifies a difference below the servers of the document or of an operation. */
export function classifyServer(path: readonly string[], before: unknown, after: unknown): Verdict {
  const [part, url = ""] = path;
  if (part === "first") {
    const description = `Generated clients call ${after} unasked, not ${before}.`;
    return { kind: "breaking", rule: "server", description, before: brief(before), after: brief(after) };
  }
  if (part === "urls" && path.length === 2) {
    const isGone = after === undefined;
    const description = isGone ? `The server ${url} is gone.` : `There is a further server, ${url}.`;
    return {
      kind: isGone ? "breaking" : "additive",
      rule: "server",
      description,
      before: isGone ? url : null,
      after: isGone ? null : url,
    };
  }
  if (path[2] === "notes") return wording("server", "The description of a server reads differently.", before, after);
  if (part === undefined) return unknownVerdict("servers", before, after);
  return unknownVerdict(String(path.at(-1)), before, after);
}
