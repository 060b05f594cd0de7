import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { createDatabase } from "../../src/store/file/file.ts";
import type { Ids } from "../../src/values/ids.ts";
import { quickFolder } from "../support/files.ts";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Creates a folder in memory if the system has one. The runs test logic, not disks. */
export function simulationFolder(): string {
  const folder = mkdtempSync(join(quickFolder(), "itemtape-simulation-"));
  createDatabase(join(folder, "empty.db"), () => {});
  return folder;
}

/** Counts ids and secrets up, so that a run repeats exactly. */
export function countedIds(): Ids {
  let count = 0;
  const next = (length: number) => {
    count += 1;
    let digits = "";
    for (let rest = count * 7_919 + 104_729; digits.length < length; rest = rest * 31 + 17) {
      digits += base62.charAt(rest % 62);
      rest %= 1_000_003;
    }
    return digits.slice(0, length - 8) + String(count).padStart(8, "0");
  };
  return { requestId: () => `req_${next(26)}`, handle: (prefix) => prefix + next(20), secret: next };
}
