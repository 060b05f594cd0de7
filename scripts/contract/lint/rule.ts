import type { Node } from "../document.ts";

/** A place in the document, which the linter turns into a line and a column. */
type Location = {
  readonly pointer: string;
  readonly source: { readonly body: string };
  child(keys: string | readonly (string | number)[]): Location;
};

/** A place in the text, with lines and columns from 1. `pointer` is undefined, because the linter would prefer it. */
type TextLocation = {
  pointer: undefined;
  source: Location["source"];
  start: { line: number; col: number };
};

/** The part of the linter's context that the rules use. */
export type Context = {
  readonly location: Location;
  report(problem: { message: string; location?: Location | TextLocation }): void;
  /** Follows a `$ref`, or returns the node itself. `node` is undefined if the target does not exist. */
  resolve(value: unknown): { node?: unknown };
};

type Visit = (found: Node, context: Context) => void;

/**
 * Creates the visitor of a rule: functions by type of node, `ref` for references. References are followed, and each node is visited once.
 */
export type Rule = () => { [type: string]: Visit };
