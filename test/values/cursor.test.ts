import { expect } from "chai";
import { Cursors } from "../../src/values/cursor.ts";
import { Failure } from "../../src/values/failure/failure.ts";

const cursors = new Cursors(Buffer.alloc(32, 7));
const position = { operation: "getHistory", key: ["2026-01-02", "steam"], filters: { item_id: 5, from: "2026-01-01" } };

describe("cursors", () => {
  it("restore their position and the default filters", () => {
    const cursor = cursors.write(position);
    expect(cursor).to.match(/^[A-Za-z0-9_.-]{1,512}$/);
    expect(cursors.read(cursor, "getHistory", { item_id: 5, from: undefined, provider: undefined })).to.deep.equal(
      position,
    );
  });

  it("are invalid if truncated, arbitrary or from another file", () => {
    const foreign = new Cursors(Buffer.alloc(32, 8)).write(position);
    for (const text of [
      foreign,
      cursors.write(position).slice(0, -1),
      "",
      ".",
      "a.b",
      "null",
      "é".repeat(20),
      "A".repeat(600),
    ]) {
      expect(
        codeOf(() => cursors.read(text, "getHistory", {})),
        text,
      ).to.equal("invalid_cursor");
    }
  });

  it("reject a position over 512 characters when created", () => {
    expect(() => cursors.write({ ...position, key: "x".repeat(400) })).to.throw("characters");
  });
});

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
  return "accepted";
}
