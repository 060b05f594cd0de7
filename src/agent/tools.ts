import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import type { ErrorObject, ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { Contract } from "../contract/document.ts";
import { displayText } from "../values/display-text.ts";
import { type Argument, type Node, node, type OperationView, operationViews } from "./contract-view.ts";
import { describe } from "./descriptions.ts";
import { exportEnvelope } from "./export-schema.ts";
import { argumentItemsMax, cellsMax, rowsDefault, rowsMax, rowsMaxLeast } from "./limits.ts";
import { inlined, leavesOf, oneLine, shapeOf } from "./schemas.ts";

/** Maximum and default rows of one call. */
type RowBounds = { most: number; byDefault: number };

/** One operation as agents see it. `rows` is null where there is no `limit`. */
export type AgentTool = { view: OperationView; tool: Tool; rows: RowBounds | null; check: ArgumentCheck };

/** Schema of the count beside an answer whose rows did not all fit. */
const rowsLeftOut: Node = {
  type: "integer",
  minimum: 1,
  description: "Only in an answer that was too large: how many of its last rows are left out.",
};

/** A list of digests that only a program compares: days of the whole market are files. */
const withoutTool = "listHistoryDays";

/** Returns one tool for each operation of the contract that tells an agent something, by its name. */
export function agentTools(contract: Contract): ReadonlyMap<string, AgentTool> {
  const root = contract.document as unknown as Node;
  const views = operationViews(contract).filter(({ operationId }) => operationId !== withoutTool);
  return new Map(views.map((view) => [view.operationId, agentTool(root, view)]));
}

function agentTool(root: Node, view: OperationView): AgentTool {
  const rows = rowBounds(root, view);
  const inputSchema = inputOf(root, view, rows);
  const tool: Tool = {
    name: view.operationId,
    title: view.facts.summary,
    description: describe(view, rows),
    inputSchema,
    outputSchema: outputOf(root, view),
    annotations: {
      title: view.facts.summary,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
  return { view, tool, rows, check: new ArgumentCheck(view.operationId, inputSchema) };
}

/** Returns how many rows a call may ask for: as many as the contract allows within bounds, fewer where a row is wide. */
function rowBounds(root: Node, { arguments: given, envelope }: OperationView): RowBounds | null {
  const limit = given.find(({ name }) => name === "limit");
  if (limit === undefined) return null;
  const row = node(node(envelope?.properties).data).items;
  const fitting = Math.max(rowsMaxLeast, Math.floor(cellsMax / leavesOf(root, row)));
  const most = Math.min(rowsMax, fitting, Number(limit.schema.maximum));
  return { most, byDefault: Math.min(rowsDefault, most, Number(limit.schema.default)) };
}

function inputOf(root: Node, view: OperationView, rows: RowBounds | null): Tool["inputSchema"] {
  const properties = view.arguments.map((one) => [one.name, argumentSchema(root, view, one, rows)]);
  const required = view.arguments.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function argumentSchema(root: Node, view: OperationView, argument: Argument, rows: RowBounds | null): Node {
  const schema = inlined(root, argument.schema);
  const described = { ...schema, ...(argument.description !== "" && { description: oneLine(argument.description) }) };
  if (argument.name === "limit" && rows !== null) return { ...described, maximum: rows.most, default: rows.byDefault };
  const itemsMax = argumentItemsMax[view.operationId]?.[argument.name];
  if (itemsMax === undefined) return described;
  return { ...described, maxItems: itemsMax, description: `1 to ${itemsMax} of them: a bound of this tool.` };
}

function outputOf(root: Node, { envelope }: OperationView): NonNullable<Tool["outputSchema"]> {
  const schema = shapeOf(root, envelope ?? exportEnvelope);
  const properties = node(schema.properties);
  const isList = node(properties.data).type === "array";
  const all = isList ? { ...properties, rows_left_out: rowsLeftOut } : properties;
  return { ...schema, type: "object", properties: all as Record<string, object> };
}

const faultsShownMax = 5;
const valueCharsMax = 60;

/** Checks the arguments of one tool by its input schema, before anything is sent. Compiled at the first use. */
class ArgumentCheck {
  readonly #name: string;
  readonly #schema: Node;
  #validate: ValidateFunction | null = null;

  constructor(name: string, schema: Node) {
    this.#name = name;
    this.#schema = schema;
  }

  /** Lists what is wrong with the arguments, each naming its parameter; empty where nothing is. */
  faults(given: Node): string[] {
    this.#validate ??= compiler().compile(this.#schema);
    if (this.#validate(given)) return [];
    const faults = (this.#validate.errors ?? []).map((error) => this.#fault(error));
    return [...new Set(faults)].slice(0, faultsShownMax);
  }

  #fault({ keyword, instancePath, message, params }: ErrorObject): string {
    const where = instancePath === "" ? "" : `\`${named(instancePath)}\``;
    if (keyword === "additionalProperties") {
      const known = Object.keys(this.#schema.properties as Node);
      const takes = known.length === 0 ? "it takes none" : `it takes ${known.join(", ")}`;
      return `\`${displayText(String(params.additionalProperty), valueCharsMax)}\` is not a parameter of ${this.#name}; ${takes}`;
    }
    if (keyword === "required") return `\`${String(params.missingProperty)}\` is missing`;
    if (keyword === "enum") return `${where} must be one of ${(params.allowedValues as unknown[]).join(", ")}`;
    return `${where} ${message ?? "is not accepted"}`;
  }
}

let ajv: Ajv2020 | undefined;

function compiler(): Ajv2020 {
  if (ajv !== undefined) return ajv;
  ajv = new Ajv2020({ strict: false, allErrors: true });
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  return ajv;
}

/** `/item_ids/3` is `item_ids[3]`. */
function named(pointer: string): string {
  const [first = "", ...rest] = pointer.slice(1).split("/");
  return displayText(
    first + rest.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join(""),
    valueCharsMax,
  );
}
