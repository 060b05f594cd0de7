import { expect } from "chai";
import { portfolioConsent } from "../../../src/access/owners/consent.ts";
import { dayMs, minuteMs } from "../../../src/values/time/calendar.ts";
import { OwnerWorld, type Page, type Visitor } from "./owner-world.ts";
import { keyNames, statusOf, takeDemoPortfolios } from "./person.ts";

describe("dashboard pages", () => {
  let ann: OwnerWorld;
  let bob: OwnerWorld;
  let base: string;
  let visitor: Visitor;
  before(async () => {
    ann = await OwnerWorld.start({ fewItems: true });
    bob = await ann.another("bob");
    takeDemoPortfolios(ann);
    base = ann.world.base;
  });
  after(() => ann.world.stop());
  beforeEach(async () => {
    ann.world.clock.advance(61_000);
    visitor = await ann.signedIn();
  });

  const text = async (path: string) => (await visitor.get(path)).text;
  const hiddenField = ({ text }: Page, name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1]?.replaceAll("&#8230;", "…") ?? "";
  const secretOf = ({ text }: Page) => /id="secret"[^>]*>([^<]+)</.exec(text)?.[1] ?? "";
  const portfolioId = (name: string) =>
    String(ann.world.sql("SELECT portfolio_id FROM portfolios WHERE name = ?", name)[0]?.portfolio_id);
  const makeKey = async (name: string) => {
    const after = hiddenField(await visitor.get("/dashboard/keys/new"), "after");
    return visitor.post("/dashboard/keys/new", { name, days: "30", after });
  };
  /** A form for a token that is right but for `wrong`. */
  const sendToken = async (wrong: Record<string, string | string[]>) => {
    const after = hiddenField(await visitor.get("/dashboard/tokens/new"), "after");
    const right = { name: "sheet", days: "90", portfolio: [portfolioId("Main inventory")], consent: "yes" };
    return visitor.post("/dashboard/tokens/new", {
      ...right,
      consent_version: portfolioConsent.version,
      after,
      ...wrong,
    });
  };
  const firstKey = (action: string) => `/dashboard/keys/${ann.account.key.keyId}/${action}`;
  const paths = [
    ...["", "/keys", "/keys/new", "/tokens/new", "/activity", "/portfolios", "/password"].map(
      (path) => `/dashboard${path}`,
    ),
    `/dashboard/portfolios/pf_any`,
  ];

  it("require sign-in, are not cached and contain nothing inline", async () => {
    for (const path of [...paths, firstKey("rotate"), firstKey("revoke")]) {
      const { status, location } = await ann.visitor().get(path);
      const next = path === "/dashboard" ? "" : `?next=${encodeURIComponent(path)}`;
      expect({ status, location }).to.deep.equal({ status: 303, location: `/dashboard/sign-in${next}` });
      const page = await visitor.get(path);
      expect(page.headers.get("cache-control")).to.equal("no-store");
      expect(page.headers.get("content-security-policy")).to.not.match(/unsafe|data:|https?:/);
      expect(page.text).to.not.match(/<style|<script(?![^>]* src=)|\sstyle=|\son[a-z]+=/);
    }
  });

  it("show plan, limits and the month's requests by day and operation", async () => {
    const { accountId, secret } = bob.account;
    const endsAt = ann.world.clock.at + 10 * dayMs;
    ann.world.accounts((accounts) => accounts.setPlan(accountId, "builder", endsAt));
    for (const path of ["/v1/items?limit=1", "/v1/items?limit=2", "/v1/providers"]) await statusOf(base, secret, path);
    const { text } = await (await bob.signedIn()).get("/dashboard");
    expect(text).to.match(/Builder<\/p>.*Until <time datetime="2026-01-25T[^"]+">25 Jan 2026, 12:\d\d UTC/);
    expect(text).to.contain('3 <span class="of">of 10,000</span>').and.contain("9,997 left");
    expect(text).to.contain('48 <span class="of">of 48</span>').and.contain('<p class="value">60</p>');
    expect(text).to.contain("<title>15 Jan 2026: 3 requests</title>");
    const totals = [...text.matchAll(/class="name">(\w+)<\/span><\/th><td class="number">(\d+)/g)];
    expect(totals.map(([, name, units]) => [name, units])).to.deep.equal([
      ["listItems", "2"],
      ["listProviders", "1"],
    ]);
    expect(text).to.contain(accountId).and.contain("It is no credential");
    ann.world.accounts((accounts) => accounts.setPlan(accountId, "free", null));
    const free = await (await bob.signedIn()).get("/dashboard");
    expect(free.text).to.contain("not part of this plan").and.contain("Without an end");
  });

  it("count the account's own refusals by code, without charged requests", async () => {
    const { secret } = bob.account;
    ann.world.accounts((accounts) => accounts.setPlan(bob.account.accountId, "free", null));
    const refusedNow = async () => {
      const { text } = await (await bob.signedIn()).get("/dashboard");
      return text
        .split('<p id="refused">')[1]!
        .split("</p>")[0]!
        .replaceAll(/<[^>]*>/g, "");
    };
    const before = Number(/^\d+/.exec(await refusedNow())![0]);
    await statusOf(base, secret, "/v1/items/95/markets");
    await statusOf(base, secret, "/v1/items/95/markets");
    await statusOf(base, secret, "/v1/items?limit=0");
    await statusOf(base, secret, "/v1/items/99999999");
    await statusOf(base, ann.account.secret, "/v1/items?limit=0");
    expect(await refusedNow()).to.match(
      new RegExp(
        `^${before + 3} refused since this server started, .*: plan_upgrade_required 2, invalid_parameter 1\\. They cost nothing\\.$`,
      ),
    );
  });

  it("show a secret only in the response to its form", async () => {
    const made = await makeKey("once");
    expect(made.status).to.equal(200);
    expect(made.headers.get("cache-control")).to.equal("no-store");
    const secret = secretOf(made);
    expect(await statusOf(base, secret)).to.equal(200);
    expect(made.text.split(secret)).to.have.length(2);
    expect([...visitor.cookies.values()].join()).to.not.contain(secret);
    for (const path of paths) expect(await text(path), path).to.not.contain(secret);
  });

  it("create one key for a form sent twice", async () => {
    const fields = { name: "twice", days: "30", after: hiddenField(await visitor.get("/dashboard/keys/new"), "after") };
    const first = await visitor.post("/dashboard/keys/new", fields);
    const second = await visitor.post("/dashboard/keys/new", fields);
    expect([first.status, second.status]).to.deep.equal([200, 409]);
    expect(second.text).to.contain("<strong>twice</strong> was created").and.contain('value="twice"');
    expect(keyNames(ann).filter((name) => name === "twice")).to.have.length(1);
    const again = await visitor.post("/dashboard/keys/new", { ...fields, after: hiddenField(second, "after") });
    expect(again.status).to.equal(200);
  });

  it("act once for a form sent three times at once", async () => {
    const after = hiddenField(await visitor.get("/dashboard/keys/new"), "after");
    const send = (path: string, fields: Record<string, string>) =>
      Promise.all([1, 2, 3].map(() => visitor.post(path, fields)));
    const made = await send("/dashboard/keys/new", { name: "at once", days: "30", after });
    expect(made.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409]);
    for (const { status, text } of made) {
      if (status === 409)
        expect(text).to.contain("<strong>at once</strong> was created").and.contain('value="at once"');
    }
    expect(keyNames(ann).filter((name) => name === "at once")).to.have.length(1);
    const path = `/dashboard/keys/${/data-key="([^"]+)"/.exec(made.map(({ text }) => text).join())?.[1]}/rotate`;
    const rotated = await send(path, { display: hiddenField(await visitor.get(path), "display") });
    expect(rotated.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409]);
    const secrets = rotated.map(secretOf).filter((secret) => secret !== "");
    expect(await Promise.all(secrets.map((secret) => statusOf(base, secret)))).to.deep.equal([200]);
  });

  it("show errors at their fields and keep valid input as text", async () => {
    const cases: [Record<string, string | string[]>, string, string][] = [
      [{ name: " " }, "name", "Enter a name"],
      [{ name: "a\u0007b" }, "name", "Enter another name"],
      [{ days: "365" }, "days", "Choose 7, 30, 90 days"],
      [{ portfolio: [] }, "portfolio", "Select at least one portfolio"],
      [{ consent_version: "0" }, "consent", "The text has changed"],
    ];
    const before = keyNames(ann);
    for (const [wrong, field, description] of cases) {
      const page = await sendToken(wrong);
      expect(page.status, description).to.equal(400);
      expect(page.text).to.match(new RegExp(`<a href="#${field}">${description}`));
      expect(page.text).to.match(new RegExp(`id="${field}-error"[^>]*><strong>Error:</strong> ${description}`));
      expect(page.text).to.contain(`${field}-error"`).and.contain(`id="${field}"`);
    }
    const kept = await sendToken({ name: '"><b>x', portfolio: [] });
    expect(kept.text).to.contain('value="&#34;&#62;&#60;b&#62;x"').and.not.contain("<b>x");
    expect(keyNames(ann)).to.deep.equal(before);
  });

  it("create no token without consent or for another account's portfolio", async () => {
    const after = hiddenField(await visitor.get("/dashboard/tokens/new"), "after");
    const fields = { name: "no", days: "7", portfolio: [portfolioId("Main inventory")], after };
    const unasked = { ...fields, consent_version: portfolioConsent.version };
    const answers = [await visitor.post("/dashboard/tokens/new", unasked)];
    for (const consent of ["no", "", "on", "Yes"]) answers.push(await sendToken({ name: "no", consent }));
    for (const { status, text } of answers) {
      expect(status).to.equal(400);
      expect(text).to.contain("Consent by the checkbox");
    }
    expect((await sendToken({ name: "no", consent: ["yes", "no"] })).status).to.equal(400);
    const [foreign] = ann.world.sql("SELECT portfolio_id FROM portfolios WHERE account_id <> ?", ann.account.accountId);
    const refused = [];
    for (const id of [String(foreign?.portfolio_id), "pf_000000000000000000000000", "x"]) {
      const { status, text } = await sendToken({ name: "no", portfolio: [id] });
      refused.push([status, /<a href="#portfolio">([^<]+)/.exec(text)?.[1]]);
    }
    const description = [400, "Select again: not all of these portfolios belong to this account"];
    expect(refused).to.deep.equal([description, description, description]);
    expect(keyNames(ann)).to.not.contain("no");
  });

  it("treat another account's key as missing", async () => {
    const masked = ({ status, text }: Page, keyId: string) => ({
      status,
      text: text.replace(/req_\w+/g, "").replaceAll(keyId, ""),
    });
    for (const action of ["rotate", "revoke"]) {
      const answers = [];
      for (const keyId of [bob.account.key.keyId, "key_00000000000000000000"]) {
        answers.push(masked(await visitor.get(`/dashboard/keys/${keyId}/${action}`), keyId));
        answers.push(masked(await visitor.post(`/dashboard/keys/${keyId}/${action}`), keyId));
      }
      expect(answers[0]?.status).to.equal(404);
      for (const answer of answers) expect(answer).to.deep.equal(answers[0]);
    }
    expect(await statusOf(base, bob.account.secret)).to.equal(200);
    expect(await text(`/dashboard/keys?revoked=${bob.account.key.keyId}`)).to.not.contain('class="notice');
    expect(await text(`/dashboard/keys?revoked=${ann.account.key.keyId}`)).to.not.contain('class="notice');
  });

  it("do not rotate an ended key, and ignore a second revocation", async () => {
    const { key } = ann.world.keysOf((keys) => keys.create(ann.account.accountId, "ended", 7));
    const path = `/dashboard/keys/${key.keyId}`;
    await visitor.get(`${path}/revoke`);
    const first = await visitor.post(`${path}/revoke`);
    expect([first.status, first.location]).to.deep.equal([303, `/dashboard/keys?revoked=${key.keyId}`]);
    const second = await visitor.post(`${path}/revoke`);
    expect([second.status, second.location]).to.deep.equal([303, first.location]);
    expect((await visitor.get(`${path}/rotate`)).status).to.equal(409);
    expect((await visitor.post(`${path}/rotate`, { display: key.display })).status).to.equal(409);
    const count = (await text("/dashboard/activity")).split(`Key revoked</strong> <span class="name">ended`);
    expect(count).to.have.length(2);
  });

  it("accept a sign-in up to 30 minutes old as recent", async () => {
    ann.world.clock.advance(30 * minuteMs);
    expect((await visitor.get("/dashboard/keys/new")).status).to.equal(200);
    ann.world.clock.advance(1);
    const { status, location } = await visitor.get("/dashboard/keys/new");
    expect([status, location]).to.deep.equal([303, "/dashboard/sign-in-again?next=%2Fdashboard%2Fkeys%2Fnew"]);
    expect((await visitor.get(firstKey("revoke"))).status).to.equal(200);
  });

  it("list days without a value, and show unknown values not as zero", async () => {
    const page = await text(`/dashboard/portfolios/${portfolioId("Main inventory")}?days=92`);
    expect(page).to.match(
      /data-value="" data-cost="[^"]*" data-complete="no"><th scope="row">[^<]+<\/th><td class="number">unknown/,
    );
    expect(page).to.match(
      /class="gap"><th scope="row">[^<]+<\/th><td colspan="4" class="muted">no value recorded \(\d+ days?\)/,
    );
    expect(page.slice(page.indexOf('<table id="values">'))).to.not.contain("$0.00");
    expect(page).to.not.contain("private note");
    expect((await visitor.get("/dashboard/portfolios/pf_x")).status).to.equal(404);
  });

  it("name the own tokens that read a portfolio", async () => {
    const list = await text("/dashboard/portfolios");
    expect(list).to.contain("you allow can read them").and.not.contain("Only you");
    const moved = portfolioId("Empty shelf");
    expect((await sendToken({ name: "shelf", portfolio: [moved] })).status).to.equal(200);
    const give = (to: OwnerWorld) =>
      ann.world.sql("UPDATE portfolios SET account_id = ? WHERE portfolio_id = ?", to.account.accountId, moved);
    give(bob);
    const description = `<code>${moved}</code> <span class="muted">not readable while it is not yours</span>`;
    expect(await text("/dashboard/keys")).to.contain(description);
    give(ann);
    expect(await text("/dashboard/keys")).to.not.contain("not readable");
  });

  it("do not repeat headlines in activity details, and use one date format", async () => {
    await sendToken({ name: "told" });
    const page = await text("/dashboard/activity");
    const rowOf = (title: string) => page.split("<tr>").find((row) => row.includes(`<strong>${title}</strong>`))!;
    const detailOf = (title: string) => /<br><span class="muted">(.*?)<\/span>/.exec(rowOf(title))?.[1] ?? null;
    expect(detailOf("Password set by a link")).to.equal(null);
    expect(detailOf("Sign-in link made")).to.equal("login ann");
    expect(detailOf("Account opened")).to.equal(null);
    expect(detailOf("Key created")).to.match(/^expires \d+ [A-Z][a-z]{2} \d{4}, \d\d:\d\d UTC, reads 1 portfolio$/);
    const shown = page.replaceAll(/ datetime="[^"]*"/g, "");
    expect(shown).to.not.match(/\d{4}-\d{2}-\d{2}|consent \d|password set\b|invited /);
  });

  it("list the activity page by page back to its beginning", async () => {
    ann.world.keysOf((keys) => {
      for (let count = 0; count < 55; count += 1) keys.rotate(ann.account.key.keyId);
    });
    const first = await text("/dashboard/activity");
    const older = /href="(\/dashboard\/activity\?before=\d+)"/.exec(first)?.[1] ?? "";
    const second = await text(older);
    expect(first.split("<tr>")).to.have.length(52);
    expect(first).to.not.contain("Account opened");
    expect(second).to.contain("<strong>Password set by a link</strong>").and.not.contain("owner or portfolio changed");
    expect(second).to.contain("Account opened").and.contain('href="/dashboard/activity"').and.not.contain("before=");
  });

  it("warn of the last key's end from 14 days before", async () => {
    const endOf = async (days: number) => {
      ann.world.clock.advance(days * dayMs);
      visitor = await ann.signedIn();
      return /id="key-end"><p>([^<]*)</.exec(await text("/dashboard"))?.[1] ?? null;
    };
    const last = ann.world.sql(
      "SELECT max(expires_at) AS at FROM api_keys WHERE account_id = ? AND kind = 'project' AND revoked_at IS NULL",
      ann.account.accountId,
    );
    const left = (Number(last[0]!.at) - ann.world.clock.at) / dayMs;
    expect(await endOf(left - 15)).to.equal(null);
    expect(await endOf(2)).to.match(/^Your last key, \w+, ends on \d+ \w+ 2026\. $/);
    expect(await endOf(20)).to.match(/^Your last key, \w+, ended on /);
  });
});
