import type { components, operations } from "../../generated/openapi.d.ts";

/** Name of an operation of the contract. */
export type OperationId = keyof operations;

/** An error code of the contract. */
export type ErrorCode = components["schemas"]["ErrorCode"];

/** A named schema of the contract. */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

/** Path and query parameters of an operation as one flat object (integers are numbers), plus `body` if it has one. */
export type Params<Id extends OperationId> = Flat<
  Given<operations[Id]["parameters"]["path"]> & Given<operations[Id]["parameters"]["query"]> & BodyOf<operations[Id]>
>;

/** `data` of a successful JSON response; `never` for exports. */
export type Data<Id extends OperationId> = Envelope<Id> extends { data: infer Value } ? Value : never;

/** `meta` of a successful JSON response. */
export type MetaOf<Id extends OperationId> = Envelope<Id> extends { meta: infer Value } ? Value : never;

/** `meta` as a read returns it. The API handler adds the request id and the instant. */
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
