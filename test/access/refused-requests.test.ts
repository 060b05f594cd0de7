import { expect } from "chai";
import { RefusedRequests } from "../../src/access/refused-requests.ts";

const accountsMax = 10_000;

describe("refused requests", () => {
  it("are counted by account and code since the start, most frequent first", () => {
    const refused = new RefusedRequests(7);
    for (const code of ["invalid_parameter", "rate_limited", "rate_limited"]) refused.add("acc_a", code);
    refused.add("acc_b", "rate_limited");
    expect(refused.of("acc_a")).to.deep.equal({ since: 7, byCode: { rate_limited: 2, invalid_parameter: 1 } });
    expect(Object.keys(refused.of("acc_a").byCode)).to.deep.equal(["rate_limited", "invalid_parameter"]);
    expect(refused.of("acc_b").byCode).to.deep.equal({ rate_limited: 1 });
    expect(refused.of("acc_none")).to.deep.equal({ since: 7, byCode: {} });
  });

  it("are kept for ten thousand accounts; the least recent is forgotten", () => {
    const refused = new RefusedRequests(7);
    for (let index = 0; index < accountsMax; index += 1) refused.add(`acc_${index}`, "rate_limited");
    refused.add("acc_0", "rate_limited");
    expect(refused.of("acc_1").byCode).to.deep.equal({ rate_limited: 1 });
    refused.add("acc_new", "rate_limited");
    const counts = ["acc_0", "acc_1", "acc_2", "acc_new"].map((account) => refused.of(account).byCode.rate_limited);
    expect(counts).to.deep.equal([2, undefined, 1, 1]);
  });
});
