import type { OperationId } from "../contract/types.ts";
import type { Fault, Figure, Figures } from "./faulted-request.ts";
import { faults } from "./faults.ts";

/** Maximum number of steps in one script. */
const stepsMax = 1000;
/** Maximum repeats of one step. It exceeds any run of a client. */
const timesMax = 1_000_000;

/** One step of a script. The next `times` requests of `operation` (null for any) receive the fault. `pass` means no fault. */
export type Step = { operation: OperationId | null; fault: string; times: number; figures: Figures };

/** Thrown for an invalid script or another invalid control API request. */
export class ControlRefusal extends Error {
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

/** A script and its progress. */
export class Script {
  readonly steps: readonly Step[];
  #left: number[];

  constructor(steps: readonly Step[]) {
    this.steps = steps;
    this.#left = steps.map(({ times }) => times);
  }

  /** Uses one repeat of the first open step for `operation`. Returns null if the request passes without a fault. */
  take(operation: string | null): Step | null {
    const index = this.steps.findIndex(
      (step, at) => this.#left[at]! > 0 && (step.operation === null || step.operation === operation),
    );
    if (index === -1) return null;
    this.#left[index] = this.#left[index]! - 1;
    return this.steps[index]!;
  }

  /** Restarts the script. */
  restart(): void {
    this.#left = this.steps.map(({ times }) => times);
  }

  /** Returns the steps as the control API shows them. `left` is the number of remaining repeats. */
  shown(): object[] {
    return this.steps.map(({ figures, ...step }, index) => ({ ...step, ...figures, left: this.#left[index] }));
  }
}

/**
 * Parses a script.
 * @throws {ControlRefusal} naming the invalid step.
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
    const takes = names.length === 0 ? "it has no figures" : `it has ${names.join(", ")}`;
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
  if ("accepts" in figure) return figure.accepts(value);
  return Number.isSafeInteger(value) && Number(value) >= figure.least && Number(value) <= figure.most;
}

/** Returns the valid values of a figure as text. */
export function rangeOf(figure: Figure): string {
  const orNull = figure.isNullable === true ? ", or null" : "";
  if ("words" in figure) return `one of ${figure.words.join(", ")}${orNull}`;
  if ("takes" in figure) return `${figure.takes}${orNull}`;
  return `a whole number from ${figure.least} to ${figure.most}${orNull}`;
}
