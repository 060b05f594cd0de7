import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { openWriter, writeTransaction } from "../../src/store/database.ts";
import { useWorld } from "../support/world.ts";

describe("write transactions", () => {
  const world = useWorld({ fewItems: true });

  it("fail before reading anything if another writer is active", () => {
    const release = world.lockFile();
    const database = openWriter(world.path, 0);
    let entered = false;
    expect(() =>
      writeTransaction(database, () => {
        entered = true;
      }),
    ).to.throw("database is locked");
    database.$client.close();
    release();
    expect(entered).to.equal(false);
  });

  it("are begun in one way in all sources", () => {
    const source = fileURLToPath(new URL("../../src", import.meta.url));
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    // PostgreSQL has no deferred transactions. Rows copied there from the file are read in one transaction.
    const ofFile = files.filter((file) => !file.startsWith(join("store", "postgres")));
    const deferred = ofFile.filter((file) => {
      const text = readFileSync(join(source, file), "utf8");
      return /\.transaction\((?![^\n]*\)\.immediate\()|["'`]BEGIN(?! IMMEDIATE| EXCLUSIVE)/.test(text);
    });
    // These only read: each of their transactions shows several statements the same state.
    const reads = ["database.ts", "read/portfolios.ts", "read/shared-read.ts"];
    expect(deferred.sort()).to.deep.equal(reads.map((file) => join("store", file)));
  });
});
