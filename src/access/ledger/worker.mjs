import { importSource } from "../../launch.mjs";

await importSource("src/access/ledger/worker.ts");
