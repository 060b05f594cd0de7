import { parentPort, workerData } from "node:worker_threads";
import { openReader, openWriter } from "../../store/database.ts";
import { systemIds } from "../../values/ids.ts";
import { DeskWork } from "./worker-handler.ts";
import type { DeskThreadSetup, FromDesk, ToDesk } from "./worker-messages.ts";

/** How long a change waits for another writer. It blocks this thread only. */
const busyMs = 750;

/** A thread of the dashboard: the one that writes for it, or the one that counts usage, whose handle cannot write. */
function work(port: NonNullable<typeof parentPort>): void {
  const { databasePath, role, ...setup } = workerData as DeskThreadSetup;
  const database = role === "usage" ? openReader(databasePath) : openWriter(databasePath, busyMs);
  const desk = new DeskWork({ database, ids: systemIds(), ...setup });
  const say = (message: FromDesk) => port.postMessage(message);
  const underWay = new Set<Promise<void>>();
  port.on("message", (message: ToDesk) => {
    if (message === "close") {
      void Promise.all(underWay).then(() => {
        database.$client.close();
        port.close();
      });
      return;
    }
    const answered = desk.answer(message).then(say);
    underWay.add(answered);
    void answered.then(() => underWay.delete(answered));
  });
  say("ready");
}

if (parentPort !== null) work(parentPort);
