import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { lengthenExport } from "../api/exports.ts";
import { Random } from "../sim/random.ts";
import { until } from "../support/until.ts";
import { bearer, ServerChild } from "./child.ts";
import { ExportClient } from "./export-client.ts";
import { FaultFile, type Person } from "./fault-file.ts";

export type ClientReport = {
  clients: number;
  /** Clients by kind. */
  kinds: Map<ClientKind, number>;
  /** Faults, each with its round. Empty in a good run. */
  faults: string[];
};

const clientKinds = ["ends", "resets", "stalls, then resets", "drips its request", "half a header"] as const;
type ClientKind = (typeof clientKinds)[number];
const peopleCount = 8;

/**
 * Runs `clients` faulty export clients in rounds of eight, each with a separate account. After each round no slot is held, the next export
 * of one of them is complete, and at most the started exports are charged.
 */
export async function clientRing({ clients = 40, seed = 1 } = {}): Promise<ClientReport> {
  const random = new Random(seed);
  const report: ClientReport = { clients: 0, kinds: new Map(clientKinds.map((kind) => [kind, 0])), faults: [] };
  const file = new FaultFile();
  lengthenExport(file, 50);
  const people = file.people(peopleCount);
  const server = await ServerChild.start(file.path);
  try {
    for (let round = 0; report.clients < clients; round += 1) {
      const usedBefore = people.map((person) => file.used(person));
      const kinds = people.map(() => random.pick(clientKinds));
      const records = people.map(() => random.between(0, 6000));
      await Promise.all(people.map((person, index) => misbehave(kinds[index]!, person, server.port, records[index]!)));
      for (const kind of kinds) report.kinds.set(kind, report.kinds.get(kind)! + 1);
      report.clients += peopleCount;
      await until("no place is held", () => file.liveLeases() === 0, 20_000).catch((error: Error) =>
        report.faults.push(`seed ${seed}, round ${round}: ${error.message}`),
      );
      const over = people.filter((person, index) => file.used(person) - usedBefore[index]! > 1);
      if (over.length > 0) report.faults.push(`seed ${seed}, round ${round}: ${over.length} paid twice`);
      const fault = await nextExport(server, random.pick(people));
      if (fault !== null) report.faults.push(`seed ${seed}, round ${round}: ${fault}`);
    }
    return report;
  } finally {
    await server.stop();
    file.remove();
  }
}

async function misbehave(kind: ClientKind, person: Person, port: number, records: number): Promise<void> {
  if (kind === "drips its request" || kind === "half a header") return drip(kind, person, port);
  const client = new ExportClient(port, person);
  await client.items(records);
  if (kind === "stalls, then resets") {
    client.stall();
    await wait(records / 20);
  }
  if (kind === "ends") client.socket.destroy();
  else client.vanish();
  await client.over;
}

/** Sends a request in single bytes and disconnects before its end, or long before. */
async function drip(kind: ClientKind, { secret }: Person, port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  const text = `POST /v1/markets/snapshot HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${secret}\r\n\r\n`;
  for (const letter of text.slice(0, kind === "half a header" ? 40 : -1)) {
    socket.write(letter);
    await new Promise(setImmediate);
  }
  socket.resetAndDestroy();
}

async function nextExport({ base }: ServerChild, person: Person): Promise<string | null> {
  const answer = await fetch(`${base}/v1/markets/snapshot`, { method: "POST", headers: bearer(person) });
  if (answer.status === 429) return null;
  if (answer.status !== 200) return `the next export is answered with ${answer.status}`;
  const lines = (await answer.text()).split("\n").slice(0, -1);
  const end = JSON.parse(lines.at(-1) ?? "{}") as { type?: string; items?: number };
  return end.type === "end" && end.items === lines.length - 2 ? null : "the next export is not whole";
}
