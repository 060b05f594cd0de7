// Verifies a dataset, apart from its building, because it needs no database.
import { openSource } from "../../releases/source.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { plural } from "../../values/text/counted.ts";
import type { Call } from "../command.ts";
import { printResult } from "../print.ts";
import { untilStopped } from "../signals.ts";
import { indexName, parseIndex } from "./index-file.ts";
import { sha256Of } from "./table-file.ts";

const indexBytesMax = 64 * 1024 * 1024;

/**
 * Runs `dataset verify`: compares every file of a dataset with the index.
 * @throws {OperatorError} when a file is missing or has other bytes; it names the first ones.
 */
export async function verify(call: Call): Promise<void> {
  const [place = ""] = call.operands;
  const { index, faults } = await untilStopped(async (signal) => {
    const source = openSource(place, signal);
    const text = await source.read(indexName, indexBytesMax);
    if (text === null) throw new OperatorError(`${place}: it has no ${indexName}`, exitCodes.noInput);
    const index = parseIndex(text.toString(), `${place}: ${indexName}`);
    const faults: string[] = [];
    for (const { path, bytes, sha256 } of index.files) {
      signal.throwIfAborted();
      const found = await source.read(path, bytes).catch((error: Error) => error);
      if (found === null) faults.push(`${path} is missing`);
      else if (found instanceof Error) faults.push(`${path}: ${found.message}`);
      else if (sha256Of(found) !== sha256) faults.push(`${path} has other bytes`);
    }
    return { index, faults };
  });
  if (faults.length > 0) {
    const more = faults.length > 3 ? ` and ${faults.length - 3} more` : "";
    throw new OperatorError(`${place}: ${faults.slice(0, 3).join(", ")}${more}`, exitCodes.badData);
  }
  const { generation, files, left_out, missing } = index;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const counts = { files: files.length, bytes, left_out: left_out.length, missing: missing.length };
  printResult(call, { place, generation, ...counts }, [
    `${place}: ${plural(files.length, "file")} of ${generation ?? "a market without prices"} match the index, ${bytes} bytes`,
    `${left_out.length} left out, ${plural(missing.length, "revision")} missing`,
  ]);
}
