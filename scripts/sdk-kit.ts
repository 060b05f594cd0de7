import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { readDocumentText, repositoryRoot } from "./contract/document.ts";
import { callsOf } from "./sdk/calls.ts";
import { generate } from "./sdk/check.ts";
import { type Generator, generatorsFolder, versionOf } from "./sdk/generator.ts";
import { kitAdapter, kitRuntime, unknownBase } from "./sdk/kit-adapter.ts";
import { type KitResult, kitResultsFile } from "./sdk/kit-results.ts";
import { generators } from "./sdk/options.ts";
import { parseServedDocument } from "./sdk/subject.ts";
import { installPackages } from "./support/installed.ts";

type Played = { group: string; verdict: keyof KitResult["groups"][string] };

const runMsMax = 600_000;

// Plays the conformance kit to the SDKs of all generators, which have no code of ours around them, and records their results.
installPackages(generatorsFolder);
const document = parseServedDocument(readDocumentText());
const results: KitResult[] = [];
for (const generator of generators) {
  const folder = mkdtempSync(join(tmpdir(), "itemtape-sdk-kit-"));
  try {
    results.push(await played(generator, folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
writeFileSync(join(repositoryRoot, kitResultsFile), `${JSON.stringify(results, null, 2)}\n`);
console.log(`${kitResultsFile} is written; \`npm run generate\` puts it into the guide`);

async function played(generator: Generator, folder: string): Promise<KitResult> {
  const { name, packages } = generator;
  const fault = await generate(folder, generator, { document, base: unknownBase });
  if (fault !== null) throw new Error(`${name}: ${fault}`);
  writeFileSync(join(folder, "runtime.mjs"), kitRuntime);
  writeFileSync(join(folder, "adapter.ts"), `import "./runtime.mjs";\n${kitAdapter(generator, callsOf(document))}`);
  const outfile = join(folder, "adapter.mjs");
  const form = { bundle: true, platform: "node", format: "esm", target: "node22", logLevel: "silent" } as const;
  await build({ absWorkingDir: folder, entryPoints: ["adapter.ts"], outfile, ...form });
  const text = readFileSync(outfile, "utf8");
  // In its templates, an SDK has the address that it was generated for.
  writeFileSync(outfile, text.replaceAll(unknownBase, `$\{base}`));
  const words = [join(repositoryRoot, "src/cli/itemtape.mjs"), "kit", "run", "--report", "json"];
  const client = `"${process.execPath}" "${outfile}"`;
  const run = spawnSync(process.execPath, [...words, "--client", client], {
    encoding: "utf8",
    timeout: runMsMax,
    maxBuffer: 2 ** 26,
  });
  if (run.status !== 0 && run.status !== 1) throw new Error(`${name}: the kit ended with ${run.status}: ${run.stderr}`);
  const { scenarios } = JSON.parse(run.stdout) as { scenarios: Played[] };
  const groups: KitResult["groups"] = {};
  for (const { group, verdict } of scenarios) {
    groups[group] ??= { passed: 0, failed: 0, not_offered: 0 };
    groups[group][verdict] += 1;
  }
  console.log(`${name} ${versionOf(packages[0])}: ${JSON.stringify(groups)}`);
  return { generator: name, version: versionOf(packages[0]), groups };
}
