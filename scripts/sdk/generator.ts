import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Call, declared, type Form, given, type Parameter } from "./calls.ts";

/** Expressions for the parameters of a request, by name. Parameters that are not sent are absent. */
export type Values = {
  path: Record<string, string>;
  query: Record<string, string>;
  header: Record<string, string>;
  body: string | null;
  /** Expression for the key, null without a key. */
  key: string | null;
};

/** One generator and the use of its SDK. The rest of the check is the same for all generators. */
export type Generator = {
  name: string;
  /** Packages that generate and run the SDK. The report shows the version of the first. */
  packages: readonly [string, ...string[]];
  /** Returns further files for the generator beside the document, by name. `base`: the server's origin. */
  files(server: { base: string }): Record<string, string>;
  /** Its command lines: the module to run in Node and its arguments. */
  runs: readonly (readonly [script: string, ...words: string[]])[];
  /** Statements at the head of the caller; `base` is the server's origin. */
  head: string;
  /** Returns an expression that makes a request and resolves to the SDK's response. */
  request(call: Call, values: Values): string;
  /** Returns statements that set `body`, the SDK's result, from `answer`. */
  success(call: Call): string;
  /** Returns statements that set `problem`, typed by the SDK, from a refused request. */
  problem(call: Call, values: Values): string;
  /** Returns an expression for a validator of a successful response with `safeParse`, null without a validator. */
  validator(call: Call): string | null;
  /** True if its types preserve the value of a `const`. */
  keepsConst: boolean;
  /** Its known fault that no document can avoid, null without one. */
  note: string | null;
};

/** An SDK with responses that have `data`, or `error` after a refusal. */
export const dataOrError: Pick<Generator, "success" | "problem"> & ThisType<Generator> = {
  success: () => "const { data: body, error } = answer;\nif (body === undefined) throw refused(error);",
  problem(call, values) {
    return `const { error: problem } = await ${this.request(call, values)};\nif (problem === undefined) throw refused(null);`;
  },
};

/** Returns the statements of `problem` for an SDK with `status` and `data` in its responses. */
export function problemByStatus(request: string): string {
  return `const answer = await ${request};
if (answer.status !== 401) throw refused(answer);
const problem = answer.data;`;
}

/** Returns the non-empty entries of `places` as object literals. */
export function filledPlaces(places: Record<string, Record<string, string>>): Record<string, string> {
  const filled = Object.entries(places).filter(([, values]) => Object.keys(values).length > 0);
  return Object.fromEntries(filled.map(([name, values]) => [name, objectOf(values)]));
}

/** Writes an object literal such as `{ a: 1, "b-c": 2 }` from expressions by name. */
export function objectOf(values: Record<string, string>, rename = (name: string) => name): string {
  const entries = Object.entries(values).map(([name, value]) => `${JSON.stringify(rename(name))}: ${value}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** The folder with the generators' own manifest, lock file and packages. */
export const generatorsFolder = fileURLToPath(new URL(".", import.meta.url));

/** Returns the path of a package's own script. */
export function scriptOf(name: string, path: string): string {
  return join(generatorsFolder, "node_modules", name, path);
}

/** Returns the installed version of a package. */
export function versionOf(name: string): string {
  return (JSON.parse(readFileSync(scriptOf(name, "package.json"), "utf8")) as { version: string }).version;
}

/** Returns the expressions for the parameters of a call. */
export function valuesOf(call: Call, form: Form = "shown"): Values {
  const shown = (place: Parameter["in"]) =>
    Object.fromEntries(given(call, place, form).map(({ name, value }) => [name, JSON.stringify(value)]));
  return {
    path: shown("path"),
    query: shown("query"),
    header: {},
    body: call.body === null ? null : JSON.stringify(call.body),
    key: call.caller === "nobody" ? null : `keys.${call.caller}`,
  };
}

/** Returns the object of a place as an argument, or an empty list if the operation declares no parameter there. */
export function argumentOf(call: Call, place: Parameter["in"], values: Record<string, string>): string[] {
  return declared(call, place).length > 0 ? [objectOf(values)] : [];
}

/** Turns `item_id` into `itemId`. */
export function camelCase(name: string): string {
  const [first = "", ...rest] = name.split(/[^a-zA-Z0-9]+/);
  return (
    first.charAt(0).toLowerCase() +
    first.slice(1) +
    rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")
  );
}

/** Turns `getItem` into `GetItem`. */
export function pascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Returns the header of a key, as an object to spread. */
export function authorization(key: string | null): Record<string, string> {
  return key === null ? {} : { Authorization: `\`Bearer \${${key}}\`` };
}
