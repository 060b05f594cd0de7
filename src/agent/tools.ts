import type { Tool } from "@modelcontextprotocol/server";
import { type Argument, answerPaths } from "../contract/answer-paths.ts";
import { ArgumentCheck } from "./arguments.ts";
import { isShown } from "./columns.ts";
import { type Node, type OperationView, operationViews } from "./contract-view.ts";
import { describe, seeFinder } from "./descriptions.ts";
import { cellsMax, rowsDefault, rowsMax, rowsMaxLeast } from "./limits.ts";
import { inlined, listed, oneLine } from "./schemas.ts";

/** Maximum and default rows of one call. */
type RowBounds = { most: number; byDefault: number };

/** One operation as a tool. `rows` is null without a `limit` argument. */
export type AgentTool = {
  view: OperationView;
  tool: Tool;
  rows: RowBounds | null;
  check: ArgumentCheck;
  /** True if `name` may replace `item_id`. */
  takesName: boolean;
};

/** The argument that selects an item by its name. */
export const nameArgument: Node = {
  type: "string",
  minLength: 1,
  maxLength: 120,
  description: "Exact name, else words of it.",
};

/** Hints of every tool: it only reads. */
export const toolHints: NonNullable<Tool["annotations"]> = { readOnlyHint: true };

/** Argument of every operation with a JSON response. The instructions explain it. */
const fieldsArgument: Node = { type: "array", items: { type: "string", minLength: 1, maxLength: 100 }, minItems: 1 };

/** Returns one tool for each operation that agents may call, by name. */
export function agentTools(): ReadonlyMap<string, AgentTool> {
  return new Map(operationViews().map((view) => [view.operationId, agentTool(view)]));
}

function agentTool(view: OperationView): AgentTool {
  const rows = rowBounds(view);
  const schema = inputOf(view, rows);
  const tool: Tool = {
    name: view.operationId,
    description: describe(view),
    inputSchema: listed(schema) as Tool["inputSchema"],
    annotations: toolHints,
  };
  const paths = view.facts.isStream ? [] : answerPaths(view.facts, { intoLists: true });
  const takesName = takesItem(view);
  const oneOf = takesName ? ["item_id", "name"] : [];
  return { view, tool, rows, check: new ArgumentCheck(view.operationId, schema, paths, oneOf), takesName };
}

/** Returns the limits of rows for a call, within the contract's. Wide rows have a lower limit. */
function rowBounds({ arguments: given, facts, operationId }: OperationView): RowBounds | null {
  const limit = given.find(({ name }) => name === "limit");
  if (limit === undefined) return null;
  const columns = answerPaths(facts).filter((path) => isShown(operationId, path, null));
  const fitting = Math.max(rowsMaxLeast, Math.floor(cellsMax / columns.length));
  const most = Math.min(rowsMax, fitting, Number(limit.schema.maximum));
  return { most, byDefault: Math.min(rowsDefault, most, Number(limit.schema.default)) };
}

function inputOf(view: OperationView, rows: RowBounds | null): Node {
  const properties = view.arguments.map((one) => [one.name, argumentSchema(one, rows)]);
  const takesName = takesItem(view);
  const required = view.arguments.filter(({ isRequired, name }) => isRequired && !(takesName && name === "item_id"));
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(properties),
      ...(takesName && { name: nameArgument }),
      ...(!view.facts.isStream && { fields: fieldsArgument }),
    },
    ...(required.length > 0 && { required: required.map(({ name }) => name) }),
    additionalProperties: false,
  };
}

function takesItem(view: OperationView): boolean {
  return view.arguments.some(({ name }) => name === "item_id");
}

function argumentSchema({ name, description, schema }: Argument, rows: RowBounds | null): Node {
  return {
    ...inlined(schema),
    ...(description !== "" && { description: seeFinder(name) ?? oneLine(description) }),
    ...(name === "limit" && rows !== null && { maximum: rows.most, default: rows.byDefault }),
  };
}
