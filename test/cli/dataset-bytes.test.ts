import { join } from "node:path";
import { expect } from "chai";
import { DatasetDraft } from "../../src/cli/dataset/draft.ts";
import { datasetFormat } from "../../src/cli/dataset/index-file.ts";
import { type AddRow, writeTable } from "../../src/cli/dataset/table-file.ts";
import { temporaryFolder } from "../support/files.ts";

describe("files of a dataset", () => {
  // Also on other versions of Node. Other bytes need another number of the format.
  it("have the same bytes for the same rows as before", () => {
    const draft = new DatasetDraft(join(temporaryFolder(), "dataset"));
    const kinds = ["integer", "text", "integer", "time", "day", "boolean"] as const;
    const columns = kinds.map((kind, index) => ({ name: `${kind}_${index}`, kind, isNullable: index > 1 }));
    const fill = (add: AddRow) => {
      for (let row = 0; row < 6000; row += 1) {
        const amount = row % 7 === 0 ? null : (row * row * 7919) % 100_003;
        add([row >> 4, `Ünï ${row % 13}`, amount, 1.7e12 + (row % 24) * 3_600_000, 20_000 + (row >> 8), row % 2]);
      }
      return true;
    };
    const digests = [true, false].map((byItem) => writeTable(draft, `${byItem}`, columns, fill, { byItem })!.sha256);
    expect([datasetFormat, ...digests]).to.deep.equal([
      1,
      "852b412a1a4378cc546a8c28a5b54a56766db5ed9c081dafdb981787149bc4df",
      "2f6d50378b6db0e336315c339dc59be5598c1f33e8e046093d45ba0e1a611c36",
    ]);
  });
});
