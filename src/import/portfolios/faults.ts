import { OperatorError } from "../../values/operator-error.ts";

/** What is wrong with one cell, or with a whole line where `column` is null. */
type Fault = { line: number; column: string | null; why: string };

const faultsTold = 20;

/** Collects what is wrong with a file, so that all of it is told at once: the faults that are told, and the number of them all. */
export class Faults {
  /** By line, then as they came. */
  readonly #told: Fault[] = [];
  #count = 0;

  /** `why` may be a function: it is called only for a fault that is kept, and a file can have millions. */
  add(line: number, column: string | null, why: string | (() => string)): void {
    this.#count += 1;
    const last = this.#told.at(-1);
    if (this.#told.length === faultsTold && line >= last!.line) return;
    const fault = { line, column, why: typeof why === "string" ? why : why() };
    const place = this.#told.findLastIndex((one) => one.line <= line) + 1;
    this.#told.splice(place, 0, fault);
    if (this.#told.length > faultsTold) this.#told.pop();
  }

  get count(): number {
    return this.#count;
  }

  /** Throws `OperatorError` that tells the first faults by line, if there are any. */
  refuse(name: string): void {
    if (this.count === 0) return;
    const told = this.#told.map(
      ({ line, column, why }) => `  line ${line}${column === null ? "" : `, column ${column}`}: ${why}`,
    );
    const more = this.count > faultsTold ? [`  and ${this.count - faultsTold} more`] : [];
    const head = `${name}: ${this.count === 1 ? "1 fault" : `${this.count} faults`}; the file was refused as a whole and nothing was changed`;
    throw new OperatorError([head, ...told, ...more].join("\n"));
  }
}
