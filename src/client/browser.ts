// The part of the client that pages run, joined into one file by `npm run generate`. It uses nothing of Node.
export { Calls } from "./calls.ts";
export { ItemtapeError, TransportError } from "./errors.ts";
export { requestOf } from "./request.ts";
export type * from "./types.ts";
