import type { Exchange, Witness } from "./exchange/exchange.ts";
import { type Compared, Judge } from "./exchange/judge.ts";
import type { Finding } from "./finding.ts";

/** Rules of changes that only generated code sees: both names are the witness. */
const namesOfCode: readonly string[] = [
  "operation-id",
  "parameter-renamed",
  "discriminator",
  "server",
  "schema-renamed",
];

/** The exchanges of two contracts. */
class Witnesses {
  readonly #judge: Judge;

  constructor(compared: Compared) {
    this.#judge = new Judge(compared);
  }

  /** Returns the exchange that is nearest to the finding, or null if none is wrong at its place. */
  of({ operations, spots, rule }: Finding): Witness | null {
    const ids = operations.length > 0 ? operations : this.#judge.operations.map(({ id }) => id);
    for (const id of ids) {
      const paths = spots
        .filter(({ operation }) => operation === id || operation === null)
        .map(({ operation, path }) => (operation === null ? [] : stepsOf(path)));
      const near = this.#judge
        .exchangesOf(id)
        // Other changes make requests wrong that name no server.
        .filter(({ request }) => rule !== "server" || request.server !== null)
        .map((exchange) => ({ exchange, shared: Math.max(...paths.map((path) => nearness(path, exchange, rule))) }))
        .filter(({ shared }) => shared >= 0)
        .toSorted((one, other) => other.shared - one.shared);
      for (const { exchange } of near) {
        const fault = this.#judge.faultOf(exchange);
        if (fault !== null) return { exchange, fault };
      }
    }
    return null;
  }
}

/** Gives each finding that breaks its witness. One that has none may break, unless only generated code sees it. */
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

/** Rules about the values of one part: its witness varies that part. */
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

/** Returns the path of a view without the labels of its forms, as exchanges name it. */
function stepsOf(path: readonly string[]): string[] {
  const isLabel = (step: string | undefined) => step === "branches" || step === "all";
  return path.filter((step, index) => !isLabel(step) && !isLabel(path[index - 1]));
}

/** Counts the steps that a finding and an exchange share; -1 if the exchange is about something else. */
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
