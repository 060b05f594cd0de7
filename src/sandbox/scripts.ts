import type { OperationId } from "../contract/types.ts";
import { faults } from "./faults.ts";
import type { Fault, Figure, Figures } from "./turn.ts";

/** Steps of one script. */
const stepsMax = 1000;
/** How often one step may be repeated: enough for any client that does not stop. */
const timesMax = 1_000_000;

/** One line of a script: the next `times` requests of `operation` (null: of any) meet the fault; `pass`: none. */
export type Step = { operation: OperationId | null; fault: string; times: number; figures: Figures };

/** A script, or another part of a message to the control API, that is not valid. */
export class ControlRefusal extends Error {
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

/** A script and how far requests have come in it. */
export class Script {
  readonly steps: readonly Step[];
  #left: number[];

  constructor(steps: readonly Step[]) {
    this.steps = steps;
    this.#left = steps.map(({ times }) => times);
  }

  /** Takes the first step that is left for a request of `operation`; null: the request passes. */
  take(operation: string | null): Step | null {
    const index = this.steps.findIndex(
      (step, at) => this.#left[at]! > 0 && (step.operation === null || step.operation === operation),
    );
    if (index === -1) return null;
    this.#left[index] = this.#left[index]! - 1;
    return this.steps[index]!;
  }

  /** Begins the script anew. */
  restart(): void {
    this.#left = this.steps.map(({ times }) => times);
  }

  /** Returns the steps as the control API shows them; `left`: requests that will still meet the step. */
  shown(): object[] {
    return this.steps.map(({ figures, ...step }, index) => ({ ...step, ...figures, left: this.#left[index] }));
  }
}

/**
 * Reads a script.
 * @throws {ControlRefusal} that names the step.
 */
export function parseScript(given: unknown, operations: ReadonlySet<string>): Step[] {
  if (!Array.isArray(given)) throw new ControlRefusal("`script` must be an array of steps");
  if (given.length > stepsMax) throw new ControlRefusal(`\`script\` must have at most ${stepsMax} steps`);
  return given.map((step, index) => {
    try {
      return parseStep(typeof step === "string" ? { fault: step } : step, operations);
    } catch (error) {
      throw error instanceof ControlRefusal ? new ControlRefusal(`step ${index + 1}: ${error.message}`) : error;
    }
  });
}

function parseStep(given: unknown, operations: ReadonlySet<string>): Step {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new ControlRefusal('must be an object such as {"fault": "rate_limited", "retry_after": 1}, or its name');
  const { operation = null, fault: name, times = 1, ...figures } = given as Record<string, unknown>;
  const fault: Fault | undefined = Object.hasOwn(faults, String(name)) ? faults[String(name)] : undefined;
  if (fault === undefined) throw new ControlRefusal("`fault` must be one of GET /sandbox/faults, or `pass`");
  if (operation !== null && !operations.has(String(operation)))
    throw new ControlRefusal("`operation` must be an operationId of the contract, or null for any");
  if (typeof times !== "number" || !Number.isSafeInteger(times) || times < 1 || times > timesMax)
    throw new ControlRefusal(`\`times\` must be a whole number from 1 to ${timesMax}`);
  return {
    operation: operation as OperationId | null,
    fault: String(name),
    times,
    figures: readFigures(fault, figures),
  };
}

function readFigures({ figures: known }: Fault, given: Record<string, unknown>): Figures {
  const stray = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (stray !== undefined) {
    const names = Object.keys(known);
    const takes = names.length === 0 ? "it takes no figure" : `it takes ${names.join(", ")}`;
    throw new ControlRefusal(`\`${stray}\` is not a figure of the fault; ${takes}`);
  }
  const entries = Object.entries(known).map(([name, figure]) => {
    const value = Object.hasOwn(given, name) ? given[name] : figure.fallback;
    if ((Object.hasOwn(given, name) || figure.isRequired === true) && !isValid(figure, value))
      throw new ControlRefusal(`\`${name}\` must be ${rangeOf(figure)}`);
    return [name, value] as const;
  });
  return Object.fromEntries(entries) as Figures;
}

function isValid(figure: Figure, value: unknown): boolean {
  if (value === null) return figure.isNullable === true;
  if ("words" in figure) return figure.words.includes(String(value));
  if ("isTaken" in figure) return figure.isTaken(value);
  return Number.isSafeInteger(value) && Number(value) >= figure.least && Number(value) <= figure.most;
}

/** Returns the values that a figure takes, in words. */
export function rangeOf(figure: Figure): string {
  const orNull = figure.isNullable === true ? ", or null" : "";
  if ("words" in figure) return `one of ${figure.words.join(", ")}${orNull}`;
  if ("takes" in figure) return `${figure.takes}${orNull}`;
  return `a whole number from ${figure.least} to ${figure.most}${orNull}`;
}
