import { Server } from "node:http";
import { expect } from "chai";
import { batchRequestsMax } from "../../src/access/ledger/group-commit.ts";
import { leaseMs } from "../../src/access/ledger/ledger.ts";
import { serviceSlots } from "../../src/access/plans.ts";
import { requestBytesMax } from "../../src/agent/limits.ts";
import { bodyBytesMax } from "../../src/api/body.ts";
import { serverDefaults } from "../../src/api/server.ts";
import { closeDatabase, openFixedReader } from "../../src/store/database.ts";
import { guideFile } from "../support/guides.ts";
import { itLong } from "../support/size.ts";
import { World } from "../support/world.ts";
import { type Connection, PlayedPrograms } from "./played-programs.ts";

type Row = { of: string; name: string; value: string };
type ConnectionRow = { kind: string; name: string; settings: Record<string, string> };

const documentedText = guideFile("fixed-settings.txt");

/** The first table of the guide's file: `of` is the part of the program that has the setting. */
function documentedSettings(): Row[] {
  return [...documentedText.matchAll(/^\| (\w+) `(\w+)` \| (\S+) \|/gm)].map(([, of = "", name = "", value = ""]) => ({
    of,
    name,
    value,
  }));
}

/** The second table of the guide's file: the settings in which connections of a kind differ. */
function documentedConnections(): ConnectionRow[] {
  return [...documentedText.matchAll(/^\| (\w+) (\w+) \| (\d+) \| (\d+) \| (-\d+) \|/gm)].map(
    ([, kind = "", name = "", busy_timeout = "", wal_autocheckpoint = "", cache_size = ""]) => ({
      kind,
      name,
      settings: { busy_timeout, wal_autocheckpoint, cache_size },
    }),
  );
}

/** Parts of a program that open a file for writing: a thread by its source, else a function on the way to the connection. */
const writers: Record<string, string> = {
  "src/access/ledger/worker.ts": "ledger",
  "src/access/owners/worker.ts": "owners",
  "src/jobs/owner-portfolios/worker.ts": "portfolios",
  "src/jobs/mirror/worker.ts": "mirror",
  "src/jobs/roi/worker.ts": "returns",
  refuseUnlessWritable: "start",
  importing: "import",
  valueFile: "valuation",
  withDatabase: "command",
  playLog: "replaced",
  shutAsIn: "restored",
};

/** The settings of the second table. */
const differing = ["busy_timeout", "wal_autocheckpoint", "cache_size"];

/** Kinds of connections, and which rows of the first table they have. */
const kinds: Record<string, readonly string[]> = {
  bare: ["every"],
  copier: ["every", "file"],
  reader: ["every", "file", "reader"],
  writer: ["every", "file", "writer"],
  draft: ["every", "file", "writer", "draft"],
};

/** Readers of a server with a separate row, in the order in which it opens them. */
const serverReaders = ["market", "exports"];

/** Returns the kind of a connection, and the name of its row in the second table, or null without a row. */
function roleOf(connection: Connection, readersOfServer: readonly Connection[]): { kind: string; name: string | null } {
  const { thread, opened } = connection;
  // Only checks whether another program has the file open.
  if (opened.includes("isOpenElsewhere")) return { kind: "bare", name: null };
  if (opened.includes("copyWhole")) return { kind: "copier", name: null };
  if (opened.includes("openReader")) {
    return { kind: "reader", name: serverReaders[readersOfServer.indexOf(connection)] ?? "others" };
  }
  if (!opened.includes("openWriter")) return { kind: "bare", name: null };
  if (opened.includes("createDatabase")) return { kind: "draft", name: "made" };
  const [name] = [thread, ...opened].flatMap((part) => writers[part] ?? []);
  return { kind: "writer", name: name ?? `of ${thread} by ${opened.join(" < ")}` };
}

describe("fixed settings of the guide", () => {
  const rows = documentedSettings();
  const documented = (of: string) => rows.filter((row) => row.of === of);
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.stop());

  it("cover each part of the program", () => {
    expect(
      Object.fromEntries(
        ["file", "writer", "reader", "fixed", "draft", "every", "server", "limit"].map((of) => [
          of,
          documented(of).length,
        ]),
      ),
    ).to.deep.equal({
      file: 2,
      writer: 5,
      reader: 1,
      fixed: 1,
      draft: 1,
      every: 4,
      server: 7,
      limit: 7,
    });
  });

  itLong("are set on the connections of servers, threads and commands", async function () {
    this.timeout(180_000);
    const connections = new Map(
      documentedConnections().map(({ kind, name, settings }) => [`${kind} ${name}`, settings]),
    );
    const kindsOfAll = [...new Set(Object.values(kinds).flat())];
    const names = [...kindsOfAll.flatMap(documented).map(({ name }) => name), ...differing];
    const seen = await new PlayedPrograms(names).play();
    const played = new Set<string>();
    const readersOfServer = seen
      .filter(({ opened }) => opened.includes("openReaders"))
      .sort((one, other) => one.number - other.number);
    for (const connection of seen) {
      const { kind, name } = roleOf(connection, readersOfServer);
      const shared = kinds[kind]!.flatMap(documented).map((row) => [row.name, row.value]);
      const settings = {
        ...Object.fromEntries(shared),
        ...(name === null ? {} : connections.get(`${kind} ${name}`)),
      };
      const found = Object.fromEntries(Object.keys(settings).map((of) => [of, connection.settings[of]]));
      expect(found, `${kind} ${name}: ${JSON.stringify(connection)}`).to.deep.equal(settings);
      if (name !== null) played.add(`${kind} ${name}`);
    }
    expect([...played].sort()).to.deep.equal([...connections.keys()].sort());
  });

  it("are set on a market downloaded from a release", async () => {
    const copy = `${world.path}.taken`;
    world.sql("VACUUM INTO ?", copy);
    const reader = openFixedReader(copy);
    for (const { name, value } of ["file", "every", "reader", "fixed"].flatMap(documented))
      expect(String(reader.$client.pragma(name, { simple: true }) ?? 0), name).to.equal(value);
    closeDatabase(reader);
  });

  it("are set on the running HTTP server", () => {
    const handles = (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles();
    const server = handles.find((handle) => handle instanceof Server && handle.listening);
    expect(server, "the server that listens").to.not.equal(undefined);
    const settings = server as Record<string, unknown>;
    for (const { name, value } of documented("server")) expect(String(settings[name]), name).to.equal(value);
  });

  it("equal the program's limits", () => {
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
