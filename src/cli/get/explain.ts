import { followed, type Schema } from "../../contract/answer-paths.ts";
import { exitCodes } from "../../values/failure/operator-error.ts";
import { operationNamed, parameterFacts, parametersOf, termsOf } from "./operations.ts";
import { refusalCodes } from "./refusal.ts";

/** Returns the lines of `itemtape get [OPERATION] --help` after the usage. */
export async function explain([name]: readonly string[]): Promise<readonly string[]> {
  return name === undefined ? general() : ["", ...ofOperation(name)];
}

function general(): string[] {
  return [
    "",
    "`npx itemtape get OPERATION --help` lists the parameters. A single parameter needs no name.",
    "A list is item_ids=1,2,3, a repeated name, JSON, or names=@FILE with an entry per line. A comma separates numbers only.",
    "Tables are cut to fit a terminal only. `-` is null, which means unknown, never zero.",
    "",
    ...codesText([[exitCodes.ok, "answered"], ...refusalCodes]),
  ];
}

/** Refers to the exit codes of all clients. */
export const otherCodes = "`npx itemtape help get` lists the others.";

/** Formats exit codes as lines. */
export function codesText(codes: readonly (readonly [code: number, meaning: string])[]): string[] {
  const sorted = [...codes].sort(([one], [other]) => one - other);
  return ["exit codes:", ...sorted.map(([code, meaning]) => `  ${String(code).padEnd(3)} ${meaning}`)];
}

function ofOperation(name: string): string[] {
  const { operationId, operation } = operationNamed(name);
  const facts = parameterFacts(operation);
  const parameters = Object.entries(parametersOf(operation)).map(([parameter, kind]) => {
    const { description = "", schema = {} } = facts.get(parameter) ?? {};
    const bounds = [operation.required.includes(parameter) ? "required" : "", kind, ...boundsOf(schema)];
    return [parameter, bounds.filter((one) => one !== "").join(", "), description.replace(/\s+/g, " ").trim()] as const;
  });
  const width = Math.max(0, ...parameters.map(([parameter]) => parameter.length));
  return [
    `${operationId} (${operation.method} ${operation.path}): ${operation.summary}`,
    `${termsOf(operation)}${operation.paging === null ? "" : "; a list of pages, which --all follows"}`,
    ...(parameters.length === 0 ? ["no parameters"] : []),
    ...parameters.flatMap(([parameter, bounds, description]) => [
      `  ${parameter.padEnd(width)}  ${bounds}`,
      ...(description === "" ? [] : [`  ${"".padEnd(width)}  ${description}`]),
    ]),
  ];
}

const forms: Readonly<Record<string, string>> = { date: "YYYY-MM-DD", "date-time": "YYYY-MM-DDTHH:MM:SSZ" };

function boundsOf(schema: Schema): string[] {
  const { enum: choices, minimum, maximum, minLength, maxLength, minItems, maxItems, format, items } = schema;
  const inner = items === undefined ? [] : boundsOf(followed(items as Schema)).map((bound) => `each ${bound}`);
  return [
    ...(Array.isArray(choices) ? [`one of ${choices.join(", ")}`] : []),
    ...range(minimum, maximum, ""),
    ...range(minLength, maxLength, " characters"),
    ...range(minItems, maxItems, " entries"),
    ...(typeof format === "string" && format in forms ? [forms[format]!] : []),
    ...inner,
    ...(schema.default === undefined ? [] : [`default ${String(schema.default)}`]),
  ];
}

function range(least: unknown, most: unknown, what: string): string[] {
  if (least === undefined && most === undefined) return [];
  if (least === undefined) return [`at most ${most}${what}`];
  return [most === undefined ? `from ${least}${what}` : `${least} to ${most}${what}`];
}
