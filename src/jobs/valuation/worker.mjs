import { importSource } from "../../launch.mjs";

await importSource("src/jobs/valuation/worker.ts");
