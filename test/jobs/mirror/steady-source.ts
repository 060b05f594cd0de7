import { once } from "node:events";
import { Worker } from "node:worker_threads";

const pauseMs = 20;

/** Runs in its own thread, so that it continues while the mirror's thread is busy. */
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

/** Starts a source that responds with the start of a body and spaces, and sends the rest on request. */
export async function steadySource(start: string, rest: string) {
  const worker = new Worker(source, { eval: true, workerData: { start, rest, pauseMs } });
  const [port] = (await once(worker, "message")) as [number];
  const url = `http://127.0.0.1:${port}/steady`;
  return { url, sendRest: () => worker.postMessage("rest"), stop: () => worker.terminate() };
}
