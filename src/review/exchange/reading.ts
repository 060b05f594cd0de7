import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { isNode, type Node, node } from "../document.ts";
import { pointed } from "../reference.ts";

/**
 * Reader of a value:
 * - `server` applies the whole contract
 * - `client` reads a JSON response, and ignores unknown keys
 * - `stream` reads a record of a stream, and refuses unknown keys
 *
 * All accept unknown values of an open list.
 */
export type Reader = "server" | "client" | "stream";

const readers: readonly Reader[] = ["server", "client", "stream"];
const left = new Set(["example", "examples", "discriminator", "default", "x-extensible-enum"]);

/** Validators of a document's schemas for each reader, compiled on first use. */
export class Reading {
  readonly #ajv: Ajv2020;
  readonly #document: Node;
  readonly #known = new Map<Reader, WeakMap<object, ValidateFunction>>();
  readonly #components = new Map<string, string>();

  constructor(document: Node) {
    this.#document = document;
    this.#ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false, unicodeRegExp: false });
    (addFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    for (const reader of readers) this.#known.set(reader, new WeakMap());
  }

  /** Returns whether the value fits the schema for this reader. */
  fits(schema: unknown, reader: Reader, value: unknown): boolean {
    if (!isNode(schema)) return schema !== false;
    return this.#validatorOf(schema, reader)(value) as boolean;
  }

  #validatorOf(schema: Node, reader: Reader): ValidateFunction {
    const known = this.#known.get(reader);
    const found = known?.get(schema);
    if (found !== undefined) return found;
    const validate = this.#ajv.compile(this.#written(schema, reader) as Node);
    known?.set(schema, validate);
    return validate;
  }

  /** Returns the schema in its form for one reader. References resolve to a separate schema per reader. */
  #written(value: unknown, reader: Reader): unknown {
    if (Array.isArray(value)) return value.map((entry) => this.#written(entry, reader));
    if (!isNode(value)) return value;
    const found: Node = {};
    for (const [key, child] of Object.entries(value)) {
      if (left.has(key)) continue;
      const isShut = child === false && (key === "additionalProperties" || key === "unevaluatedProperties");
      if (isShut && reader === "client") continue;
      if (key === "properties" || key === "$defs" || key === "patternProperties")
        found[key] = this.#each(child, reader);
      else if (key === "$ref") found.$ref = this.#referenceTo(String(child), reader);
      else if (key === "enum" || key === "const") found[key] = child;
      else found[key] = this.#written(child, reader);
    }
    return found;
  }

  #each(schemas: unknown, reader: Reader): Node {
    return Object.fromEntries(
      Object.entries(node(schemas)).map(([name, child]) => [name, this.#written(child, reader)]),
    );
  }

  #referenceTo(reference: string, reader: Reader): string {
    const key = `${reader} ${reference}`;
    const known = this.#components.get(key);
    if (known !== undefined) return known;
    const id = `schema:${this.#components.size}`;
    this.#components.set(key, id);
    this.#ajv.addSchema(this.#written(pointed(this.#document, reference), reader) as Node, id);
    return id;
  }
}
