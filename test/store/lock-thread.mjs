import { parentPort, workerData } from "node:worker_threads";
import { register } from "tsx/esm/api";

/** Asks once for the server's lock of the file that is named and tells what came of it. */
register();
const { holdLock } = await import("../../src/store/lock.ts");
try {
  holdLock(workerData, "serve").release();
  parentPort.postMessage("held");
} catch (error) {
  parentPort.postMessage(error.message);
}
