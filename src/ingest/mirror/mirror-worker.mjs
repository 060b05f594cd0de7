import { importSource } from "../../launch.mjs";

await importSource("src/ingest/mirror/mirror-worker.ts");
