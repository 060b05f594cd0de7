// Node 20 cannot read TypeScript in a thread either: tsx is registered first.
import { register } from "tsx/esm/api";

register();
await import("./ledger-worker.ts");
