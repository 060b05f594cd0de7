import { join } from "node:path";
import { expect } from "chai";
import { importCatalog } from "../../src/import/catalog/catalog-import.ts";
import { checkDatabase } from "../../src/store/check/check.ts";
import { openWriter } from "../../src/store/database.ts";
import { isFullCode, isSqliteError } from "../../src/store/file/refusal.ts";
import { daysToSeal } from "../../src/store/write/seal-days.ts";
import { dayOf } from "../../src/values/time/calendar.ts";
import { newDatabase } from "../support/files.ts";
import { bySize } from "../support/size.ts";
import { SmallDisk } from "../support/small-disk.ts";
import { atOf, catalogOf, writeTurn } from "./market-writer.ts";
import { changesFaults, stateOf } from "./write-kill-ring.ts";

const kibibyte = 1024;
const diskBytes = 32 * kibibyte * kibibyte;
const roomStep = bySize({ short: 24, long: 8 }) * kibibyte;

describe("market writes on a full disk", function () {
  this.timeout(120_000);
  let disk: SmallDisk | null = null;
  before(function () {
    disk = SmallDisk.mount(this, diskBytes);
  });
  after(() => disk?.unmount());

  it("leave a sound file at any point, and continue with space", () => {
    const path = join(disk!.folder, "market.db");
    newDatabase(path, (database) => {
      importCatalog(database, catalogOf(0), atOf(0));
      writeTurn(database, 0);
    });
    let full = 0;
    let toSeal = 0;
    for (let room = 0, isDone = false; !isDone; room += roomStep) {
      const held = stateOf(path, 1);
      disk!.fill(room);
      isDone = isWritten(path);
      disk!.clear();
      if (!isDone) full += 1;
      expect(checkDatabase(path, { hours: true }).faults, `${room} bytes of room`).to.deep.equal([]);
      expect(changesFaults(path, 1, held, stateOf(path, 1)), `${room} bytes of room`).to.deep.equal([]);
      if (daysLeft(path) > 0) toSeal += 1;
    }
    expect(full, "failures at different points").to.be.greaterThan(2);
    expect(toSeal, "failures with days that are to be sealed").to.be.greaterThan(0);
    expect(daysLeft(path)).to.equal(0);
  });
});

/** Runs a turn. Returns whether it completed. Any error except a full disk fails the test. */
function isWritten(path: string): boolean {
  const database = openWriter(path, 0);
  try {
    writeTurn(database, 1);
    return true;
  } catch (error) {
    if (isSqliteError(error) && isFullCode(error.code, path)) return false;
    throw error;
  } finally {
    database.$client.close();
  }
}

function daysLeft(path: string): number {
  const database = openWriter(path, 0);
  try {
    return daysToSeal(database, dayOf(atOf(1))).length;
  } finally {
    database.$client.close();
  }
}
