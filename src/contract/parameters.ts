import type { ErrorObject, ValidateFunction } from "ajv";
import { Failure } from "../values/failure/failure.ts";
import { bodyFailure, nameInDetail, parameterFailure } from "./violations.ts";

/** A parameter of the dereferenced document. */
export type ParameterDefinition = {
  name: string;
  in: string;
  required?: boolean;
  schema?: { type?: unknown };
};

type Value = string | number | boolean | readonly number[];
/** Parses the text of a value; `read` returns null for an invalid form. `form` describes the required form. */
type Reader = { readonly form: string; readonly read: (text: string) => Value | null };
type Parameter = { readonly name: string; readonly reader: Reader };
type Values = Record<string, Value>;

const canonicalInteger = /^(0|[1-9][0-9]*)$/;
/** Readers by schema type. All arrays of the contract's parameters contain integers. */
const readers: Readonly<Record<string, Reader>> = {
  string: { form: "text", read: (text) => text },
  integer: { form: "a canonical decimal integer", read: (text) => integerOf(text) },
  boolean: { form: "true or false", read: (text) => (/^(?:true|false)$/.test(text) ? text === "true" : null) },
  array: { form: "canonical decimal integers with commas between them", read: (text) => integersOf(text) },
};
const noValues: Values = Object.freeze({});

/**
 * Converts path segments and the query string of one operation into one flat object. Integers, booleans and lists must have canonical form
 * before validation. Query keys must be known, and unique except for lists.
 * @throws {Failure} `invalid_parameter` if a value is refused.
 */
export class ParameterReader {
  readonly #path: readonly Parameter[];
  readonly #query: ReadonlyMap<string, Parameter>;
  readonly #validator: () => ValidateFunction;
  readonly #alwaysValidate: boolean;

  /** `validator` is called only if there are values to check. */
  constructor(template: string, definitions: readonly ParameterDefinition[], validator: () => ValidateFunction) {
    const byName = new Map(definitions.map((one) => [`${one.in} ${one.name}`, one]));
    this.#path = [...template.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => {
      const definition = byName.get(`path ${name}`);
      if (definition === undefined) throw new Error(`${template}: parameter ${name} is not declared`);
      return compile(definition);
    });
    const inQuery = definitions.filter((one) => one.in === "query");
    this.#query = new Map(inQuery.map((one) => [one.name, compile(one)]));
    this.#validator = validator;
    this.#alwaysValidate = this.#path.length > 0 || inQuery.some((one) => one.required === true);
  }

  /** Reads percent-encoded `segments` and the `query` after `?` (null without one). The caller has checked their encoding. */
  read(segments: readonly string[], query: string | null): Values {
    const noQuery = query === null || query === "";
    if (noQuery && !this.#alwaysValidate) return noValues;
    const path: Values = {};
    for (let index = 0; index < this.#path.length; index += 1) {
      const parameter = this.#path[index] as Parameter;
      path[parameter.name] = typed("path parameter", parameter, decoded(segments[index] as string));
    }
    const given = noQuery ? noValues : this.#readQuery(query);
    const validate = this.#validator();
    if (!validate({ path, query: given })) throw parameterFailure(firstOf(validate));
    return noQuery ? path : Object.assign(path, given);
  }

  #readQuery(query: string): Values {
    const given: Values = {};
    for (const pair of query.split("&")) {
      if (pair === "") throw invalid("query string: has an empty parameter");
      const equals = pair.indexOf("=");
      const name = decodedForm(equals === -1 ? pair : pair.slice(0, equals));
      const parameter = this.#query.get(name);
      if (parameter === undefined) throw invalid(`query parameter ${nameInDetail(name)}: is not known`);
      const value = typed("query parameter", parameter, equals === -1 ? "" : decodedForm(pair.slice(equals + 1)));
      const earlier = Object.hasOwn(given, name) ? given[name] : undefined;
      // Many client generators repeat the name of a list, even if its style forbids it.
      if (Array.isArray(earlier) && Array.isArray(value)) earlier.push(...value);
      else if (earlier !== undefined) throw invalid(`query parameter \`${name}\`: must be given once`);
      else given[name] = value;
    }
    return given;
  }
}

/**
 * Checks a parsed JSON body. Pass undefined for a missing body.
 * @throws {Failure} `invalid_body` or `batch_limit_exceeded`.
 */
export function checkBody(validate: ValidateFunction, body: unknown): void {
  if (!validate(body === undefined ? {} : { requestBody: body })) throw bodyFailure(firstOf(validate));
}

function compile(definition: ParameterDefinition): Parameter {
  const reader = readers[String(definition.schema?.type)];
  if (reader === undefined) throw new Error(`parameter ${definition.name}: its type cannot be read`);
  return { name: definition.name, reader };
}

function typed(place: string, { name, reader }: Parameter, text: string): Value {
  const value = reader.read(text);
  if (value === null) throw invalid(`${place} \`${name}\`: must be ${reader.form}`);
  return value;
}

function integerOf(text: string): number | null {
  return canonicalInteger.test(text) ? Number(text) : null;
}

function integersOf(text: string): number[] | null {
  const values = text.split(",").map(integerOf);
  return values.includes(null) ? null : (values as number[]);
}

function decoded(text: string): string {
  return text.includes("%") ? decodeURIComponent(text) : text;
}

function decodedForm(text: string): string {
  return decoded(text.includes("+") ? text.replaceAll("+", " ") : text);
}

function firstOf(validate: ValidateFunction): ErrorObject {
  const error = validate.errors?.[0];
  if (error === undefined) throw new Error("the validator refused without a reason");
  return error;
}

function invalid(detail: string): Failure {
  return new Failure("invalid_parameter", { detail });
}
