import { importSource } from "../../launch.mjs";

await importSource("src/access/owners/worker.ts");
