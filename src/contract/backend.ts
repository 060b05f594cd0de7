import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { type Document, OpenAPIBackend, type Operation } from "openapi-backend";
import type { RequestDocument } from "./document.ts";

/** Keywords of OpenAPI schemas that have no meaning in JSON Schema. */
const openApiWords = ["example", "discriminator", "xml", "externalDocs"];

/**
 * Immutable parts of a backend that are derived from its document, including compiled validators. Deriving them is the slowest part of a
 * start.
 */
type Prepared = Pick<OpenAPIBackend, "definition" | "router" | "validator">;
const preparedOf = new WeakMap<RequestDocument, Prepared>();

/**
 * Creates an initialised openapi-backend for the document, with its operations, security and validators. The caller must register a handler
 * for each operationId. Backends of the same document share the derived parts.
 */
export async function createBackend(document: RequestDocument): Promise<OpenAPIBackend> {
  const validators = new Map<string, Ajv2020>();
  const api = new OpenAPIBackend({
    definition: document as unknown as Document,
    strict: true,
    // Compiles validators on first use: a server never needs the validators of responses. Also skips the OpenAPI 3.0 schema, which would
    // refuse a 3.1 document.
    quick: true,
    ignoreTrailingSlashes: false,
    // The library's default is draft-07 without formats, created anew for each operation.
    customizeAjv(_default, _options, context) {
      const known = validators.get(String(context)) ?? createAjv();
      validators.set(String(context), known);
      return known;
    },
  });
  api.validateDefinition = () => api.document;
  const known = preparedOf.get(document);
  if (known === undefined) await prepare(api, document);
  else Object.assign(api, known, { initialized: true });
  return api;
}

async function prepare(api: OpenAPIBackend, document: RequestDocument): Promise<void> {
  // Skips a second parse of the document with an unused result.
  api.loadDocument = () => Promise.resolve(api.document);
  await api.init();
  // Caches the list of operations, which the router would rebuild for each request.
  const operations = api.router.getOperations();
  api.router.getOperations = () => operations;
  const { definition, router, validator } = api;
  preparedOf.set(document, { definition, router, validator });
}

/** Returns the validators of an operation, compiled on first use: first the body's, if it has a body, then the parameters'. */
export function requestValidators(api: OpenAPIBackend, operation: Operation): readonly ValidateFunction[] {
  const known = api.validator.requestValidators;
  const operationId = operation.operationId as string;
  // Dereferencing shares objects between places, which the validator's compiler would treat as a cycle.
  known[operationId] ??= api.validator.buildRequestValidatorsForOperation(unshared(operation));
  return (known[operationId] ?? []) as readonly ValidateFunction[];
}

function createAjv(): Ajv2020 {
  // The lint checks the contract against the meta-schema. Compiling it at each start would cost a third of the time.
  const known = { validateSchema: false, meta: false } as const;
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: false, coerceTypes: false, ...known });
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addVocabulary(openApiWords);
  return ajv;
}

function unshared<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
