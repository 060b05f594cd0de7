import { createRequire } from "node:module";
import { join } from "node:path";
import { repositoryRoot } from "../contract/document.ts";
import { type Call, declared, type Form, given, type Parameter } from "./calls.ts";

/** What a request is made with: expressions by the name of the parameter. Names that a call leaves out are absent. */
export type Values = {
  path: Record<string, string>;
  query: Record<string, string>;
  header: Record<string, string>;
  body: string | null;
  /** Expression of the key, null for nobody. */
  key: string | null;
};

/** Where a generator finds the document and the server. */
export type Place = { document: string; base: string };

/** One generator, and how its SDK is used: everything else about the check is the same for all of them. */
export type Generator = {
  name: string;
  /** What makes and runs the SDK; the first one's version is shown. */
  packages: readonly [string, ...string[]];
  /** Files that it wants beside the document, by name. */
  files(place: Place): Record<string, string>;
  /** Its command lines: the module to run in Node and its arguments. */
  runs: readonly (readonly [script: string, ...words: string[]])[];
  /** Statements at the head of the caller; `base` is the server's origin. */
  head: string;
  /** Expression that makes a request and promises the SDK's answer. */
  request(call: Call, values: Values): string;
  /** Statements that make `body`, what the SDK hands over, out of `answer`; `refused` throws. */
  success(call: Call): string;
  /** Statements that make `problem`, typed by the SDK, out of a request that is refused. */
  problem(call: Call, values: Values): string;
  /** Expression of a validator of a successful answer with `safeParse`; null where there is none. */
  validator(call: Call): string | null;
  /** Whether its types keep the value of a `const`. */
  keepsConst: boolean;
  /** What it does wrong whatever the document says; null: nothing. */
  note: string | null;
};

/** `{ a: 1, "b-c": 2 }` of expressions by name. */
export function objectOf(values: Record<string, string>, rename = (name: string) => name): string {
  const entries = Object.entries(values).map(([name, value]) => `${JSON.stringify(rename(name))}: ${value}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** Path of a package's own script. */
export function scriptOf(name: string, path: string): string {
  return join(repositoryRoot, "node_modules", name, path);
}

export function versionOf(name: string): string {
  const { version } = createRequire(import.meta.url)(`${repositoryRoot}node_modules/${name}/package.json`) as {
    version: string;
  };
  return version;
}

/** Expressions of the request that a call makes. */
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

export function declares(call: Call, place: Parameter["in"]): boolean {
  return declared(call, place).length > 0;
}

/** `item_id` as `itemId`. */
export function camelCase(name: string): string {
  const [first = "", ...rest] = name.split(/[^a-zA-Z0-9]+/);
  return (
    first.charAt(0).toLowerCase() +
    first.slice(1) +
    rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")
  );
}

/** `getItem` as `GetItem`. */
export function pascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Header that a key travels in, as an object to spread. */
export function authorization(key: string | null): Record<string, string> {
  return key === null ? {} : { Authorization: `\`Bearer \${${key}}\`` };
}
