import { expect } from "chai";
import { ExportStatesStore } from "../../src/store/read/export-states.ts";
import { ExportIdentity } from "../../src/store/write/export-identity.ts";
import { ExportStateWriter } from "../../src/store/write/export-states.ts";
import { MarketFile } from "../support/market-file.ts";

describe("changes since a market state", () => {
  const file = new MarketFile();
  const at = Date.UTC(2026, 0, 15);
  const dayMs = 86_400_000;
  const itemIds = Array.from({ length: 40 }, (_, index) => index + 1);
  let identity: ExportIdentity;

  before(() => {
    for (const itemId of itemIds) file.item(itemId);
    const asks = [{ provider: "steam", amount: 5 }];
    file.publish(1, at, Object.fromEntries(itemIds.map((itemId) => [itemId, { asks }])));
    identity = new ExportIdentity(file.writer, 1);
  });
  after(() => file.remove());

  /** Appends a state in which these items have records of an export's mean length. */
  const append = (changed: readonly number[], { from = at } = {}) => {
    const bytes = Math.floor(identity.exportBytes / itemIds.length);
    const items = changed.map((itemId) => ({ itemId, isNew: false, bytes }));
    file.writer.$client.transaction(() => new ExportStateWriter(file.writer).append(identity, items, from))();
  };
  const since = (now = at) => {
    const row = file.reader.$client.prepare("SELECT min(state_id) AS id FROM export_states").get() as { id: number };
    const held = { generationId: 1, identityDigest: Buffer.alloc(32, row.id) };
    file.writer.$client
      .prepare("UPDATE export_states SET identity_digest = @identityDigest WHERE state_id = @id")
      .run({ ...held, id: row.id });
    return new ExportStatesStore(file.reader).since(held, now, 0.5);
  };

  beforeEach(() => {
    file.writer.$client.exec("DROP TRIGGER IF EXISTS export_states_never_change; DELETE FROM export_states");
    append([]);
  });

  it("are available for a day after the state was replaced", () => {
    append([1], { from: at - 10 * dayMs });
    append([2], { from: at + 1000 });
    expect(since(at + dayMs)?.items?.ids).to.deep.equal([1 * 2, 2 * 2]);
    expect(since(at + dayMs + 1)).to.equal(null);
  });
});
