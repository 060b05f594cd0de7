import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

// Adapter of the conformance kit for the command line. Each call is a separate command.
const program = fileURLToPath(new URL("../../src/cli/itemtape.mjs", import.meta.url));

type Run = { stdout: string; stderr: string; failed: boolean };

function run(words: readonly string[], { base_url, key, deadline_ms }: Request): Promise<Run> {
  const env = { ...process.env, ITEMTAPE_URL: base_url, ITEMTAPE_API_KEY: key ?? "" };
  const options = { env, timeout: deadline_ms, maxBuffer: 2 ** 26 };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...words], options, (error, stdout, stderr) =>
      resolve({ stdout, stderr, failed: error !== null }),
    );
  });
}

// biome-ignore lint/suspicious/noExplicitAny: values of any operation of the contract.
type Request = Record<string, any>;

async function answerTo(request: Request, folder: string): Promise<object> {
  const { call, operation, parameters, body } = request;
  const named = { ...parameters, ...body };
  const file = join(folder, "market.ndjson");
  const days = [named.date, folder, "--format", "ndjson", "--resolution", named.resolution];
  const words = {
    operation: ["get", operation, ...pairs(named), "--json"],
    pages: ["get", operation, ...pairs(named), "--json", "--all"],
    follow: ["sync", file, "--json"],
    export: operation === "streamHistoryDay" ? ["export", "day", ...days] : ["export", file, "--json"],
  }[call as "operation"];
  let { stdout, stderr, failed } = await run(words, request);
  for (let round = 1; round < (request.rounds ?? 1) && !failed; round += 1)
    ({ stdout, stderr, failed } = await run(words, request));
  if (failed) {
    // After the deadline the last line is the note of a wait.
    const [, status = null, code = null] = /HTTP (\d{3})(?:,? `?(\w+)[`;])?.*\n$/.exec(stderr) ?? [];
    return { problem: { code, status: status === null ? null : Number(status) } };
  }
  const lines = stdout.trim().split("\n");
  if (call === "pages") return { value: stdout === "" ? [] : lines.map((line) => JSON.parse(line)) };
  if (operation === "streamHistoryDay") {
    const [, count, sha256] = /complete, (\d+) records.* digest (\w+)$/.exec(lines[0]!) ?? [];
    return { value: { count: Number(count), sha256 } };
  }
  const { data, items, digest, generation } = JSON.parse(stdout);
  if (call === "operation") return { value: data };
  return {
    value: call === "follow" ? { count: items, next: generation, sha256: digest } : { count: items, sha256: digest },
  };
}

function pairs(named: object): string[] {
  return Object.entries(named).map(([name, value]) =>
    Array.isArray(value) ? `${name}=${JSON.stringify(value)}` : `${name}=${value}`,
  );
}

for await (const line of createInterface({ input: process.stdin })) {
  const request: Request = JSON.parse(line);
  const folder = mkdtempSync(join(tmpdir(), "itemtape-kit-"));
  const answer = await answerTo(request, folder).finally(() => rmSync(folder, { recursive: true }));
  console.log(JSON.stringify({ id: request.id, ...answer }));
}
