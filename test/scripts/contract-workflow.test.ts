import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { parse } from "yaml";
import { readDocumentText, repositoryRoot } from "../../scripts/contract/document.ts";
import { bundleContractDiff } from "../../scripts/support/bundle.ts";
import { temporaryFolder } from "../support/files.ts";
import { describeLong } from "../support/size.ts";
import { needTool } from "../support/skip.ts";

type Step = { name?: string; run?: string };

const folder = temporaryFolder();
after(() => rmSync(folder, { recursive: true }));
const text = readDocumentText();
/** The contract with the change that the guide shows. */
const broken = text.replace(/(operationId: listProviders$[\s\S]*?x-itemtape-cost:) 1$/m, "$1 2");
const guide = withoutLines(readFileSync(join(repositoryRoot, "src/web/docs/guides/contract-review.md"), "utf8"));

describeLong("contract workflow and action", () => {
  it("annotate a breaking pull request, write a summary and fail", async function () {
    needTool(this, "git", "--version");
    const clone = join(folder, "clone");
    spawnSync("git", ["clone", "-q", "--shared", repositoryRoot, clone]);
    linkPackages(clone);
    for (const name of ["src/review", "src/values", "scripts/contract-diff.ts"])
      cpSync(join(repositoryRoot, name), join(clone, name), { recursive: true });
    writeFileSync(join(clone, "openapi.yaml"), text);
    const git = (...args: string[]) =>
      spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@a.example", ...args], {
        cwd: clone,
        encoding: "utf8",
      });
    git("commit", "-qam", "base", "--allow-empty");
    const base = git("rev-parse", "HEAD").stdout.trim();
    writeFileSync(join(clone, "openapi.yaml"), broken);
    git("commit", "-qam", "change");
    const { jobs, permissions } = parse(readFileSync(join(repositoryRoot, ".github/workflows/contract.yml"), "utf8"));
    expect(permissions).to.deep.equal({ contents: "read" });
    const { stdout, summary, status } = await runStep(stepOf(jobs.review.steps, "Review"), clone, { BASE: base });
    expect(stdout).to.match(/^::error file=openapi\.yaml,line=\d+,title=Breaking%3A listProviders::A request costs 2/);
    const [, breaking = ""] = /(## Breaking \(1\)[\s\S]*?)\n\n## /.exec(summary) ?? [];
    for (const shown of [stdout, breaking])
      expect(guide).to.contain(`\`\`\`text\n${withoutLines(shown).trim()}\n\`\`\``);
    expect(status).to.equal(1);
  });

  it("compare a consumer's document with a server's document", async function () {
    needTool(this, "curl", "--version");
    await bundleContractDiff(repositoryRoot, folder);
    const tool = readFileSync(join(folder, "dist/contract-diff.mjs"));
    expect(tool.length).to.be.at.most(1_500_000);
    const server = createServer((request, response) =>
      response.end(request.url === "/client/contract-diff.mjs" ? tool : broken),
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const consumer = join(folder, "consumer");
    mkdirSync(consumer);
    writeFileSync(join(consumer, "used.yaml"), text);
    const { runs } = parse(readFileSync(join(repositoryRoot, ".github/actions/contract-diff/action.yml"), "utf8"));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const given = { DOCUMENT: "used.yaml", SERVER: address };
    const { stdout, summary, status } = await runStep(stepOf(runs.steps, "Compare"), consumer, given);
    server.close();
    expect(stdout).to.match(/^::error file=used\.yaml,line=\d+,title=Breaking%3A listProviders::/);
    expect(summary).to.contain("## Breaking (1)");
    expect(status).to.equal(1);
  });
});

/** Replaces line numbers of the contract, which each change above moves. */
function withoutLines(shown: string): string {
  return shown.replaceAll(/(openapi\.yaml(?:,line=|:))\d+/g, "$10");
}

/** Links the packages that `npm ci --omit=dev` installs. */
function linkPackages(clone: string): void {
  const { packages } = JSON.parse(readFileSync(join(repositoryRoot, "package-lock.json"), "utf8"));
  for (const [path, { dev }] of Object.entries<{ dev?: boolean }>(packages)) {
    if (dev === true || !/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) || !existsSync(join(repositoryRoot, path)))
      continue;
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    symlinkSync(join(repositoryRoot, path), join(clone, path));
  }
}

function stepOf(steps: Step[], name: string): string {
  return steps.find((step) => step.name === name)?.run ?? "";
}

/** Runs a step as a code host does: bash that stops at the first failure, and a file for the summary. */
async function runStep(script: string, cwd: string, given: Record<string, string>) {
  const temporary = join(cwd, "..", `run-${Object.keys(given)[0]}`);
  mkdirSync(temporary);
  const summaryFile = join(temporary, "summary.md");
  writeFileSync(summaryFile, "");
  const env = { ...process.env, ...given, GITHUB_STEP_SUMMARY: summaryFile, RUNNER_TEMP: temporary };
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], { cwd, env });
  let stdout = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  const [status] = await once(child, "close");
  return { stdout, summary: readFileSync(summaryFile, "utf8"), status };
}
