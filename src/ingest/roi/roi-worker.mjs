import { importSource } from "../../launch.mjs";

await importSource("src/ingest/roi/roi-worker.ts");
