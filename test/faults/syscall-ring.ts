import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { childProgram } from "../../scripts/support/child-program.ts";
import { FaultFile } from "./fault-file.ts";

/** The fault at the n-th call: the process is killed, or the call fails. */
export const faultKinds = ["SIGKILL", "EIO", "ENOSPC"] as const;
export type FaultKind = (typeof faultKinds)[number];
export const faultedCalls = ["pwrite64", "fsync"] as const;
export type FaultedCall = (typeof faultedCalls)[number];

export type SyscallReport = {
  points: number;
  /** Points by `kind call: how the process ended`. */
  endings: Map<string, number>;
  answered: number;
  refused: number;
  /** Recorded and never answered. */
  unanswered: number;
  /** Faults, each with its point. Empty in a good run. */
  faults: string[];
};

type Point = { kind: FaultKind; call: FaultedCall; nth: number };
type Run = { code: number | null; signal: string | null; lines: string[]; stderr: string };

const driver = new URL("./ledger-driver.ts", import.meta.url);

/**
 * Fails one system call of the ledger on its write-ahead log, or kills the process at it. Repeats that at up to `pointsMax` points among
 * all writes and syncs of charges, of an export's admission and of its end. Then opens the file and compares. Runs two at a time. `shift`,
 * from 0 to 1, moves the points.
 */
export async function syscallRing({ pointsMax = Number.POSITIVE_INFINITY, shift = 0.5 } = {}): Promise<SyscallReport> {
  const report: SyscallReport = { points: 0, endings: new Map(), answered: 0, refused: 0, unanswered: 0, faults: [] };
  const points = spread(await allPoints(), pointsMax, shift);
  const next = async (): Promise<void> => {
    for (let point = points.shift(); point !== undefined; point = points.shift()) await tryPoint(point, report);
  };
  await Promise.all([next(), next()]);
  return report;
}

/** A run without faults counts the calls. */
async function allPoints(): Promise<Point[]> {
  const file = new FaultFile({ empty: true });
  try {
    const trace = join(file.folder, "trace");
    await run(file, ["-o", trace, "-e", `trace=${faultedCalls}`]);
    const lines = readFileSync(trace, "utf8").split("\n");
    return faultedCalls.flatMap((call) => {
      const calls = lines.filter((line) => line.includes(`${call}(`)).length;
      if (calls === 0) throw new Error(`the ledger made no ${call} on its log`);
      return faultKinds
        .filter((kind) => kind !== "ENOSPC" || call === "pwrite64")
        .flatMap((kind) => Array.from({ length: calls }, (_, index) => ({ kind, call, nth: index + 1 })));
    });
  } finally {
    file.remove();
  }
}

/** Evenly over each kind and call, so that a short run meets all of them. */
function spread(points: readonly Point[], pointsMax: number, shift: number): Point[] {
  const groups = faultKinds
    .flatMap((kind) => faultedCalls.map((call) => points.filter((point) => point.kind === kind && point.call === call)))
    .filter((group) => group.length > 0);
  const share = Math.max(1, Math.floor(pointsMax / groups.length));
  return groups.flatMap((group) => {
    const wanted = Math.min(share, group.length);
    return Array.from({ length: wanted }, (_, index) => group[Math.floor(((index + shift) * group.length) / wanted)]!);
  });
}

async function tryPoint(point: Point, report: SyscallReport): Promise<void> {
  const { kind, call, nth } = point;
  const file = new FaultFile({ empty: true });
  try {
    const effect = kind === "SIGKILL" ? "signal=SIGKILL" : `error=${kind}`;
    const ran = await run(file, [
      "-o",
      "/dev/null",
      "-e",
      `trace=${call}`,
      "-e",
      `inject=${call}:${effect}:when=${nth}`,
    ]);
    checkOutcome(`${kind} at ${call} ${nth}`, point, ran, file, report);
  } finally {
    file.remove();
  }
}

function checkOutcome(name: string, { kind, call }: Point, ran: Run, file: FaultFile, report: SyscallReport): void {
  const message = (word: string) =>
    ran.lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.split(" ")[1]!);
  const [answered, refused] = [message("answered"), message("refused")];
  // After a failure between the last commit and the file's close, the next start finds a whole file.
  const closed = ran.lines.includes("closed");
  const fatal = message("fatal").length > 0;
  const { requestIds, faults } = file.ledger();
  const say = (isFault: boolean, what: string) => {
    if (isFault) report.faults.push(`${name}: ${what}`);
  };
  const lost = answered.filter((id) => !requestIds.has(id));
  const unanswered = [...requestIds].filter((id) => !answered.includes(id) && !refused.includes(id)).length;
  say(lost.length > 0, `${lost.join(", ")} answered and lost`);
  say(kind === "ENOSPC" && refused.some((id) => requestIds.has(id)), "refused and recorded");
  say(unanswered > 3, `${unanswered} recorded and not answered, more than one batch`);
  for (const fault of faults) say(true, fault);
  const ending = ran.signal ?? `exit ${ran.code}`;
  if (kind === "SIGKILL") say(ending !== "SIGKILL", `the process should have been killed, not ${ending}`);
  else if (kind === "ENOSPC" || closed) say(ran.code !== 0 || !closed, `it should go on, not ${ending}`);
  else say(ran.code !== 1 || !fatal, `no fail-stop but ${ending}: ${ran.stderr}`);
  const ended = `${kind} ${call}: ${ending}`;
  report.endings.set(ended, (report.endings.get(ended) ?? 0) + 1);
  report.points += 1;
  report.answered += answered.length;
  report.refused += refused.length;
  report.unanswered += unanswered;
}

async function run(file: FaultFile, tracing: readonly string[]): Promise<Run> {
  const { accountId, keyId } = file.person();
  const words = [...tracing, "-D", "-f", "-qq", "-P", `${file.path}-wal`];
  const program = [process.execPath, ...childProgram(driver), file.path, accountId, keyId];
  const child = spawn("strace", [...words, ...program], { stdio: ["ignore", "pipe", "pipe"] });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      resolve({ code, signal, lines: texts.stdout.split("\n"), stderr: texts.stderr });
    });
  });
}
