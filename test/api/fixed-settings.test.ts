import { readFileSync } from "node:fs";
import { Server } from "node:http";
import { expect } from "chai";
import { batchRequestsMax } from "../../src/access/ledger/group-commit.ts";
import { leaseMs } from "../../src/access/ledger/ledger.ts";
import { serviceSlots } from "../../src/access/plans.ts";
import { requestBytesMax } from "../../src/agent/limits.ts";
import { bodyBytesMax } from "../../src/api/body.ts";
import { serverDefaults } from "../../src/api/server.ts";
import { type Database, openReader, openWriter } from "../../src/store/database.ts";
import { guideFolder, repository } from "../support/guides.ts";
import { World } from "../support/world.ts";

type Row = { of: string; name: string; value: string };

/** The table of the guide: `of` is the part of the program that has the setting. */
function documentedSettings(): Row[] {
  const text = readFileSync(`${repository}${guideFolder}/operating.md`, "utf8");
  const [, section = ""] = text.split("## Fixed settings\n");
  return [...section.split("\n## ")[0]!.matchAll(/^\| (\w+) `(\w+)` \| (\S+) \|/gm)].map(
    ([, of = "", name = "", value = ""]) => ({ of, name, value }),
  );
}

describe("The fixed settings of the guide", () => {
  const rows = documentedSettings();
  const documented = (of: string) => rows.filter((row) => row.of === of);
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.stop());

  it("the table has settings of each part of the program", () => {
    expect(
      Object.fromEntries(
        ["file", "writer", "reader", "both", "server", "limit"].map((of) => [of, documented(of).length]),
      ),
    ).to.deep.equal({
      file: 2,
      writer: 6,
      reader: 3,
      both: 4,
      server: 7,
      limit: 7,
    });
  });

  it("every connection to a file has the settings of the guide", () => {
    const connections: Record<string, Database> = {
      writer: openWriter(world.path, 50),
      reader: openReader(world.path),
    };
    for (const [kind, { $client: client }] of Object.entries(connections)) {
      for (const { name, value } of [...documented(kind), ...documented("both"), ...documented("file")])
        expect(String(client.pragma(name, { simple: true }) ?? 0), `${kind} ${name}`).to.equal(value);
      client.close();
    }
  });

  it("the running HTTP server has the settings of the guide", () => {
    const handles = (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles();
    const server = handles.find((handle) => handle instanceof Server && handle.listening);
    expect(server, "the server that listens").to.not.equal(undefined);
    const settings = server as Record<string, unknown>;
    for (const { name, value } of documented("server")) expect(String(settings[name]), name).to.equal(value);
  });

  it("the limits are those of the guide", () => {
    const { connectionsMax, inFlightMax } = serverDefaults;
    const limits: Record<string, number> = {
      connectionsMax,
      inFlightMax,
      bodyBytesMax,
      serviceSlots,
      leaseMs,
      batchRequestsMax,
      agentRequestBytesMax: requestBytesMax,
    };
    expect(Object.fromEntries(documented("limit").map(({ name, value }) => [name, Number(value)]))).to.deep.equal(
      limits,
    );
  });
});
