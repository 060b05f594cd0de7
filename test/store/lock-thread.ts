import { parentPort, workerData } from "node:worker_threads";
import { holdLock } from "../../src/store/file/lock.ts";

/** Asks once, from a thread of the test's process, for the server's lock of the named file and tells what came of it. */
try {
  holdLock(workerData, "serve").release();
  parentPort?.postMessage("held");
} catch (error) {
  parentPort?.postMessage((error as Error).message);
}
