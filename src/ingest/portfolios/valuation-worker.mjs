import { importSource } from "../../launch.mjs";

await importSource("src/ingest/portfolios/valuation-worker.ts");
