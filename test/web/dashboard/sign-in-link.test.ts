import { expect } from "chai";
import { makeSignInLink } from "../../../src/access/owners/sign-in-links.ts";
import { systemIds } from "../../../src/values/ids.ts";
import { OwnerWorld } from "./owner-world.ts";

const address = "/dashboard/sign-in-link";
const server = { host: "127.0.0.1", publicUrl: "" };

describe("sign-in link", () => {
  let ann: OwnerWorld;
  before(async () => {
    ann = await OwnerWorld.start({ fewItems: true });
  });
  after(() => ann.world.stop());

  const link = (on = server) =>
    ann.world.change((database) =>
      makeSignInLink({ database, clock: ann.world.clock, ids: systemIds() }, on, ann.account),
    );
  const opened = async (token: string, headers: Record<string, string> = {}) => {
    const visitor = ann.visitor();
    await visitor.get(address);
    return { visitor, answer: await visitor.post(address, { token }, { headers }) };
  };

  it("signs in once for 30 days by its button, despite link previews", async () => {
    const { path, token } = link();
    expect(path).to.equal(`${address}#${token}`);
    for (let time = 0; time < 3; time += 1) {
      const page = await ann.visitor().get(address, { purpose: "prefetch" });
      expect([page.status, page.headers.getSetCookie().join().includes("itemtape_session")]).to.deep.equal([
        200,
        false,
      ]);
    }
    const { visitor, answer } = await opened(token, { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0" });
    expect([answer.status, answer.location]).to.deep.equal([303, "/market"]);
    expect((await visitor.get("/dashboard/session")).json).to.include({ signed_in: true, account: "Ann" });
    expect((await visitor.get("/dashboard/activity")).text)
      .to.include("Signed in by a link")
      .and.include("127.0.0.1, Firefox on Linux");
    expect((await opened(token)).answer.status).to.equal(410);
    ann.world.clock.advance(29 * 86_400_000);
    expect((await visitor.get("/dashboard")).status).to.equal(200);
    expect((await visitor.get("/dashboard/keys/new")).location).to.contain("/dashboard/sign-in-again");
    ann.world.clock.advance(31 * 86_400_000);
    expect((await visitor.get("/dashboard")).status).to.equal(303);
  });

  it("is refused after ten minutes, elsewhere, proxied or without its form", async () => {
    const { token } = link();
    const { port } = ann.world.app;
    const refused: Record<string, string>[] = [
      { host: `evil.example:${port}` },
      { host: `192.168.1.7:${port}` },
      { "x-forwarded-for": "127.0.0.1" },
      { forwarded: "for=127.0.0.1" },
      { via: "1.1 proxy" },
      { connection: "close" },
    ];
    for (const headers of refused) {
      expect((await ann.visitor().get(address, headers)).status, JSON.stringify(headers)).to.equal(403);
      expect((await opened(token, headers)).answer.status, JSON.stringify(headers)).to.equal(403);
    }
    const forged = ann.visitor();
    await forged.get(address);
    expect((await forged.post(address, { token }, { csrf: null })).status).to.equal(403);
    expect((await opened(token, { origin: "https://evil.example" })).answer.status).to.equal(403);
    ann.world.clock.advance(600_000);
    expect((await opened(token)).answer.status).to.equal(410);
    expect((await opened("x")).answer.status).to.equal(404);
  });

  it("is not created for a reachable server, which suggests an invitation", () => {
    for (const on of [
      { host: "0.0.0.0", publicUrl: "" },
      { host: "127.0.0.1", publicUrl: "http://127.0.0.1:8080" },
    ])
      expect(() => link(on)).to.throw(`npx itemtape accounts invite ${ann.account.accountId}`);
  });

  for (const config of [{ host: "0.0.0.0" }, { publicUrl: "http://127.0.0.1:8080" }]) {
    it(`is invalid on a server with ${Object.keys(config)}`, async () => {
      const other = await OwnerWorld.start({ fewItems: true, config });
      try {
        const headers = { host: "127.0.0.1:8080" };
        expect((await other.visitor().get(address, headers)).status).to.equal(403);
      } finally {
        await other.world.stop();
      }
    });
  }
});
