import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Random } from "../sim/random.ts";
import { until } from "../support/until.ts";
import { programPath, ServerChild } from "./child.ts";
import { FaultFile } from "./fault-file.ts";
import { Load } from "./load.ts";

export type DrillReport = {
  drills: number;
  /** Charges that were answered before a backup began, in all drills. */
  answered: number;
  /** Faults. Empty in a good run. */
  faults: string[];
};

const accounts = 8;
const connections = 16;

/**
 * Backs a file up while its server is under load, then kills the server and restores the backup in its place. The restored file must
 * be sound, hold every charge that was answered before the backup began, and serve.
 */
export async function drillRing({ drills = 1, seed = 1 } = {}): Promise<DrillReport> {
  const random = new Random(seed);
  const report: DrillReport = { drills: 0, answered: 0, faults: [] };
  for (; report.drills < drills; report.drills += 1) {
    const file = new FaultFile();
    const backup = join(file.folder, "backup.db");
    let server = await ServerChild.start(file.path);
    try {
      const load = new Load(server.base, file.people(accounts), connections, random, file.marketState());
      const answers = random.between(20, 200);
      await until("answers under load", () => load.reported.charged.size >= answers);
      const before = new Set(load.reported.charged);
      await itemtape(["db", "backup", backup, "--db", file.path], report);
      await server.stop();
      await load.over();
      await itemtape(["db", "restore", backup, "--db", file.path, "--force"], report);
      await itemtape(["db", "check", "--db", file.path], report);
      const { requestIds, faults } = file.ledger();
      const lost = [...before].filter((id) => !requestIds.has(id));
      report.answered += before.size;
      report.faults.push(...faults.map((fault) => `seed ${seed}, drill ${report.drills}: ${fault}`));
      if (lost.length > 0) report.faults.push(`seed ${seed}, drill ${report.drills}: ${lost.length} charges are lost`);
      server = await ServerChild.start(file.path);
      const { status } = await fetch(`${server.base}/v1/status`);
      if (status !== 200) report.faults.push(`seed ${seed}, drill ${report.drills}: the status is ${status}`);
    } finally {
      await server.stop();
      file.remove();
    }
  }
  return report;
}

async function itemtape(args: readonly string[], report: DrillReport): Promise<void> {
  const child = spawn(process.execPath, [programPath, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0)
    report.faults.push(`drill ${report.drills}: \`itemtape ${args.join(" ")}\` ended with ${code}: ${said}`);
}
