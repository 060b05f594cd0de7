import type { Node } from "./document.ts";
import { type Checked, Checker } from "./exchange/checker.ts";
import { Draw } from "./exchange/draw.ts";
import type { Exchange, Witness } from "./exchange/exchange.ts";
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
  readonly #old: Checker;
  readonly #now: Checker;
  readonly #drawn = new Map<string, Witness[]>();
  readonly #renamed: ReadonlyMap<string, string>;

  constructor(before: Node, after: Node, renamed: ReadonlyMap<string, string>) {
    this.#old = new Checker(before);
    this.#now = new Checker(after);
    this.#renamed = renamed;
  }

  /** Returns the exchange that is nearest to the finding, or null if none is wrong at its place. */
  of({ operations, spots, rule }: Finding): Witness | null {
    const ids = operations.length > 0 ? operations : this.#old.operations.map(({ id }) => id);
    for (const id of ids) {
      const paths = spots
        .filter(({ operation }) => operation === id || operation === null)
        .map(({ operation, path }) => (operation === null ? [] : stepsOf(path)));
      let best: { witness: Witness; shared: number } | null = null;
      for (const witness of this.all(id)) {
        const shared = Math.max(...paths.map((path) => nearness(path, witness.exchange, rule)));
        if (shared >= 0 && shared > (best?.shared ?? -1)) best = { witness, shared };
      }
      if (best !== null) return best.witness;
    }
    return null;
  }

  /** Returns all exchanges of an operation of the old contract that break: requests of the old one, answers of the new one. */
  all(id: string): readonly Witness[] {
    const known = this.#drawn.get(id);
    if (known !== undefined) return known;
    const found = [...this.#broken(id)];
    this.#drawn.set(id, found);
    return found;
  }

  *#broken(id: string): Generator<Witness> {
    const old = this.#old.operations.find((one) => one.id === id);
    if (old === undefined) return;
    const now = this.#now.operations.find((one) => one.id === (this.#renamed.get(id) ?? id)) ?? null;
    yield* this.#judged(new Draw(this.#old, this.#now).requests(old, now), this.#old, this.#now);
    if (now !== null) yield* this.#answers(now, old);
  }

  *#answers(now: Checked, old: Checked): Generator<Witness> {
    for (const exchange of new Draw(this.#now, this.#old).answers(now, old, old)) {
      const request: Exchange = { ...exchange, answer: null };
      if (this.#old.fault(request, "server") !== null || this.#now.fault(request, "server") !== null) continue;
      if (this.#now.fault(exchange, "server") !== null) continue;
      const fault = this.#old.fault(exchange, "client");
      if (fault !== null) yield { exchange, fault };
    }
  }

  *#judged(exchanges: Iterable<Exchange>, right: Checker, wrong: Checker): Generator<Witness> {
    for (const exchange of exchanges) {
      if (right.fault(exchange, "server") !== null) continue;
      const fault = wrong.fault(exchange, "server");
      if (fault !== null) yield { exchange, fault };
    }
  }
}

/** Gives each finding that breaks its witness. One that has none may break, unless only generated code sees it. */
export function withWitnesses(findings: readonly Finding[], { before, after, renamed }: Compared): Finding[] {
  if (!findings.some(({ kind }) => kind === "breaking")) return [...findings];
  const witnesses = new Witnesses(before, after, renamed);
  return findings.map((found) => {
    if (found.kind !== "breaking") return found;
    const witness = witnesses.of(found);
    return witness !== null || namesOfCode.includes(found.rule)
      ? { ...found, witness }
      : { ...found, kind: "may-break" };
  });
}

type Compared = { before: Node; after: Node; renamed: ReadonlyMap<string, string> };

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
