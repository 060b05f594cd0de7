import { expect } from "chai";
import { formToken } from "../../../src/access/owners/sessions.ts";
import { goodPassword, OwnerWorld, type Page, type Visitor } from "./owner-world.ts";

describe("dashboard forms", () => {
  let ann: OwnerWorld;
  let visitor: Visitor;
  before(async () => {
    // A single permit: a page that did not release it would make the next request fail.
    ann = await OwnerWorld.start({ fewItems: true, config: { inFlightMax: 1 } });
  });
  after(() => ann.world.stop());
  beforeEach(async () => {
    visitor = await ann.signedIn();
    await visitor.get("/dashboard");
  });

  const own = () => ({ host: `127.0.0.1:${ann.world.app.port}` });
  const origin = () => `http://127.0.0.1:${ann.world.app.port}`;
  const out = "/dashboard/sign-out-everywhere";
  const tables = ["accounts", "api_keys", "activity", "owners", "owner_invites", "owner_sessions", "key_portfolios"];
  const stored = () => JSON.stringify(tables.map((table) => ann.world.sql(`SELECT * FROM ${table}`)));

  /** An HTML page of this status that changed nothing. */
  const refused = async (status: number, work: () => Promise<Page>) => {
    const before = stored();
    const page = await work();
    expect(page.status).to.equal(status);
    expect(page.headers.get("content-type")).to.equal("text/html; charset=utf-8");
    expect(page.text).to.include("<h1>").and.to.include(page.headers.get("x-request-id"));
    expect(stored()).to.equal(before);
  };

  it("are accepted with the token of their session", async () => {
    expect((await visitor.post(out)).status).to.equal(303);
  });

  it("are rejected with a missing, wrong or foreign token", async () => {
    const bob = await (await ann.another("bob")).signedIn();
    await bob.get("/dashboard");
    const phone = await ann.signedIn();
    await phone.get("/dashboard");
    const nobody = ann.visitor();
    await nobody.get("/dashboard/sign-in");
    for (const csrf of [null, "", "x", `${visitor.csrf}x`, bob.csrf, phone.csrf, nobody.csrf, visitor.session ?? ""]) {
      await refused(403, () => visitor.post(out, {}, { csrf }));
    }
  });

  it("are rejected with a form cookie's token while a user is authenticated", async () => {
    const planted = "M".repeat(43);
    visitor.cookies.set("itemtape_form", planted);
    const paths = [out, "/dashboard/sign-out", "/dashboard/sign-in-again", "/dashboard/keys/new", "/dashboard/sign-in"];
    for (const path of paths) {
      await refused(403, () => visitor.post(path, { password: goodPassword }, { csrf: formToken(planted) }));
    }
    expect((await visitor.post(out)).status).to.equal(303);
  });

  it("are rejected with an ended session's token", async () => {
    const { session = "", csrf } = visitor;
    await visitor.post(out);
    visitor.cookies.set("itemtape_session", session);
    const wanted = { login: "ann", password: goodPassword };
    await refused(403, () => visitor.post("/dashboard/sign-in", wanted, { csrf }));
    expect((await visitor.signIn()).status).to.equal(303);
  });

  it("are accepted before sign-in with any form cookie's token", async () => {
    const nobody = ann.visitor();
    await nobody.get("/dashboard/sign-in");
    const wanted = { login: "ann", password: goodPassword };
    const planted = `itemtape_form=${"M".repeat(43)}`;
    const own = `itemtape_form=${nobody.cookies.get("itemtape_form")}`;
    for (const cookie of [`${planted}; ${own}`, `${own}; ${planted}`]) {
      const headers = { cookie };
      expect((await nobody.post("/dashboard/sign-in", wanted, { headers })).status).to.equal(303);
      const page = await ann.visitor().get("/dashboard/sign-in", headers);
      expect(page.headers.getSetCookie()).to.deep.equal([]);
    }
    await refused(403, () => nobody.post("/dashboard/sign-in", wanted, { headers: { cookie: planted } }));
  });

  it("are rejected when their token is sent twice", async () => {
    await refused(400, () => visitor.post(out, { csrf: visitor.csrf ?? "" }));
  });

  it("are rejected with any token if sent from another site", async () => {
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://127.0.0.1:1" },
      { origin: `http://127.0.0.1.evil.example:${ann.world.app.port}` },
      { origin: "not an origin" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
      { origin: origin(), "sec-fetch-site": "cross-site" },
    ]) {
      await refused(403, () => visitor.post(out, {}, { headers: { ...own(), ...headers } as Record<string, string> }));
    }
    const headers = { ...own(), origin: origin(), "sec-fetch-site": "same-origin" };
    expect((await visitor.post(out, {}, { headers })).status).to.equal(303);
  });

  it("are rejected in other media types even with a valid token", async () => {
    for (const type of [
      "application/json",
      "text/plain",
      "multipart/form-data; boundary=x",
      "",
      "application/x-www-form-urlencoded-x",
    ]) {
      await refused(415, () => visitor.post(out, {}, { headers: { "content-type": type } }));
    }
    await refused(415, () => visitor.post(out, {}, { headers: { "content-encoding": "gzip" } }));
  });

  it("are accepted up to 16 KiB", async () => {
    const rest = 16 * 1024 - `csrf=${visitor.csrf}&x=`.length;
    await refused(413, () => visitor.post(out, { x: "a".repeat(rest + 1) }));
    await refused(413, () => visitor.post(out, { x: "a".repeat(300_000) }));
    expect((await visitor.post(out, { x: "a".repeat(rest) })).status).to.equal(303);
  });

  it("are accepted only from own pages for sign-in and new passwords", async () => {
    const anonymous = ann.visitor();
    const path = `/dashboard/invite/${ann.invite()}`;
    for (const csrf of [null, "x", visitor.csrf]) {
      await refused(403, () =>
        anonymous.post("/dashboard/sign-in", { login: "ann", password: goodPassword }, { csrf }),
      );
      await refused(403, () => anonymous.post(path, { password: goodPassword, again: goodPassword }, { csrf }));
    }
    await anonymous.get("/dashboard/sign-in");
    const headers = { ...own(), origin: "https://evil.example" };
    await refused(403, () =>
      anonymous.post("/dashboard/sign-in", { login: "ann", password: goodPassword }, { headers }),
    );
    expect(anonymous.session).to.equal(undefined);
  });

  it("change nothing on GET or HEAD", async () => {
    const { keyId } = ann.account.key;
    const paths = ["", "/", "/keys", "/keys/new", `/keys/${keyId}/rotate`, `/keys/${keyId}/revoke`, "/tokens/new"];
    paths.push("/sign-out", "/sign-out-everywhere", "/sign-in", "/sign-in-again", `/invite/${ann.invite()}`, "/none");
    const before = stored();
    for (const path of paths) {
      for (const method of ["GET", "HEAD"]) {
        const cookie = `itemtape_session=${visitor.session}`;
        const target = `/dashboard${path}?csrf=${visitor.csrf}`;
        const { status, text } = await ann.world.client.send({ method, target, headers: { cookie } });
        expect(status, path).to.be.oneOf([200, 303, 404]);
        if (method === "HEAD") expect(text).to.equal("");
      }
    }
    expect(stored()).to.equal(before);
  });

  it("answer only GET, HEAD and POST", async () => {
    for (const method of ["OPTIONS", "PUT", "DELETE", "PATCH", "TRACE"]) {
      const answer = await ann.world.client.send({ method, target: "/dashboard/sign-in" });
      expect(answer.status, method).to.equal(405);
      expect(answer.headers.get("allow")).to.equal("GET, HEAD, POST");
    }
  });

  it("forbid framing, sniffing, caching and foreign scripts, also on errors", async () => {
    const pages = [
      await visitor.get("/dashboard"),
      await visitor.get("/dashboard/none"),
      await ann.visitor().get("/dashboard"),
      await ann.visitor().get("/dashboard/sign-in"),
      await ann.visitor().get("/dashboard/invite/none"),
      await visitor.get("/dashboard/base.css"),
      await visitor.post(out, {}, { csrf: null }),
      await visitor.post("/dashboard/none"),
      await ann.world.client
        .send({ method: "GET", target: "/dashboard", body: "x" })
        .then((answer): Page => ({ ...answer, location: null })),
    ];
    for (const { headers, status } of pages) {
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy, String(status))
        .to.match(/^default-src 'none'; /)
        .and.to.include("frame-ancestors 'none'");
      expect(policy).to.include("form-action 'self'").and.to.include("base-uri 'none'").and.to.not.include("unsafe");
      expect(Object.fromEntries(headers)).to.include({
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "same-origin",
        vary: "Cookie",
      });
      expect(headers.get("content-type") ?? "text/html").to.match(/^text\/(html|css)/);
    }
  });

  it("show any input as text", async () => {
    const nobody = ann.visitor();
    const page = await nobody.signIn("wrong horse battery", `"><script>alert(1)</script>`);
    expect(page.status).to.equal(403);
    expect(page.text).to.not.include("<script>");
  });
});
