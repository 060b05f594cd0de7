import type { Exchange, Witness } from "./exchange/exchange.ts";
import { type Compared, Judge } from "./exchange/judge.ts";
import type { Finding } from "./finding.ts";

/** Rules of changes that affect only generated code. They need no exchange, because the two names show the change. */
export const namesOfCode: readonly string[] = [
  "operation-id",
  "parameter-renamed",
  "discriminator",
  "server",
  "schema-renamed",
];

/** Rules for which a server may refuse the old name. */
const namesOnWire: readonly string[] = ["parameter-renamed", "server"];

/** Finds witnesses among the exchanges of two contracts. */
class Witnesses {
  readonly #judge: Judge;

  constructor(compared: Compared) {
    this.#judge = new Judge(compared);
  }

  /** Returns the failing exchange that is nearest to the finding; null if none fails at its place. */
  of(finding: Finding): Witness | null {
    const isName = namesOfCode.includes(finding.rule);
    if (isName && !namesOnWire.includes(finding.rule)) return null;
    let other: Witness | null = null;
    for (const exchange of this.#near(finding)) {
      const faults = this.#judge.faultsOf(exchange);
      const own = faults.find((fault) => isOwn(fault, finding));
      if (own !== undefined) return { exchange, fault: own };
      const [fault] = faults;
      // Names fail only by themselves: any other fault is of another change.
      if (fault !== undefined && !isName) other ??= { exchange, fault };
    }
    return other;
  }

  *#near({ operations, spots, rule }: Finding): Generator<Exchange> {
    const ids = operations.length > 0 ? operations : this.#judge.operations.map(({ id }) => id);
    for (const id of ids) {
      const paths = spots
        .filter(({ operation }) => operation === id || operation === null)
        .map(({ operation, path }) => (operation === null ? [] : stepsOf(path)));
      const near = this.#judge
        .exchangesOf(id)
        .map((exchange) => ({ exchange, shared: Math.max(...paths.map((path) => nearness(path, exchange, rule))) }))
        .filter(({ shared }) => shared >= 0)
        .toSorted((one, other) => other.shared - one.shared);
      for (const { exchange } of near) yield exchange;
    }
  }
}

/** Adds a witness to each breaking finding. Without one its kind becomes `may-break`, unless only generated code is affected. */
export function withWitnesses(findings: readonly Finding[], compared: Compared): Finding[] {
  if (!findings.some(({ kind }) => kind === "breaking")) return [...findings];
  const witnesses = new Witnesses(compared);
  return findings.map((found) => {
    if (found.kind !== "breaking") return found;
    const witness = witnesses.of(found);
    return witness !== null || namesOfCode.includes(found.rule)
      ? { ...found, witness }
      : { ...found, kind: "may-break" };
  });
}

/** Returns whether a fault is about the part that a finding names, and not about another change of the operation. */
function isOwn(fault: string, { rule, spots: [spot], before }: Finding): boolean {
  if (rule === "server") return fault === `${before} is not a server`;
  const [part = "", name = "", keyword, header = ""] = spot?.path ?? [];
  const ofPart = { security: ["credential"], requestBody: ["body"], extensions: [name.replace("x-itemtape-", "")] };
  const names =
    part === "parameters" ? [name, spot?.newPath?.[1] ?? name].map(nameOf) : keyword === "headers" ? [header] : [];
  const words = ofPart[part as keyof typeof ofPart] ?? names;
  return words.length === 0 || words.some((word) => ` ${fault.toLowerCase()} `.includes(` ${word.toLowerCase()} `));
}

/** Returns the name in a label such as `query limit`. */
function nameOf(label: string): string {
  return label.slice(label.indexOf(" ") + 1);
}

/** Rules about the values of one part. Their witness must vary this part. */
const ofValues = [
  "bound",
  "values",
  "type",
  "nullable",
  "pattern",
  "format",
  "multipleof",
  "unknown-keyword",
  "unique-items",
  "default",
];

/** Returns a view path without the labels of forms, as exchanges use it. */
function stepsOf(path: readonly string[]): string[] {
  const isLabel = (step: string | undefined) => step === "branches" || step === "all";
  return path.filter((step, index) => !isLabel(step) && !isLabel(path[index - 1]));
}

/** Counts the steps that a finding and an exchange share. Returns -1 if the exchange concerns another part. */
function nearness(path: readonly string[], { near, answer }: Exchange, rule: string): number {
  const [part, , keyword] = path;
  const isOnSide = part === "responses" ? answer !== null || keyword === "content" : answer === null;
  if (!isOnSide) return -1;
  const parting = path.findIndex((step, index) => near[index] !== step);
  const shared = parting < 0 ? path.length : parting;
  const isNear = ofValues.includes(rule)
    ? shared >= path.length - 1
    : shared === near.length || shared >= path.length - 2;
  return isNear ? shared : -1;
}
