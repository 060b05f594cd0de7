import { expect } from "chai";
import { bySize, isLongRun, itLong } from "../support/size.ts";
import { declaredOperations } from "./oracle.ts";
import { requestRing } from "./request-ring.ts";

const requests = 1_600;
const statefulRequests = bySize({ short: 80, long: 640 });
/** The least share of accepted requests of an operation. */
const acceptedMin = 0.2;
const fewItems = !isLongRun;
const seed = Number(process.env.FUZZ_SEED ?? 20_260_115);

describe("generated requests", () => {
  itLong(`all ${requests} are answered and charged as documented (seed ${seed})`, async function () {
    this.timeout(180_000);
    const { faults, tally } = await requestRing({ requests, seed });
    expect(faults, `seed ${seed}`).to.deep.equal([]);
    for (const { operationId } of declaredOperations) {
      const { sent, accepted } = tally.get(operationId)!;
      expect(sent, operationId).to.be.greaterThan(requests / declaredOperations.length - 16);
      expect(accepted / sent, `${operationId}: share of accepted requests`).to.be.at.least(acceptedMin);
    }
  });

  itLong(`are charged right during key rotations and account changes (seed ${seed})`, async () => {
    const report = await requestRing({ requests: statefulRequests, seed, fewItems, stateful: true });
    expect(report.faults, `seed ${seed}`).to.deep.equal([]);
    expect(report.changes).to.be.at.least(3);
  });
});
