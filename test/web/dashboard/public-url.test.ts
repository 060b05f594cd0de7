import { expect } from "chai";
import { formToken } from "../../../src/access/owners/sessions.ts";
import { goodPassword, OwnerWorld, type Page } from "./owner-world.ts";

const signIn = "/dashboard/sign-in";
const wanted = { login: "ann", password: goodPassword };

/** The status of a sign-in from a form on a page of `origin`. */
async function statusFrom(ann: OwnerWorld, origin: string, headers: Record<string, string> = {}): Promise<number> {
  const visitor = ann.visitor();
  await visitor.get(signIn);
  return (await visitor.post(signIn, wanted, { headers: { origin, ...headers } })).status;
}

describe("dashboard at a public https address", () => {
  let ann: OwnerWorld;
  before(async () => {
    ann = await OwnerWorld.start({ fewItems: true, config: { publicUrl: "https://data.example.com" } });
  });
  after(() => ann.world.stop());

  const rules = "Path=/dashboard; HttpOnly; SameSite=Strict; Secure";

  it("sets Secure cookies, and ends them by the same name", async () => {
    const visitor = ann.visitor();
    const form = (await visitor.get(signIn)).headers.getSetCookie();
    expect(form).to.deep.equal([`__Secure-itemtape_form=${visitor.cookies.get("__Secure-itemtape_form")}; ${rules}`]);
    const session = (await visitor.post(signIn, wanted)).headers.getSetCookie();
    expect(session).to.deep.equal([
      `__Secure-itemtape_session=${visitor.cookies.get("__Secure-itemtape_session")}; Max-Age=43200; ${rules}`,
    ]);
    await visitor.get("/dashboard");
    const end = (await visitor.post("/dashboard/sign-out")).headers.getSetCookie();
    expect(end).to.deep.equal([`__Secure-itemtape_session=; Max-Age=0; ${rules}`]);
  });

  it("rejects cookies that could be set without https", async () => {
    const visitor = await ann.signedIn();
    const session = visitor.cookies.get("__Secure-itemtape_session") ?? "";
    const plain = ann.visitor();
    plain.cookies.set("itemtape_session", session);
    expect((await plain.get("/dashboard")).status).to.equal(303);
    const planted = "M".repeat(43);
    const anonymous = ann.visitor();
    anonymous.cookies.set("itemtape_form", planted);
    expect((await anonymous.post(signIn, wanted, { csrf: formToken(planted) })).status).to.equal(403);
  });

  it("accepts forms only from the public origin, for any access path", async () => {
    const { port } = ann.world.app;
    expect(await statusFrom(ann, "https://data.example.com")).to.equal(303);
    expect(await statusFrom(ann, "https://data.example.com", { host: "data.example.com" })).to.equal(303);
    for (const origin of [
      `http://127.0.0.1:${port}`,
      "http://data.example.com",
      "https://data.example.com:8443",
      "https://data.example.com.evil.example",
      "https://evil.data.example.com",
      "https://data.example.com/",
      "null",
      "",
    ]) {
      expect(await statusFrom(ann, origin), origin).to.equal(403);
      expect(await statusFrom(ann, origin, { host: "evil.example" }), origin).to.equal(403);
    }
    const crossSite = { "sec-fetch-site": "cross-site" };
    expect(await statusFrom(ann, "https://data.example.com", crossSite)).to.equal(403);
  });

  it("redirects without a host", async () => {
    const pages: Page[] = [await ann.visitor().get("/dashboard"), await ann.visitor().signIn()];
    for (const { location } of pages) expect(location).to.match(/^\/dashboard/);
  });
});

describe("dashboard at a public address without TLS", () => {
  let ann: OwnerWorld;
  before(async () => {
    ann = await OwnerWorld.start({ fewItems: true, config: { publicUrl: "http://data.internal:8080" } });
  });
  after(() => ann.world.stop());

  it("uses plain cookies, and accepts forms from that origin only", async () => {
    const visitor = await ann.signedIn();
    expect([...visitor.cookies.keys()]).to.have.members(["itemtape_form", "itemtape_session"]);
    expect(await statusFrom(ann, "http://data.internal:8080")).to.equal(303);
    for (const origin of [`http://127.0.0.1:${ann.world.app.port}`, "https://data.internal:8080"]) {
      expect(await statusFrom(ann, origin), origin).to.equal(403);
    }
  });
});
