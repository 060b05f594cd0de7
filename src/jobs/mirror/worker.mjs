import { importSource } from "../../launch.mjs";

await importSource("src/jobs/mirror/worker.ts");
