import { importSource } from "../launch.mjs";

await importSource("src/dashboard/desk-worker.ts");
