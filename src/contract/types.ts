import type { components, operations } from "../../generated/openapi.d.ts";

/** Name of one operation of the contract. */
export type OperationId = keyof operations;

/** A code of the contract's list. */
export type ErrorCode = components["schemas"]["ErrorCode"];

/** A named schema of the contract. */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

/** Path and query parameters of an operation as one flat object (integers are numbers), with `body` where it takes one. */
export type Params<Id extends OperationId> = Flat<
  Given<operations[Id]["parameters"]["path"]> & Given<operations[Id]["parameters"]["query"]> & BodyOf<operations[Id]>
>;

/** `data` of a successful JSON answer; `never` for the export. */
export type Data<Id extends OperationId> = Envelope<Id> extends { data: infer Value } ? Value : never;

/** `meta` of a successful JSON answer. */
export type MetaOf<Id extends OperationId> = Envelope<Id> extends { meta: infer Value } ? Value : never;

/** The part of `meta` that a read makes: the API handler fills in the request and the instant. */
export type ReadMeta<Id extends OperationId> = Omit<MetaOf<Id>, "request_id" | "generated_at">;

type Envelope<Id extends OperationId> = operations[Id]["responses"][200] extends {
  content: { "application/json": infer Body };
}
  ? Body
  : never;

type Given<Part> = [NonNullable<Part>] extends [never] ? unknown : NonNullable<Part>;
type BodyOf<Operation> = Operation extends { requestBody: { content: { "application/json": infer Body } } }
  ? { body: Body }
  : unknown;
type Flat<Parts> = { [Key in keyof Parts]: Parts[Key] };
