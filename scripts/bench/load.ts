import { answerCalls } from "./channel.ts";
import { type AskOrder, ask } from "./compression/asker.ts";
import { type DownloadOrder, download } from "./load/downloads.ts";
import { type PointOrder, PointReaders } from "./load/point-readers.ts";

/** The load generator, in a process of its own. */
let readers: PointReaders | null = null;

answerCalls(
  {
    async openReaders(order: PointOrder): Promise<void> {
      readers?.close();
      readers = await PointReaders.open(order);
    },
    read: (seconds: number) => readers?.run(seconds),
    closeReaders() {
      readers?.close();
      readers = null;
    },
    download: (order: DownloadOrder) => download(order),
    ask: (order: AskOrder) => ask(order),
  },
  () => readers?.close(),
);
