import { expect } from "chai";
import { Networks } from "../../../src/values/networks.ts";
import { describeLong } from "../../support/size.ts";
import { OwnerWorld } from "./owner-world.ts";

/** Wrong passwords of one address before it has to wait. */
const freeOfAddress = 20;

describeLong("sign-ins behind a proxy", () => {
  let ann: OwnerWorld;
  afterEach(() => ann.world.stop());

  /** The statuses of wrong sign-ins, each as another login, with `X-Forwarded-For` made for each. */
  async function guess(times: number, forwardedFor: (time: number) => string): Promise<number[]> {
    const statuses: number[] = [];
    const visitor = ann.visitor();
    await visitor.get("/dashboard/sign-in");
    for (let time = 0; time < times; time += 1) {
      const fields = { login: `login${ann.world.clock.now()}-${statuses.length}`, password: "wrong horse battery" };
      const headers = { "x-forwarded-for": forwardedFor(time) };
      statuses.push((await visitor.post("/dashboard/sign-in", fields, { headers })).status);
    }
    return statuses;
  }

  const refused = (statuses: number[]) => statuses.filter((status) => status === 429).length;

  it("are slowed down separately per client named by a trusted proxy", async () => {
    ann = await OwnerWorld.start({
      fewItems: true,
      config: { trustedProxies: new Networks("127.0.0.0/8, 10.0.0.0/8") },
    });
    expect(refused(await guess(freeOfAddress + 1, () => "203.0.113.7"))).to.equal(1);
    expect(refused(await guess(1, () => "203.0.113.8"))).to.equal(0);
    expect(refused(await guess(1, () => "203.0.113.7, 10.1.2.3"))).to.equal(1);
  });

  it("cannot use addresses forged by the client behind a trusted proxy", async () => {
    ann = await OwnerWorld.start({ fewItems: true, config: { trustedProxies: new Networks("127.0.0.0/8") } });
    const written = await guess(freeOfAddress + 5, (time) => `192.0.2.${time}, 203.0.113.7`);
    expect(refused(written)).to.equal(5);
    expect(refused(await guess(1, () => "203.0.113.7, unknown"))).to.equal(0);
  });

  it("are slowed down per peer without a trusted proxy, ignoring X-Forwarded-For", async () => {
    ann = await OwnerWorld.start({ fewItems: true });
    expect(refused(await guess(freeOfAddress + 5, (time) => `203.0.113.${time}`))).to.equal(5);
  });
});
