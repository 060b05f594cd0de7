import type { Difference } from "./differences.ts";
import type { OperationView } from "./document-view.ts";
import type { Verdict } from "./finding.ts";
import { judgeSchema } from "./judge-schema.ts";
import { at, splitSchemaPath } from "./schema-path.ts";
import type { Side } from "./verdict.ts";

/** The same operation in both documents. */
export type Pair = { before: OperationView; after: OperationView };

/** What is said of one difference, and where in the operation it stands. */
export type Judgement = { place: string; verdicts: Verdict[] };

/** What a difference below a schema is, with the place as people write it. */
export function judgeBelowSchema(difference: Difference, pair: Pair, side: Side, place: string): Judgement {
  const depth = difference.path.indexOf("schema") + 1;
  const [root, path] = [difference.path.slice(0, depth), difference.path.slice(depth)];
  const views = { before: at(pair.before.tree, root), after: at(pair.after.tree, root) };
  const verdicts = judgeSchema({ ...difference, path }, { side, ...views });
  const { field } = splitSchemaPath(path);
  return { place: field === "" ? place : `${place}: ${field}`, verdicts };
}
