import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";
import { childProgram } from "../../scripts/support/child-program.ts";
import { describeLong } from "../support/size.ts";

const itemCount = 36_000;
const formats = ["ndjson", "csv", "parquet", "sqlite"];
const heapMib = 52;
const mib = 1024 * 1024;

describeLong("memory of an export", () => {
  it("does not grow with the market in any format", async () => {
    const child = childProgram(new URL("./export-child.ts", import.meta.url));
    const words = [`--max-old-space-size=${heapMib}`, ...child, String(itemCount), ...formats];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    const result: Record<string, { fileBytes: number; bufferBytesMost: number }> = JSON.parse(stdout);
    expect(Object.keys(result)).to.deep.equal(formats);
    for (const [format, { fileBytes, bufferBytesMost }] of Object.entries(result)) {
      // Parquet is compressed, but its contents are as large.
      if (format !== "parquet") expect(fileBytes, format).to.be.greaterThan((heapMib / 2) * mib);
      expect(bufferBytesMost, format).to.be.lessThan(48 * mib);
    }
  });
});
