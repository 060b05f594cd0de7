import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { useScriptedServer } from "../client/scripted-server.ts";
import type { RanHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { type Body, openableBody, outcomesBody, runRecompute, slug } from "./recompute-answers.ts";

/** Clears a screen, names a window, is an escape sequence in one character, turns the direction, breaks a line. */
const hostile = "\u001b[2J\u001b]0;x\u0007\u007f\u009b31m\u0085\u202e\u2066\u200f\u2028\u2029\u{e0041}";
const tier = `mil_${hostile}`;
const raw = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** The golden responses with a tier of this name and weight. */
function hostileBodies(weight = 625): { openable: Body; outcomes: Body } {
  const [openable, outcomes] = [openableBody(), outcomesBody()];
  Object.assign(openable.data.pool.tiers[0], { tier, weight });
  for (const outcome of outcomes.data) if (outcome.tier === "mil_spec") outcome.tier = tier;
  return { openable, outcomes };
}

describe("foreign text printed by `roi recompute`", () => {
  const folder = temporaryFolder();
  const server = useScriptedServer();
  after(() => rmSync(folder, { recursive: true, force: true }));

  const fromFiles = ({ openable, outcomes }: { openable: unknown; outcomes: unknown }, ...more: string[]) => {
    const [current, page] = [join(folder, "current.json"), join(folder, "outcomes.json")];
    writeFileSync(current, JSON.stringify(openable));
    writeFileSync(page, JSON.stringify(outcomes));
    return runRecompute([slug, "--current", current, "--outcomes", page, ...more]);
  };
  const expectClean = ({ lines, notes }: RanHere) => {
    const printed = [...lines, ...notes];
    expect(printed).to.not.have.length(0);
    for (const line of printed) expect(JSON.stringify(line.match(raw)), JSON.stringify(line)).to.equal("null");
  };

  it("is harmless as a tier's name in a difference, complete in JSON", async () => {
    const bodies = hostileBodies();
    bodies.openable.data.pool.tiers[0].probability_pct = "79.92327367";
    const text = await fromFiles(bodies);
    expectClean(text);
    expect(text.lines.at(-1)).to.match(
      /^ {2}pool\.tiers\[mil_\?.*\]\.probability_pct: served "79\.92327367", recomputed/,
    );
    const json = await fromFiles(bodies, "--json");
    expectClean(json);
    const [{ field }] = JSON.parse(json.lines[0]!).differences;
    expect(field).to.equal(`pool.tiers[${tier}].probability_pct`);
  });

  it("is cut to a line, with a note on hidden differences", async () => {
    const outcomes = outcomesBody();
    for (const outcome of outcomes.data) {
      for (const name of ["probability_numerator", "probability_denominator"])
        outcome[name] = String(BigInt(outcome[name]) * 10n ** 500n);
    }
    outcomes.data[0].probability_denominator = outcomes.data[0].probability_denominator.replace(/0$/, "1");
    const { code, lines } = await fromFiles({ openable: openableBody(), outcomes });
    expect(code).to.equal(65);
    for (const line of lines) expect(line.length).to.be.lessThan(400);
    expect(lines).to.include(
      "  outcomes[item 200].probability_denominator: differs beyond this line; --json shows both values",
    );
  });

  const refusals: [
    title: string,
    change: (bodies: ReturnType<typeof hostileBodies>) => unknown,
    description: RegExp,
  ][] = [
    ["a tier twice", ({ openable }) => openable.data.pool.tiers.push(openable.data.pool.tiers[0]), /is listed twice$/],
    ["another container", ({ openable }) => Object.assign(openable.data, { slug: `a${hostile}` }), /data\.slug must/],
    ["an unknown field", ({ openable }) => Object.assign(openable.data, { [hostile]: 1 }), /is unknown$/],
    [
      "a time",
      ({ openable }) => Object.assign(openable.data.current, { calculated_at: hostile }),
      /calculated_at must/,
    ],
  ];
  for (const [title, change, description] of refusals) {
    it(`is harmless when ${title} is refused`, async () => {
      const bodies = hostileBodies();
      change(bodies);
      const ran = await fromFiles(bodies);
      expectClean(ran);
      expect([ran.code, ran.notes.length]).to.deep.equal([65, 1]);
      expect(ran.notes[0]).to.match(description);
    });
  }

  it("is harmless in a saved refusal", async () => {
    const refusal = { type: hostile, title: hostile, status: 404, code: "not_found", request_id: hostile };
    for (const more of [{}, { detail: hostile }, { code: `a${hostile}` }])
      expectClean(await fromFiles({ openable: { ...refusal, ...more }, outcomes: {} }));
  });

  it("is harmless in a server's problems, codes, redirects and waits", async () => {
    const ask = () => runRecompute([slug, "--url", server.base], { ITEMTAPE_API_KEY: "itemtape_live_secret" });
    const body = { title: hostile, status: 503, code: "service_unavailable", detail: hostile };
    const json = { "content-type": "application/problem+json" };
    let asked = 0;
    server.otherwise = (response) => {
      asked += 1;
      response.writeHead(503, { ...json, "retry-after": asked === 1 ? "0" : "999" }).end(JSON.stringify(body));
    };
    const refused = await ask();
    expectClean(refused);
    expect([refused.code, refused.notes.length]).to.deep.equal([75, 2]);
    server.otherwise = (response) => void response.writeHead(400, json).end(JSON.stringify({ ...body, code: hostile }));
    expectClean(await ask());
    server.otherwise = (response) => void response.writeHead(302, { location: "/\u009b31m\u0085" }).end();
    expectClean(await ask());
  });
});
