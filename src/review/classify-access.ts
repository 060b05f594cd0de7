import type { Classification } from "./classify-schema.ts";
import type { Difference } from "./differences.ts";
import type { Verdict } from "./finding.ts";
import { presence, unknownVerdict, verdict, wording } from "./verdict.ts";

type Requirement = Record<string, string[]>;

/** Plans and scopes, from the least to the most restrictive. */
const planOrder = ["none", "free", "paid"];
const scopeOrder = ["none", "any"];
/** Extensions that control access and cost, each with a check for valid values. */
const accessExtensions: Readonly<Record<string, (value: unknown) => boolean>> = {
  "x-itemtape-plan": (value) => planOrder.includes(String(value)),
  "x-itemtape-scope": (value) => typeof value === "string",
  "x-itemtape-cost": (value) => typeof value === "number" && value >= 0,
  "x-itemtape-minute": (value) => typeof value === "boolean",
};

/** Classifies a difference in security, extensions or servers of an operation. */
export function classifyAccess({ path, before, after }: Difference): Classification {
  const [part = "", name = ""] = path;
  if (part === "security") return { place: "security", verdicts: [classifySecurity(String(before), String(after))] };
  if (part === "extensions") return { place: name, verdicts: [classifyExtension(name, before, after)] };
  if (part === "servers") return { place: "servers", verdicts: [classifyServer(path.slice(1), before, after)] };
  return { place: "operation", verdicts: [unknownVerdict(name === "" ? part : name, before, after)] };
}

/** Every caller admitted by an old alternative must be admitted by a new alternative without further requirements. */
function classifySecurity(before: string, after: string): Verdict {
  const [old, now] = [requirementsOf(before), requirementsOf(after)];
  const shutOut = old.filter((alternative) => !now.some((other) => asksNoMore(other, alternative)));
  const description =
    shutOut.length > 0
      ? `Callers with ${listedRequirements(shutOut)} are refused: ${listedRequirements(now)} is now required.`
      : `${listedRequirements(now)} is now required; all callers have it.`;
  return verdict("security", shutOut.length > 0, description, listedRequirements(old), listedRequirements(now));
}

/** A missing list of alternatives requires nothing, like an empty alternative. */
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

function listedRequirements(requirements: readonly Requirement[]): string {
  const one = (requirement: Requirement) => {
    const schemes = Object.entries(requirement).map(([scheme, scopes]) => [scheme, ...scopes].join(" "));
    return schemes.length === 0 ? "no credential" : schemes.join(" with ");
  };
  return requirements.map(one).join(" or ");
}

/** Classifies extensions that control access and cost. Other extensions are notes for tools. */
function classifyExtension(name: string, before: unknown, after: unknown): Verdict {
  const isKnown = accessExtensions[name];
  const isFormed = (text: unknown) => text !== undefined && isKnown?.(JSON.parse(String(text)));
  if (isKnown !== undefined && !(isFormed(before) && isFormed(after))) {
    const description = `\`${name}\` is absent or of an unknown form before or now; its effect on access and cost is unknown.`;
    return verdict(name, true, description, before, after);
  }
  const [old, now] = [unquoted(before), unquoted(after)];
  const [isBreaking, description] = accessChanges[name]?.(String(old), String(now)) ?? [
    false,
    `\`${name}\` differs; the wire format does not.`,
  ];
  const found = verdict(name, isBreaking, description, old, now);
  return isKnown === undefined ? { ...found, kind: "wording" } : found;
}

/** For each extension, whether a change of its value breaks clients, and a description of the change. */
const accessChanges: Readonly<Record<string, (old: string, now: string) => [isBreaking: boolean, words: string]>> = {
  "x-itemtape-plan": (old, now) =>
    planOrder.indexOf(now) > planOrder.indexOf(old)
      ? [true, `Callers of plan ${old} are refused: plan ${now} is now required.`]
      : [false, `Plan ${now} is now required instead of plan ${old}.`],
  "x-itemtape-scope": (old, now) =>
    scopeOrder.includes(now) && (old !== "none" || now === "none")
      ? [false, `Scope ${now} is now required instead of ${old}.`]
      : [true, `Keys with scope ${old} are refused: ${now} is now required.`],
  "x-itemtape-cost": (old, now) => [Number(now) > Number(old), `A request costs ${now} monthly units, not ${old}.`],
  "x-itemtape-minute": (_, now) =>
    now === "true"
      ? [true, "A request counts against the minute limit from now on."]
      : [false, "A request counts against the minute limit no longer."],
};

function unquoted(text: unknown): unknown {
  return text === undefined ? undefined : String(text).replace(/^"|"$/g, "");
}

/** Classifies a difference in the servers of the document or of an operation. */
export function classifyServer(path: readonly string[], before: unknown, after: unknown): Verdict {
  const [part, url = ""] = path;
  if (part === "first") {
    return verdict("server", true, `Generated clients call ${after} unasked, not ${before}.`, before, after);
  }
  if (part === "urls" && path.length === 2) {
    const texts = { came: `A server was added: ${url}.`, gone: `The server ${url} was removed.` };
    return presence("server", url, after !== undefined, texts);
  }
  if (path[2] === "notes") return wording("server", "The description of a server has changed.", before, after);
  return unknownVerdict(path.at(-1) ?? "servers", before, after);
}
