import { once } from "node:events";
import { Worker } from "node:worker_threads";

const pauseMs = 20;

/** In a thread of its own, which goes on while that of the mirror does something else. */
const source = `
  const { createServer } = require("node:http");
  const { parentPort, workerData: { start, rest, pauseMs } } = require("node:worker_threads");
  const server = createServer((_, res) => {
    res.write(start);
    const more = setInterval(() => res.write(" "), pauseMs);
    parentPort.once("message", () => {
      clearInterval(more);
      res.end(rest);
    });
  }).listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

/** Starts a source that answers with the start of a body and spaces, and with its rest when it is told to. */
export async function steadySource(start: string, rest: string) {
  const worker = new Worker(source, { eval: true, workerData: { start, rest, pauseMs } });
  const [port] = (await once(worker, "message")) as [number];
  const url = `http://127.0.0.1:${port}/steady`;
  return { url, sendRest: () => worker.postMessage("rest"), stop: () => worker.terminate() };
}
