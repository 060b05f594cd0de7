import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
import { parseWordsOrExit } from "../../scripts/support/flags.ts";
import { checkDatabase } from "../../src/store/check/check.ts";
import { Random } from "../sim/random.ts";
import { ServerChild } from "./child.ts";
import { FaultFile } from "./fault-file.ts";
import { Load } from "./load.ts";

/**
 * Kills a server and its Litestream under load, restores the copy and compares it with the remaining file: `npm test -- --long drill BINARY
 * --rounds 3 --seconds 4`. Prints a line for each round. Exit code 1 after a 503, after a fault of the copy, or if it lacks a charge older
 * than ten seconds.
 */
const { values, positionals } = parseWordsOrExit(
  { rounds: { type: "string", default: "3" }, seconds: { type: "string", default: "4" } },
  "usage: npm test -- --long drill BINARY [--rounds 3] [--seconds 4]",
);
const [binary] = positionals;
if (binary === undefined) {
  console.error(
    "name the binary of Litestream; that of npm lies in node_modules/@flydotio/litestream-linux-x64/litestream",
  );
  process.exit(64);
}

/** As many as accounts: each may ask 540 times a minute, so a round is over before the limit stops the load. */
const connections = 64;
const lostMsMax = 10_000;
process.umask(0o077);
const file = new FaultFile();
try {
  const people = file.people(connections);
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    const { line, isGood } = await drill(round, binary, people);
    console.log(line);
    if (!isGood) process.exitCode = 1;
  }
} finally {
  file.remove();
}

async function drill(round: number, program: string, people: ReturnType<FaultFile["people"]>) {
  const config = join(file.folder, "litestream.yml");
  const replica = { type: "file", path: join(file.folder, "replica"), "sync-interval": "1s" };
  // JSON is YAML.
  writeFileSync(
    config,
    JSON.stringify({ dbs: [{ path: file.path, "max-checkpoint-page-count": 2000, replicas: [replica] }] }),
  );
  const litestream = spawn(program, ["replicate", "-config", config], { stdio: "ignore" });
  const ended = once(litestream, "exit");
  const server = await ServerChild.start(file.path);
  const load = new Load(server.base, people, connections, new Random(round), file.marketState());
  await wait(Number(values.seconds) * 1000);
  litestream.kill("SIGKILL");
  await Promise.all([server.stop(), ended]);
  await load.over();
  const copy = join(file.folder, `restored-${round}`, "itemtape.db");
  mkdirSync(join(file.folder, `restored-${round}`));
  const startedMs = performance.now();
  const restored = spawnSync(program, ["restore", "-config", config, "-o", copy, file.path], { encoding: "utf8" });
  if (restored.status !== 0) throw new Error(`the restore failed: ${restored.stderr}`);
  const tookMs = performance.now() - startedMs;
  const { charged, unavailable } = load.reported;
  const kept = unitsOf(copy);
  const lost = [...charged].filter((id) => !kept.ids.has(id)).length;
  const lostMs = unitsOf(file.path).lastAt - kept.lastAt;
  const { faults } = checkDatabase(copy);
  const line = `round ${round}: ${charged.size} charges answered, ${unavailable.size} refused with 503; the copy lacks the last ${lost}, of ${lostMs} ms; restored in ${Math.round(tookMs)} ms; ${faults.length} faults${faults.map((fault) => `\n  ${fault}`).join("")}`;
  return { line, isGood: unavailable.size === 0 && lostMs < lostMsMax && faults.length === 0 };
}

function unitsOf(path: string): { ids: ReadonlySet<string>; lastAt: number } {
  const client = new SqliteDatabase(path);
  try {
    const ids = client.prepare<[], string>("SELECT request_id FROM usage_events").pluck().all();
    const lastAt = client.prepare<[], number>("SELECT coalesce(max(at), 0) FROM usage_events").pluck().get() ?? 0;
    return { ids: new Set(ids), lastAt };
  } finally {
    client.close();
  }
}
