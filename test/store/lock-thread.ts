import { parentPort, workerData } from "node:worker_threads";
import { holdLock } from "../../src/store/file/lock.ts";

/** Tries to get the server's lock of the named file, in a thread of the test's process. Posts the result. */
try {
  holdLock(workerData, "serve").release();
  parentPort?.postMessage("held");
} catch (error) {
  parentPort?.postMessage((error as Error).message);
}
