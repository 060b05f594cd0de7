import { workerData } from "node:worker_threads";
import { importSource } from "../launch.mjs";

await importSource(workerData.entry, "thread");
