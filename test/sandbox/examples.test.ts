import { expect } from "chai";
import { faultsOf, document as served } from "../../scripts/contract/answers.ts";
import { closeDatabase, openReader } from "../../src/store/database.ts";
import { type Recording, recordedValue, shownExamples } from "../contract/recordings.ts";
import { findSubjects } from "../contract/replay.ts";
import type { Replay } from "../contract/replay-subjects.ts";
import { replayTable } from "../contract/replay-table.ts";
import { TestClient } from "../support/client.ts";
import { casesBySize, isLongRun } from "../support/size.ts";
import { type RunningSandbox, runSandbox } from "./run.ts";

describe("documented sandbox world", () => {
  let sandbox: RunningSandbox;
  let client: TestClient;
  let replays: [Recording, Replay][];

  before(async function () {
    // The demo world is made here when this file is run first.
    this.timeout(180_000);
    sandbox = await runSandbox();
    client = new TestClient(() => sandbox.base);
    const reader = openReader(sandbox.world.path);
    const sql = (text: string, ...values: unknown[]) =>
      reader.$client.prepare<unknown[], Record<string, unknown>>(text).all(...values);
    const table = replayTable(await findSubjects({ sql, client, keys: sandbox.world.demo! }));
    closeDatabase(reader);
    const reachable = shownExamples(served).filter(({ isUnreachable }) => !isUnreachable);
    replays = reachable.map((recording) => [recording, table[recording.component]!(recording.operationId)]);
  });
  after(async () => {
    client.close();
    await sandbox.close();
  });

  const play = async ([recording, { request }]: [Recording, Replay], key: string | null) => {
    const headers = { ...(key !== null && { authorization: `Bearer ${key}` }), ...request.headers };
    const answer = await client.send({ ...request, headers });
    const { operationId, component, status, value } = recording;
    expect(answer.status, `${operationId} ${component} ${answer.text}`).to.equal(status);
    const shown = recordedValue(answer);
    const text = (given: unknown) => (typeof given === "string" ? given : JSON.stringify(given));
    expect(text(shown), `${operationId} ${component}`).to.equal(text(value));
    // The replay of the contract checks the others.
    if (isLongRun) expect(faultsOf(operationId, answer)).to.deep.equal([]);
  };

  const keyOf = (caller: string): string | null | undefined =>
    ({ none: null, builder: sandbox.keys.builder, free: sandbox.keys.free, portfolioOwner: sandbox.token })[caller];
  /** Needs no state of the world that only a script makes. */
  const isPlain = ([{ status }, { caller, state }]: [Recording, Replay]) =>
    status === 200 && state === undefined && keyOf(caller) !== undefined;

  it("returns the examples' responses byte for byte", async () => {
    const own = casesBySize(replays.filter(isPlain), 25);
    for (const replay of own) await play(replay, keyOf(replay[1].caller)!);
    expect(own.length).to.be.at.least(25);
  });

  it("returns other examples byte for byte when scripted", async () => {
    const names = new Set(replays.filter(isPlain).map(([{ component }]) => component));
    const others = replays.filter(([{ component }]) => !names.has(component) && names.add(component));
    const chosen = casesBySize(others, 30);
    const { key } = await sandbox.scripted(
      chosen.map(([{ operationId, component }]) => ({ operation: operationId, fault: "example", name: component })),
    );
    for (const [recording, replay] of chosen) {
      // A request of a wrong method or path reaches no operation, and no step.
      const [method, target] = placeOf(recording.operationId);
      await play([recording, { ...replay, request: { method, target } }], key);
    }
  });
});

function placeOf(operationId: string): [method: string, target: string] {
  for (const [path, methods] of Object.entries(served.paths))
    for (const [method, operation] of Object.entries(methods))
      if (operation.operationId === operationId) return [method.toUpperCase(), path.replaceAll(/\{[^}]+\}/g, "1")];
  throw new Error(`the contract has no operation ${operationId}`);
}
