import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { type Document, OpenAPIBackend, type Operation } from "openapi-backend";
import type { RequestDocument } from "./document.ts";

/** Words of an OpenAPI schema that say nothing to a JSON Schema validator. */
const openApiWords = ["example", "discriminator", "xml", "externalDocs"];

/** What a backend makes of a document, and its compiled validators. It never changes, and making it takes most of the time of a start. */
type Prepared = Pick<OpenAPIBackend, "definition" | "router" | "validator">;
const preparedOf = new WeakMap<RequestDocument, Prepared>();

/**
 * Creates an initialised openapi-backend over the document: the operations, their security and their validators. Handlers are
 * registered by the caller, every operationId needs one. Servers of one process share what is made of a document.
 */
export async function createBackend(document: RequestDocument): Promise<OpenAPIBackend> {
  const validators = new Map<string, Ajv2020>();
  const api = new OpenAPIBackend({
    definition: document as unknown as Document,
    strict: true,
    // Validators are then made when first asked for: a server never needs those of responses. The schema of OpenAPI 3.0,
    // which would refuse a 3.1 document, is skipped too.
    quick: true,
    ignoreTrailingSlashes: false,
    // The default is draft-07 without formats, created again for every operation.
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
  // It would be parsed once more, beside what is done here, and nothing asks for the result.
  api.loadDocument = () => Promise.resolve(api.document);
  await api.init();
  // Reads the document once: the router would list all operations again at each question.
  const operations = api.router.getOperations();
  api.router.getOperations = () => operations;
  const { definition, router, validator } = api;
  preparedOf.set(document, { definition, router, validator });
}

/** Returns the validators of an operation: of its body, where it takes one, then of its parameters. They are compiled when first asked for. */
export function requestValidators(api: OpenAPIBackend, operation: Operation): readonly ValidateFunction[] {
  const known = api.validator.requestValidators;
  const operationId = operation.operationId as string;
  // Dereferencing leaves one object in many places, which the validator's compiler would take for a circle.
  known[operationId] ??= api.validator.buildRequestValidatorsForOperation(unshared(operation));
  return (known[operationId] ?? []) as readonly ValidateFunction[];
}

function createAjv(): Ajv2020 {
  // The contract's own lint holds its schemas to the meta-schema: compiling that at each start would take a third of the time.
  const known = { validateSchema: false, meta: false } as const;
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: false, coerceTypes: false, ...known });
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addVocabulary(openApiWords);
  return ajv;
}

function unshared<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
