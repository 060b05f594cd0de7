export type { OperationMethods } from "../../generated/client-methods.ts";
export {
  ExportError,
  type ExportReason,
  ItemtapeError,
  type RefusalFacts,
  TransportError,
  type TransportFacts,
  type TransportReason,
} from "./errors.ts";
export { Itemtape } from "./itemtape.ts";
export type * from "./types.ts";
