import { importSource } from "../../launch.mjs";

await importSource("src/jobs/roi/worker.ts");
