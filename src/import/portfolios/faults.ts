import { OperatorError } from "../../values/failure/operator-error.ts";

/** A fault in one field, or in a whole line if `column` is null. */
type Fault = { line: number; column: string | null; why: string };

const faultsReportedMax = 20;

/** Collects the faults of a file, so that all are reported together: the first ones by line, and the total number. */
export class Faults {
  /** Name of the file. */
  readonly name: string;
  readonly place: string;
  /** Sorted by line, then by order of discovery. */
  readonly #first: Fault[] = [];
  #count = 0;

  /** `place` is the unit that `line` counts. */
  constructor(name: string, place = "line") {
    this.name = name;
    this.place = place;
  }

  /** Adds a fault. `why` may be a function, which is called only for reported faults: a file may have millions. */
  add(line: number, column: string | null, why: string | (() => string)): void {
    this.#count += 1;
    const last = this.#first.at(-1);
    if (this.#first.length === faultsReportedMax && line >= last!.line) return;
    const fault = { line, column, why: typeof why === "string" ? why : why() };
    const place = this.#first.findLastIndex((one) => one.line <= line) + 1;
    this.#first.splice(place, 0, fault);
    if (this.#first.length > faultsReportedMax) this.#first.pop();
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Throws if there are faults. `hint` is a last line with a way out; pass "" for none.
   *
   * @throws {OperatorError} with the first faults by line.
   */
  refuse(hint = ""): void {
    if (this.count === 0) return;
    const lines = this.#first.map(
      ({ line, column, why }) => `  ${this.place} ${line}${column === null ? "" : `, column ${column}`}: ${why}`,
    );
    const more = this.count > faultsReportedMax ? [`  and ${this.count - faultsReportedMax} more`] : [];
    const head = `${this.name}: ${this.count === 1 ? "1 fault" : `${this.count} faults`}; the whole file was refused and nothing was changed`;
    throw new OperatorError([head, ...lines, ...more, ...(hint === "" ? [] : [`  ${hint}`])].join("\n"));
  }
}
