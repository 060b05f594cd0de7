import { expect } from "chai";
import type { AdmissionRefusal } from "../../../src/access/admission.ts";
import { holderMs } from "../../../src/access/ledger/ledger.ts";
import { NodesAdmissions } from "../../../src/access/nodes/admissions.ts";
import { NodesLedger } from "../../../src/access/nodes/ledger.ts";
import { PostgresWriter } from "../../../src/access/nodes/postgres-writer.ts";
import { RateLimiter } from "../../../src/access/rate-limiter.ts";
import { checkPrivate } from "../../../src/store/postgres/check.ts";
import { withClient } from "../../../src/store/postgres/connection.ts";
import { importPrivate } from "../../../src/store/postgres/copy.ts";
import { systemIds } from "../../../src/values/ids.ts";
import { needPostgres, type SharedPostgres, sharedPostgres } from "../../support/postgres.ts";
import { type Person, paidRead, World } from "../world.ts";

const ids = systemIds();

describe("permits for long requests over two nodes", function () {
  this.timeout(60_000);
  let server: SharedPostgres;
  let url: string;
  let world: World;
  let people: { quant: Person; other: Person };
  let nodes: NodesLedger[];

  before(async function () {
    needPostgres(this);
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

  /** A request with a place, at an admission of its own on the node. Returns its end, or the code of its refusal. */
  async function holds(node: number, person: Person, kind: "changes" | "waiting", holdMs: number) {
    const at = Date.now();
    const caller = world.identify(person, at);
    const admissions = new NodesAdmissions({ ledger: nodes[node]!, limiter: new RateLimiter(), clock: world.clock });
    const asked = { requestId: ids.requestId(at), operation: "streamMarketChanges", rule: paidRead, caller, at };
    try {
      return (await admissions.admit({ ...asked, permit: { kind, holdMs } })).lease!;
    } catch (error) {
      return error as AdmissionRefusal;
    }
  }
  const codeOf = (held: Awaited<ReturnType<typeof holds>>) => ("code" in held ? held.code : "held");
  const placesHeld = async () =>
    (await server.query(url, "SELECT count(*)::int AS n FROM itemtape.request_places")).rows[0].n;

  it("refuses a ninth stream over all nodes; streams of dead nodes expire", async () => {
    await server.query(
      url,
      "INSERT INTO itemtape.request_places SELECT 'held' || n, 'changes', 'acc_of_nobody' || n, $1, $2 FROM generate_series(1, 7) n",
      [Date.now() - 1000, Date.now() + 60_000],
    );
    const { faults } = await withClient(url, checkPrivate);
    expect(faults[0]).to.equal("places: held1 holds a place and was never charged");
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
});
