// Part of the client for browsers, which `npm run generate` bundles into one file. It uses no Node modules.
export { Calls } from "./calls.ts";
export { ItemtapeError, TransportError } from "./errors.ts";
export { requestOf } from "./request.ts";
export type * from "./types.ts";
