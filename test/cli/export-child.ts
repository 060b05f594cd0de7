import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { PartFile } from "../../src/cli/export/part-file.ts";
import { type FormatName, formats } from "../../src/cli/export/run.ts";
import type { ExportStart } from "../../src/cli/export/writer.ts";
import { temporaryFolder } from "../support/files.ts";
import { type Item, items, lines } from "./export-server.ts";

/** Writes a large market in each of the given formats and prints the size of each file and the most bytes that buffers took meanwhile. */
const [count, names] = [Number(process.argv[2]), process.argv.slice(3) as FormatName[]];
const start = JSON.parse(lines[0]!) as ExportStart;
const folder = temporaryFolder();
const result: Record<string, { fileBytes: number; bufferBytesMost: number }> = {};
try {
  for (const format of names) result[format] = await write(format);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(JSON.stringify(result));

async function write(format: FormatName) {
  const part = new PartFile(join(folder, format), { mayReplace: false });
  const writer = await formats[format](part.path);
  let bufferBytesMost = 0;
  writer.start?.(start);
  for (let index = 1; index <= count; index += 1) {
    const item = large(index);
    writer.bytes?.(Buffer.from(`${JSON.stringify({ type: "item", data: item })}\n`));
    writer.item?.(item);
    if (index % 1000 === 0) bufferBytesMost = Math.max(bufferBytesMost, process.memoryUsage().arrayBuffers);
  }
  writer.finish({ start, items: count, quotes: 3 * count, digest: "0".repeat(64), digestChecked: true }, []);
  part.publish();
  return { fileBytes: statSync(join(folder, format)).size, bufferBytesMost };
}

/** Addresses that no other item has: they are most of the bytes. */
function large(index: number): Item {
  const [quote] = items[0]!.asks;
  const offer = (provider: string) => {
    const url = `https://example.com/${provider}/${(index ** 3).toString(36).repeat(16)}`;
    return { ...quote!, provider, amount: index, quantity: index, url };
  };
  const name = `Item ${index} (Field-Tested)`;
  return { ...items[0]!, item_id: index, market_hash_name: name, asks: [offer("a"), offer("b")], bids: [offer("c")] };
}
