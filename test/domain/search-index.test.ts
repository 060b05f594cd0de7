import { expect } from "chai";
import { SearchIndex } from "../../src/domain/search-index.ts";
import { searchQuery } from "../../src/domain/search-query.ts";
import { CatalogStore } from "../../src/store/read/catalog.ts";
import { MarketStateStore } from "../../src/store/read/market-state.ts";
import { MarketFile } from "../support/market-file.ts";

const items = 2000;
const nameCharacters = 44;
/** Pairs of a piece and a block that the index has room for before it grows. */
const firstRoom = 1 << 16;
const bytesPerPair = 4;

describe("the search index of a large catalog", () => {
  const file = new MarketFile();
  const state = new MarketStateStore(file.reader);
  const index = new SearchIndex({ catalog: () => new CatalogStore(file.reader), state });
  const names = Array.from({ length: items }, (_, at) => randomName(at + 1));

  before(async () => {
    file.writer.$client.transaction(() => {
      for (const [at, name] of names.entries()) file.item(at + 1, { name });
    })();
    await index.refresh();
  });
  after(() => {
    index.close();
    file.remove();
  });

  function isInRange(id: number, cursor: number): boolean {
    const ranges = [...index.ranges(searchQuery(names[id - 1]!), cursor, state.catalogVersion())!];
    return ranges.some(({ after, upTo }) => id > after && id <= upTo);
  }

  it("the index of a large catalog finds each item by its name, though its room had to grow and ids are consecutive", () => {
    const pairs = Array.from({ length: Math.ceil(items / 32) }, (_, block) => piecesOf(block));
    expect(
      pairs.reduce((sum, count) => sum + count, 0),
      "pairs of a piece and a block",
    ).to.be.above(firstRoom);
    expect(index.bytes).to.be.above(firstRoom * bytesPerPair);
    const lost = names.flatMap((_, at) => (isInRange(at + 1, 0) ? [] : [at + 1]));
    expect(lost).to.deep.equal([]);
  });

  it("the index of a large catalog leads to few items besides the one of a name", () => {
    const looked = names.map((name) =>
      [...index.ranges(searchQuery(name), 0, state.catalogVersion())!].reduce(
        (sum, { after, upTo }) => sum + upTo - after,
        0,
      ),
    );
    expect(Math.max(...looked)).to.be.at.most(3 * 32);
  });

  /** Returns how many different pieces of one to three characters the names of a block have. */
  function piecesOf(block: number): number {
    const pieces = new Set<string>();
    for (const name of names.slice(block * 32, block * 32 + 32)) {
      for (let from = 0; from < name.length; from += 1)
        for (let length = 1; length <= 3; length += 1) pieces.add(name.slice(from, from + length));
    }
    return pieces.size;
  }
});

/** Returns letters that look random and are the same in each run (xorshift). */
function randomName(id: number): string {
  let state = Math.imul(id, 0x9e3779b1) | 1;
  return Array.from({ length: nameCharacters }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return String.fromCharCode(97 + ((state >>> 0) % 26));
  }).join("");
}
