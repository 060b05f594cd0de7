import { expect } from "chai";
import type { AdmissionRefusal } from "../../../src/access/admission.ts";
import { CommitFailure, holderMs, leaseMs } from "../../../src/access/ledger/ledger.ts";
import { NodesAdmissions } from "../../../src/access/nodes/admissions.ts";
import { NodesLedger } from "../../../src/access/nodes/ledger.ts";
import { PostgresWriter } from "../../../src/access/nodes/postgres-writer.ts";
import { RateLimiter } from "../../../src/access/rate-limiter.ts";
import { checkPrivate } from "../../../src/store/postgres/check.ts";
import { withClient } from "../../../src/store/postgres/connection.ts";
import { importPrivate } from "../../../src/store/postgres/copy.ts";
import { systemIds } from "../../../src/values/ids.ts";
import { hasPostgres, type SharedPostgres, sharedPostgres } from "../../support/postgres.ts";
import { skipForWant } from "../../support/skip.ts";
import { until } from "../../support/until.ts";
import { type Person, paidRead, World } from "../world.ts";

const ids = systemIds();

describe("places of long requests over two nodes", function () {
  this.timeout(60_000);
  let server: SharedPostgres;
  let url: string;
  let world: World;
  let people: { quant: Person; other: Person };
  let nodes: NodesLedger[];

  before(async function () {
    if (!hasPostgres()) skipForWant(this, "PostgreSQL is not installed");
    server = await sharedPostgres();
  });

  beforeEach(async () => {
    url = await server.database();
    world = new World();
    world.clock.at = Date.now();
    people = { quant: world.person("quant"), other: world.person("quant") };
    await withClient(url, (client) => importPrivate(world.database, client));
    const open = async () => new NodesLedger(await PostgresWriter.start(url));
    nodes = [await open(), await open()];
  });
  afterEach(async () => {
    for (const node of nodes) await node.close();
    await world.close();
  });

  async function counts({ accountId }: Person): Promise<{ used: number; events: number }> {
    const text = `SELECT coalesce((SELECT sum(used) FROM itemtape.usage_months WHERE account_id = $1), 0)::int AS used,
      (SELECT count(*) FROM itemtape.usage_events WHERE account_id = $1)::int AS events`;
    return (await server.query(url, text, [accountId])).rows[0];
  }

  /** A request with a place, at an admission of its own on the node. Returns its end, or the code of its refusal. */
  async function holds(node: number, person: Person, kind: "changes" | "waiting", holdMs: number) {
    const at = Date.now();
    const caller = world.identify(person, at);
    const admissions = new NodesAdmissions({ ledger: nodes[node]!, limiter: new RateLimiter(), clock: world.clock });
    const asked = { requestId: ids.requestId(at), operation: "streamMarketChanges", rule: paidRead, caller, at };
    try {
      return (await admissions.admit({ ...asked, place: { kind, holdMs } })).lease!;
    } catch (error) {
      return error as AdmissionRefusal;
    }
  }
  const codeOf = (held: Awaited<ReturnType<typeof holds>>) => ("code" in held ? held.code : "held");
  const placesHeld = async () =>
    (await server.query(url, "SELECT count(*)::int AS n FROM itemtape.request_places")).rows[0].n;

  it("an account has one stream of changes over all nodes, a second is told when the first must end, and costs nothing", async () => {
    const first = await holds(0, people.other, "changes", holderMs);
    expect(codeOf(first)).to.equal("held");
    const second = (await holds(1, people.other, "changes", holderMs)) as AdmissionRefusal;
    expect([second.code, second.facts.retryAfterS]).to.deep.equal(["changes_busy", leaseMs / 1000]);
    expect(await counts(people.other)).to.deep.equal({ used: 1, events: 1 });
    expect(codeOf(await holds(1, people.other, "waiting", 30_000))).to.equal("held");
    const lease = first as Exclude<typeof first, AdmissionRefusal>;
    for (const end of ["finish", "release"] as const) await lease[end]();
    expect(codeOf(await holds(1, people.other, "changes", holderMs))).to.equal("held");
    expect(await counts(people.other)).to.deep.equal({ used: 3, events: 3 });
    expect(await placesHeld()).to.equal(2);
  });

  it("a ninth stream of changes over all nodes is refused, and one of a node that died ends by itself", async () => {
    await server.query(
      url,
      "INSERT INTO itemtape.request_places SELECT 'held' || n, 'changes', 'acc_of_nobody' || n, $1, $2 FROM generate_series(1, 7) n",
      [Date.now() - 1000, Date.now() + 60_000],
    );
    const told = await Promise.all([
      holds(0, people.other, "changes", holderMs),
      holds(1, people.quant, "changes", holderMs),
    ]);
    expect(told.map(codeOf).toSorted()).to.deep.equal(["changes_capacity", "held"]);
    const refused = told.find((one) => "code" in one) as AdmissionRefusal;
    expect(refused.facts.retryAfterS).to.be.within(50, 60);
    await server.query(
      url,
      "UPDATE itemtape.request_places SET taken_at = 0, expires_at = 1 WHERE request_id = 'held3'",
    );
    const late = codeOf(told[0]!) === "held" ? people.quant : people.other;
    expect(codeOf(await holds(1, late, "changes", holderMs))).to.equal("held");
    expect(await placesHeld(), "what expired was removed").to.equal(8);
  });

  it("four requests of an account wait over all nodes, whoever else waits; a fifth is refused and costs nothing", async () => {
    const told = await Promise.all(
      Array.from({ length: 6 }, (_, index) => holds(index % 2, people.other, "waiting", 5000)),
    );
    expect(told.map(codeOf).toSorted()).to.deep.equal([
      "held",
      "held",
      "held",
      "held",
      "waiting_limit",
      "waiting_limit",
    ]);
    expect(codeOf(await holds(1, people.quant, "waiting", 5000))).to.equal("held");
    expect(await counts(people.other)).to.deep.equal({ used: 4, events: 4 });
    expect((await withClient(url, checkPrivate)).faults).to.deep.equal([]);
    await server.query(url, "UPDATE itemtape.request_places SET taken_at = 0, expires_at = 1");
    expect(codeOf(await holds(0, people.other, "waiting", 5000))).to.equal("held");
    const { faults } = await withClient(url, checkPrivate);
    expect(faults)
      .to.have.length(1)
      .and.match(/^places: req_\w+ holds a place and was never charged$/);
  });

  it("whoever leaves a place is told whether it was still held", async () => {
    const writer = await PostgresWriter.start(url);
    const at = Date.now();
    const { accountId, keyId } = people.other;
    const place = { kind: "changes", holdMs: holderMs } as const;
    const request = { requestId: ids.requestId(at), accountId, keyId, operation: "streamMarketChanges", at, place };
    const [charged] = await writer.commit([{ kind: "charge", plan: "paid", ...request }]);
    expect(charged?.kind).to.equal("charged");
    const leave = () =>
      writer.commit([{ kind: "end", leaseId: request.requestId, how: "released", at, ofPlace: true }]);
    expect(await leave()).to.deep.equal([{ kind: "ended", ended: true }]);
    expect(await leave()).to.deep.equal([{ kind: "ended", ended: false }]);
    await writer.close();
  });

  it("a place whose holder was told of a commit in doubt is given back when the doubt is over", async () => {
    const kept: NodesLedger[] = [];
    const writer = await PostgresWriter.start(url);
    const ledger = new NodesLedger({
      lost: writer.lost,
      isInDoubt: false,
      giveUp() {},
      set onSettled(settled: NonNullable<typeof writer.onSettled>) {
        writer.onSettled = settled;
      },
      async commit(batch) {
        const replies = await writer.commit(batch);
        if (batch[0]?.kind !== "charge") return replies;
        writer.onSettled?.(batch, replies);
        throw new CommitFailure("refused", "nobody knows yet");
      },
      close: () => writer.close(),
    });
    kept.push(nodes[0]!);
    nodes[0] = ledger;
    expect(codeOf(await holds(0, people.other, "changes", holderMs))).to.equal("service_unavailable");
    await until("the place is free", async () => (await placesHeld()) === 0);
    expect(codeOf(await holds(1, people.other, "changes", holderMs))).to.equal("held");
    for (const node of kept) await node.close();
  });
});
