import { expect } from "chai";
import type { Schema } from "../../src/contract/types.ts";
import { ContractChanges } from "../../src/domain/contract-changes.ts";
import type { Reference } from "../../src/domain/reference.ts";
import { Cursors } from "../../src/values/cursor.ts";
import { Failure } from "../../src/values/failure/failure.ts";

const reference = { cursors: new Cursors(Buffer.alloc(32, 7)) } as Reference;

function changesTo(last: number): Schema<"ContractChange">[] {
  return Array.from({ length: last }, (_, index) => ({
    change_id: index + 1,
    date: "2026-01-15",
    revision: "2026-01-15",
    contract_version: "0.1.0",
    kind: "wording" as const,
    operations: [],
    summary: `Change ${index + 1}.`,
  }));
}

describe("changes of the contract", () => {
  const page = (changes: ContractChanges, params: { limit?: number; after?: string }) =>
    changes.list(changes.prepareList(params, reference), reference);

  it("are listed 50 to a page by default, newest first", () => {
    const { data, meta } = page(new ContractChanges(changesTo(51)), {});
    expect([data[0]?.change_id, data.at(-1)?.change_id, data.length]).to.deep.equal([51, 2, 50]);
    expect(meta.next_page).to.be.a("string");
  });

  it("continue after the last change read, despite newer ones", () => {
    const { meta } = page(new ContractChanges(changesTo(5)), { limit: 2 });
    const { data } = page(new ContractChanges(changesTo(8)), { after: meta.next_page! });
    expect(data.map(({ change_id }) => change_id)).to.deep.equal([3, 2, 1]);
  });

  it("refuse the cursor of another list", () => {
    const after = reference.cursors.write({ operation: "listProviders", key: "steam", filters: {} });
    expect(() => page(new ContractChanges(changesTo(5)), { after }))
      .to.throw(Failure)
      .with.property("code", "cursor_mismatch");
  });
});
