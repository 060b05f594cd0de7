import type { Client } from "@modelcontextprotocol/client";
import { expect } from "chai";
import { searchPage } from "../../src/client/find-items.ts";
import { Itemtape } from "../../src/client/index.ts";
import { phaseIn } from "../../src/values/text/phases.ts";
import { agentOf, callTool } from "../agent/agent-world.ts";
import { runHere } from "../support/cli.ts";
import { World } from "../support/world.ts";

const words = [
  ["pearl", "Black Pearl"],
  ["black pearl", "Black Pearl"],
  ["Black  PEARL", "Black Pearl"],
  ["blackpearl", "Black Pearl"],
  ["ruby", "Ruby"],
  ["sapphire", "Sapphire"],
  ["emerald", "Emerald"],
  ["phase 2", "Phase 2"],
  ["phase2", "Phase 2"],
  ["p2", "Phase 2"],
] as const;

type Phased = { phase: string | null };

describe("phase words", () => {
  let world: World;
  let agent: Client;
  let secret: string;
  before(async () => {
    world = await World.start();
    ({ secret } = world.account("quant"));
    agent = await agentOf(world.base, secret);
  });
  after(async () => {
    await agent.close();
    await world.stop();
  });

  const run = async (...given: string[]) => {
    const env = { ITEMTAPE_API_KEY: secret, ITEMTAPE_URL: world.base };
    return (await runHere([...given, "--json"], { env })).lines.map((line) => JSON.parse(line));
  };
  const called = async (name: string, given: object) =>
    (await callTool(agent, name, given)).structuredContent as { data: Phased[] & { items: Phased[] } };
  /** Each door finds items by words of a name, or by a filter, and returns them. */
  const doors: Readonly<Record<string, (word: string) => Promise<readonly Phased[]>>> = {
    "the command search": (word) => run("search", `doppler ${word} fn`),
    "the command get": async (word) => (await run("get", "listItems", "q=doppler", `phase=${word}`))[0].data,
    "the agent's findPrices": async (word) => (await called("findPrices", { name: `${word} doppler` })).data.items,
    "the agent's filter": async (word) => (await called("listItems", { q: "doppler", phase: word })).data,
    "the market page": async (word) => {
      const client = new Itemtape({ baseUrl: world.base, apiKey: secret });
      return (await searchPage(client, { text: `doppler ${word}`, filters: {} }, undefined)).items;
    },
  };

  for (const [door, find] of Object.entries(doors)) {
    it(`${door}: finds the same phase by each of its words`, async () => {
      for (const [word, phase] of words) {
        const found = new Set((await find(word)).map((item) => item.phase));
        expect([...found], word).to.deep.equal([phase]);
      }
    });
  }

  it("splits a phase word from the other words", () => {
    for (const [word, phase] of words) {
      expect(phaseIn(word)).to.deep.equal({ rest: "", phase });
      expect(phaseIn(`karambit ${word} fn`)).to.deep.equal({ rest: "karambit fn", phase });
      expect(phaseIn(`"karambit" "${word}"`)).to.deep.equal({ rest: '"karambit"', phase });
    }
    expect(phaseIn("Bayonet P4 fn")).to.deep.equal({ rest: "Bayonet fn", phase: "Phase 4" });
    expect(phaseIn("black pearl flip knife")).to.deep.equal({ rest: "flip knife", phase: "Black Pearl" });
    for (const text of ["rubycon p90", "ak redline", "phase 5", "p12", "black", "ап2", ""])
      expect(phaseIn(text), text).to.equal(null);
  });
});
