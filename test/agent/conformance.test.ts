import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "chai";
import { type HttpAgent, serveHttp } from "../../src/agent/http.ts";
import { Itemtape } from "../../src/client/index.ts";
import { describeLong } from "../support/size.ts";
import { needPath } from "../support/skip.ts";
import { World } from "../support/world.ts";

const suite = fileURLToPath(
  new URL("../../scripts/agents/node_modules/@modelcontextprotocol/conformance/", import.meta.url),
);
/** The two revisions that the adapter serves. */
const both = ["2025-11-25", "2026-07-28"];
/** Tools of the suite's own server. Without them a check reports that it cannot run. */
const ownTools = "test_missing_capability|test_streaming_elicitation|test_logging_tool|json_schema_2020_12_tool";

/** Scenarios with the revisions that list them, and how many of their checks need a tool of the suite's own server. */
const scenarios: readonly (readonly [name: string, revisions: readonly string[], needTool: number])[] = [
  ["server-initialize", ["2025-11-25"], 0],
  ["ping", ["2025-11-25"], 0],
  ["tools-list", both, 0],
  ["server-stateless", ["2026-07-28"], 4],
  ["json-schema-2020-12", both, 1],
  ["dns-rebinding-protection", both, 0],
  ["caching", ["2026-07-28"], 0],
  ["http-header-validation", ["2026-07-28"], 0],
];

describeLong("agent adapter in the protocol's own suite", () => {
  let world: World;
  let adapter: HttpAgent;
  before(async function () {
    needPath(this, suite);
    world = await World.start({ fewItems: true });
    adapter = await serveHttp({
      host: "127.0.0.1",
      port: 0,
      clientOf: (key) => new Itemtape({ baseUrl: world.base, apiKey: key ?? undefined }),
      adapterContext: { keySource: "the test", address: null },
      note: () => undefined,
    });
  });
  after(async () => {
    await adapter?.close(1000);
    await world?.stop();
  });

  for (const [name, revisions, needTool] of scenarios) {
    for (const revision of revisions) {
      it(`passes ${name} of ${revision}${needTool === 0 ? "" : ` but for ${needTool} that need the suite's tools`}`, async () => {
        const words = ["--url", `http://127.0.0.1:${adapter.port}/mcp`, "--scenario", name, "--spec-version", revision];
        const run = promisify(execFile)(process.execPath, [join(suite, "dist/index.js"), "server", ...words]);
        const { stdout, stderr } = await run.catch((failed: { stdout: string; stderr: string }) => failed);
        const output = `${stdout}${stderr}`;
        const [, passed, all, failed] = /^Passed: (\d+)\/(\d+), (\d+) failed, 0 warnings/m.exec(output) ?? [];
        expect([Number(failed), Number(passed) + needTool], output).to.deep.equal([needTool, Number(all)]);
        expect(output.match(new RegExp(`^ +Error: .*(?:${ownTools})`, "gm")) ?? [], output).to.have.length(needTool);
      });
    }
  }
});
