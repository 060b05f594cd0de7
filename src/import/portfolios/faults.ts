import { OperatorError } from "../../values/failure/operator-error.ts";

/** A fault of one field, or of a whole line where `column` is null. */
type Fault = { line: number; column: string | null; why: string };

const faultsReportedMax = 20;

/** Collects the faults of a file, so that all of them are reported at once: the first by line, and the number of all. */
export class Faults {
  /** The file's name. */
  readonly name: string;
  readonly place: string;
  /** By line, then as they came. */
  readonly #first: Fault[] = [];
  #count = 0;

  /** `place`: what `line` counts. */
  constructor(name: string, place = "line") {
    this.name = name;
    this.place = place;
  }

  /** `why` may be a function: it is called only for a fault that is kept, and a file can have millions. */
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
   * `hint`: a last line that tells the way out; "" for none.
   *
   * @throws {OperatorError} with the first faults by line, if there are any.
   */
  refuse(hint = ""): void {
    if (this.count === 0) return;
    const lines = this.#first.map(
      ({ line, column, why }) => `  ${this.place} ${line}${column === null ? "" : `, column ${column}`}: ${why}`,
    );
    const more = this.count > faultsReportedMax ? [`  and ${this.count - faultsReportedMax} more`] : [];
    const head = `${this.name}: ${this.count === 1 ? "1 fault" : `${this.count} faults`}; the file was refused as a whole and nothing was changed`;
    throw new OperatorError([head, ...lines, ...more, ...(hint === "" ? [] : [`  ${hint}`])].join("\n"));
  }
}
