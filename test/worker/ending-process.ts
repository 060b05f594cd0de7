import { once } from "node:events";
import { serveProcess } from "../../src/worker/process.ts";

// Apart, because it is a process: it replies, ends, or waits for its end.
serveProcess(async ({ how }: { how: string }, closing) => {
  if (how === "exit") process.exit(3);
  if (how === "wait") await once(closing, "abort");
  return { signal: process.kill(process.pid, "SIGTERM"), secret: process.env.ITEMTAPE_SECRET ?? null };
});
