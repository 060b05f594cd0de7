import { parentPort, workerData } from "node:worker_threads";
import { sendingEvents } from "./mirror-events.ts";
import { type MirrorSetup, systemMirror } from "./mirror-setup.ts";

/** The thread of a server's mirror. Any message ends it in good order. */
async function work(port: NonNullable<typeof parentPort>): Promise<void> {
  const ending = new AbortController();
  port.once("message", () => ending.abort());
  const events = sendingEvents((message) => port.postMessage(message));
  try {
    await systemMirror(workerData as MirrorSetup, events, ending.signal).run();
  } finally {
    port.close();
  }
}

if (parentPort !== null) await work(parentPort);
