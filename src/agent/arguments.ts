import type { ErrorObject, ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { displayText } from "../values/display-text.ts";
import type { Node } from "./contract-view.ts";

const faultsShownMax = 5;
const valueCharsMax = 60;

/** Judges the arguments of one tool by its input schema, before anything is sent. Compiled at the first use. */
export class ArgumentCheck {
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
