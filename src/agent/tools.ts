import type { Tool } from "@modelcontextprotocol/server";
import type { ErrorObject, ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { holdsKey } from "../client/redaction.ts";
import { type Argument, answerPaths } from "../contract/answer-paths.ts";
import { displayText } from "../values/text/display-text.ts";
import { meantValue } from "../values/text/meant-value.ts";
import { perhaps } from "../values/text/suggestion.ts";
import { fieldFaults, isShown } from "./columns.ts";
import { type Node, type OperationView, operationViews } from "./contract-view.ts";
import { describe, finderOf } from "./descriptions.ts";
import { cellsMax, rowsDefault, rowsMax, rowsMaxLeast } from "./limits.ts";
import { inlined, listed, oneLine } from "./schemas.ts";

/** Maximum and default rows of one call. */
type RowBounds = { most: number; byDefault: number };

/** One operation as agents see it. `rows` is null where there is no `limit`. */
export type AgentTool = { view: OperationView; tool: Tool; rows: RowBounds | null; check: ArgumentCheck };

/** What is true of every tool: it reads, and reads what this service holds. */
export const toolHints: NonNullable<Tool["annotations"]> = { readOnlyHint: true, openWorldHint: false };

/** Argument of every operation that answers with JSON; the instructions explain it. */
const fieldsArgument: Node = { type: "array", items: { type: "string", minLength: 1, maxLength: 100 }, minItems: 1 };

/** Returns one tool for each operation that agents may call, by its name. */
export function agentTools(): ReadonlyMap<string, AgentTool> {
  return new Map(operationViews().map((view) => [view.operationId, agentTool(view)]));
}

function agentTool(view: OperationView): AgentTool {
  const rows = rowBounds(view);
  const schema = inputOf(view, rows);
  const tool: Tool = {
    name: view.operationId,
    title: view.facts.summary,
    description: describe(view, rows),
    inputSchema: listed(schema) as Tool["inputSchema"],
    annotations: toolHints,
  };
  const paths = view.facts.isStream ? [] : answerPaths(view.facts, { intoLists: true });
  return { view, tool, rows, check: new ArgumentCheck(view.operationId, schema, paths) };
}

/** Returns how many rows a call may ask for: as many as the contract allows within bounds, fewer where a row is wide. */
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
  const required = view.arguments.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: "object",
    properties: { ...Object.fromEntries(properties), ...(!view.facts.isStream && { fields: fieldsArgument }) },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function argumentSchema({ name, description, schema }: Argument, rows: RowBounds | null): Node {
  return {
    ...inlined(schema),
    ...(description !== "" && { description: oneLine(description) }),
    ...(name === "limit" && rows !== null && { maximum: rows.most, default: rows.byDefault }),
  };
}

const faultsShownMax = 5;
const valueCharsMax = 60;

/** Checks the arguments of one tool by its input schema, before anything is sent. Compiled at the first use. */
export class ArgumentCheck {
  readonly #name: string;
  readonly #schema: Node;
  readonly #paths: readonly string[];
  #validate: ValidateFunction | null = null;

  /** `paths`: the names that the argument \`fields\` may hold. */
  constructor(name: string, schema: Node, paths: readonly string[] = []) {
    this.#name = name;
    this.#schema = schema;
    this.#paths = paths;
  }

  /** Returns the arguments with each text as the choice that it means, whatever its case: `covert` is `Covert`. */
  meant(given: Node): Node {
    const properties = this.#schema.properties as Readonly<Record<string, Node>>;
    const meant = (name: string, value: unknown) => {
      if (typeof value !== "string" || !Object.hasOwn(properties, name) || holdsKey(value, null)) return value;
      return meantValue(name, value, (properties[name]!.enum as readonly string[] | undefined) ?? null);
    };
    return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, meant(name, value)]));
  }

  /** Lists what is wrong with the arguments, each naming its parameter; empty where nothing is. */
  faults(given: Node): string[] {
    this.#validate ??= compiler().compile(this.#schema);
    if (this.#validate(given)) return fieldFaults((given.fields ?? []) as readonly string[], this.#paths);
    const faults = (this.#validate.errors ?? []).map((error) => this.#fault(error, given));
    return [...new Set(faults)].slice(0, faultsShownMax);
  }

  #fault({ keyword, instancePath, message, params }: ErrorObject, given: Node): string {
    const where = instancePath === "" ? "" : `\`${named(instancePath)}\``;
    if (keyword === "additionalProperties") {
      const known = Object.keys(this.#schema.properties as Node);
      const takes = known.length === 0 ? "it takes none" : `it takes ${known.join(", ")}`;
      return `\`${displayText(String(params.additionalProperty), valueCharsMax)}\` is not a parameter of ${this.#name}; ${takes}`;
    }
    if (keyword === "required") {
      const missing = String(params.missingProperty);
      return `\`${missing}\` is missing${finderOf(missing)}`;
    }
    if (keyword === "pattern") return `${where} is not written like one${wordedAs(instancePath, given)}`;
    if (keyword === "format") return `${where} must be a ${String(params.format)} such as 2026-01-31`;
    if (keyword === "enum") {
      const choices = (params.allowedValues as unknown[]).map(String);
      return `${where} must be one of ${choices.join(", ")}${perhaps(String(given[instancePath.slice(1)]), choices)}`;
    }
    return `${where} ${message ?? "is not accepted"}`;
  }
}

/** Names the tool that tells what a refused argument may be; a title is near to the slug that is made of it. */
function wordedAs(pointer: string, given: Node): string {
  const name = pointer.slice(1);
  const isName = (name === "slug" || name === "index_id") && !holdsKey(String(given[name]), null);
  const words = isName ? String(given[name]).toLowerCase() : "";
  const slug = words.replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
  return `${slug === "" ? "" : `, perhaps \`${displayText(slug, valueCharsMax)}\``}${finderOf(name)}`;
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
  const inner = rest.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`));
  return displayText(first + inner.join(""), valueCharsMax);
}
