import type { ErrorObject } from "ajv";
import { Failure } from "../values/failure/failure.ts";
import { plural } from "../values/text/counted.ts";

/** Converts a schema violation of a path or query parameter into a failure. */
export function parameterFailure(error: ErrorObject): Failure {
  const [, place, ...keys] = error.instancePath.split("/");
  const missing = error.keyword === "required";
  const parameter = missing ? String(error.params.missingProperty) : pathOf(keys);
  return new Failure("invalid_parameter", {
    detail: `${place === "path" ? "path" : "query"} parameter ${nameInDetail(parameter)}: ${violationText(error, parameter)}`,
  });
}

/** Converts a schema violation of a JSON body into a failure. */
export function bodyFailure(error: ErrorObject): Failure {
  const keys = error.instancePath.split("/").slice(2);
  if (error.keyword === "required" && error.params.missingProperty !== "requestBody") {
    keys.push(String(error.params.missingProperty));
  }
  if (error.keyword === "additionalProperties") keys.push(String(error.params.additionalProperty));
  const isBatchLimit = error.keyword === "maxItems" && keys.length === 1;
  const where = keys.length === 0 ? "request body" : `request body ${nameInDetail(pathOf(keys))}`;
  return new Failure(isBatchLimit ? "batch_limit_exceeded" : "invalid_body", {
    detail: `${where}: ${violationText(error, keys.at(-1) ?? "")}`,
  });
}

/** Quotes a name from the client only if it is short and printable. */
export function nameInDetail(name: string): string {
  return /^[A-Za-z0-9_.[\]-]{1,64}$/.test(name) ? `\`${name}\`` : "(unprintable or long name)";
}

/** `item_ids`, `3` → `item_ids[3]`. */
function pathOf(keys: readonly string[]): string {
  return keys.reduce((path, key) => (/^\d+$/.test(key) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`), "");
}

function violationText(error: ErrorObject, name: string): string {
  const { keyword, params } = error;
  switch (keyword) {
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return `must be ${params.comparison} ${params.limit}`;
    case "minLength":
      return `must have at least ${plural(Number(params.limit), "character")}`;
    case "maxLength":
      return `must have at most ${plural(Number(params.limit), "character")}`;
    case "minItems":
      return `must have at least ${plural(Number(params.limit), elementOf(name))}`;
    case "maxItems":
      return `must have at most ${plural(Number(params.limit), elementOf(name))}`;
    case "uniqueItems":
      return `must not repeat ${withArticle(elementOf(name))}`;
    case "enum":
      return `must be one of ${(params.allowedValues as unknown[]).join(", ")}`;
    case "const":
      return `must be ${String(params.allowedValue)}`;
    case "type":
      return `must be ${withArticle(String(params.type).replaceAll(",", " or "))}`;
    case "format":
      return `must be a valid ${params.format}`;
    case "pattern":
      return `must match the pattern ${params.pattern}`;
    case "required":
      return "is required";
    case "additionalProperties":
      return "is not known";
    default:
      return error.message ?? "is not valid";
  }
}

/** `item_ids` holds ids, `names` holds names. */
function elementOf(name: string): string {
  return name.split("_").at(-1)?.replace(/s$/, "") || "entry";
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}
