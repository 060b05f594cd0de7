import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { programPath } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { begins, ExportServer, type Item, items, lines, linesOf, sends } from "./export-server.ts";

describe("itemtape export as a process", () => {
  const folder = temporaryFolder();
  const path = join(folder, "market.out");
  let server: ExportServer;
  before(async () => {
    server = await ExportServer.start();
  });
  beforeEach(() => {
    server.reset();
    writeFileSync(path, "old");
  });
  after(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The program in its own process, started by a shell that may set limits. */
  const start = (format: string, limits = "true") => {
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith("ITEMTAPE_"));
    const env = { ...Object.fromEntries(own), ITEMTAPE_API_KEY: "itemtape_live_k", ITEMTAPE_URL: server.base };
    const words = [process.execPath, programPath, "export", path, "--format", format, "--force"];
    const child = spawn("bash", ["-c", `${limits}; exec "$@"`, "bash", ...words], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
    return { child, ended: ended.then(([[code], stdout, stderr]) => ({ code, stdout, stderr })) };
  };

  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    it(`stops at ${signal} with ${code} and keeps only the old file`, async () => {
      const begun = new Promise<ServerResponse>((resolve) => {
        server.script = [(response) => resolve(begins(response, lines.slice(0, 3)))];
      });
      const { child, ended } = start("sqlite");
      const response = await begun;
      const closed = once(response, "close");
      child.kill(signal);
      const { stderr, ...rest } = await ended;
      await closed;
      expect(rest).to.deep.equal({ code, stdout: "" });
      expect(stderr).to.match(
        new RegExp(`^(exporting\\n)?itemtape: stopped by ${signal}; .*market.out is not written\\n$`),
      );
      expect([readdirSync(folder), readFileSync(path, "utf8")]).to.deep.equal([["market.out"], "old"]);
    });
  }

  it("exits with 74 and keeps the old file beyond the size limit", async () => {
    const many = Array.from(
      { length: 1500 },
      (_, index): Item => ({ ...items[0]!, item_id: index + 1, market_hash_name: `${index ** 3}` }),
    );
    server.script = [sends(linesOf(many))];
    server.published = many;
    for (const format of ["ndjson", "sqlite"]) {
      const { code, stdout, stderr } = await start(format, "ulimit -f 16").ended;
      expect([code, stdout], `${format}: ${stderr}`).to.deep.equal([74, ""]);
      expect(stderr).to.match(/market\.out: cannot be written \((EFBIG|SQLITE_\w+)\); no part of it remains\n$/);
      expect([readdirSync(folder), readFileSync(path, "utf8")], format).to.deep.equal([["market.out"], "old"]);
    }
  });
});
