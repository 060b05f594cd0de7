import { execFile } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { clientOperations } from "../../generated/client-operations.ts";
import { deriveFiles } from "../../scripts/contract/derive.ts";
import { findDerivedDrift } from "../../scripts/contract/derived-drift.ts";
import { parseDocument, readDocumentText, repositoryRoot } from "../../scripts/contract/document.ts";
import { temporaryFolder } from "../support/files.ts";
import { itLong } from "../support/size.ts";
import { Editor } from "./editor.ts";
import { ScriptedServer, status } from "./scripted-server.ts";

const run = promisify(execFile);
/** The parts of the package that a client needs: its description, the module and the declarations. */
const parts = ["package.json", "generated/client"];

const consumer = `
import { ExportError, Itemtape, ItemtapeError, type Params, type Row, type SnapshotItem } from "itemtape/client";

const client = new Itemtape({ apiKey: process.env["ITEMTAPE_API_KEY"], retry: { attemptsMax: 3 } });
const { data, meta, allowance } = await client.getItem({ item_id: 445 });
export const name: string = data.market_hash_name;
export const wear: string | null = data.wear;
export const made: string = meta.generated_at;
export const left: number | null = allowance.quotaRemaining;
export const batch: readonly { item_id: number }[] = (await client.getMarketPricesBatch({ item_ids: [1, 2] })).data;
const maybe = await client.call("getOpenable", { slug: "a" }, { ifNoneMatch: 'W/"x"' });
export const slug: string | null = maybe.status === 304 ? maybe.data : maybe.data.slug;
for await (const row of client.rows("listItems", { q: "x" })) void (row satisfies Row<"listItems">).best_ask_cents?.toFixed();
for await (const page of client.pages("listOpenables")) void page.meta.next_page?.length;
export const provider: string | undefined = (await client.rows("listProviders").next()).value?.provider;
export const bytes: Uint8Array = (await client.read("getStatus")).body;
const { etag } = await client.getItem({ item_id: 445 });
export const same: boolean = (await client.getItem({ item_id: 445 }, { ifNoneMatch: etag })).status === 304;
const { getIndex } = client;
export const index: string = (await getIndex({ index_id: "a" })).data.index_id;
export const window: Params<"getDailyPriceHistory"> = { item_id: 1, side: "bid" };
try {
  const { items, digest } = await client.exportMarket({ onProgress: ({ itemId, upTo }) => void (itemId / upTo) });
  void ((items[0] as SnapshotItem).asks[0]?.amount.toFixed() ?? digest?.digest.length);
} catch (error) {
  if (error instanceof ExportError && error.reason === "changed") void error.requestId;
  if (error instanceof ItemtapeError) void error.retryAfterMs?.toFixed();
}
for await (const record of client.streamMarketUnverified()) if (record.type === "item") void record.data.bids;

// @ts-expect-error an id is a number
await client.getItem({ item_id: "445" });
// @ts-expect-error it needs an id
await client.getItem();
// @ts-expect-error it has no such parameter
await client.getStatus({ q: "x" });
// @ts-expect-error it has no such parameter
await client.listItems({ query: "x" });
// @ts-expect-error it has no pages
client.rows("getItem", { item_id: 1 });
// @ts-expect-error the export is no JSON operation
client.call("streamMarketSnapshot");
// @ts-expect-error unknown is null, and that is to be looked at
data.wear.length;
// @ts-expect-error nothing of it is any
data.nothing;
`;

/** A program without strict types that has the client's files in its folder. */
const lenient = `
import { Itemtape } from "./taken/client/itemtape.js";

const client = new Itemtape({ apiKey: "key" });
export const list = await client.listItems({ q: "x" });
export const name: string = list.data[0].market_hash_name;
export const item: number = (await client.getItem({ item_id: 1 })).data.item_id;
export const status: string = (await client.getStatus()).data.database;
export const batch: number = (await client.getMarketPricesBatch({ item_ids: [1] })).data.length;
for await (const row of client.rows("listItems", { q: "x" })) row.item_id.toFixed();
for await (const row of client.rows("listIndexes")) row.index_id.trim();
// @ts-expect-error it has no such parameter
client.listItems({ query: "x" });
// @ts-expect-error it has no such parameter
client.getStatus({ q: "x" });
`;

describe("packaged client", () => {
  let folder: string;
  let server: ScriptedServer;
  before(async () => {
    server = await ScriptedServer.start();
    folder = temporaryFolder();
    const installed = join(folder, "node_modules/itemtape");
    for (const part of parts) cpSync(join(repositoryRoot, part), join(installed, part), { recursive: true });
    mkdirSync(join(folder, "node_modules/@types"));
    symlinkSync(join(repositoryRoot, "node_modules/@types/node"), join(folder, "node_modules/@types/node"));
    symlinkSync(join(repositoryRoot, "node_modules/undici-types"), join(folder, "node_modules/undici-types"));
  });
  after(() => {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("works in a bare Node without other packages or the program's source", async () => {
    server.play(status);
    const program = `
      import * as all from "itemtape/client";
      const client = new all.Itemtape({ baseUrl: process.argv[1] });
      const { data } = await client.getStatus();
      console.log(JSON.stringify([data.database, Object.keys(all), client.getItem.name]));`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program, server.base], {
      cwd: folder,
    });
    expect(JSON.parse(stdout)).to.deep.equal([
      "ok",
      ["ExportError", "Itemtape", "ItemtapeError", "TransportError"],
      "getItem",
    ]);
  });

  it("loads in a CommonJS project from its folder alone", async () => {
    const project = join(folder, "commonjs");
    cpSync(join(repositoryRoot, "generated/client"), join(project, "client"), { recursive: true });
    writeFileSync(join(project, "package.json"), JSON.stringify({ type: "commonjs" }));
    writeFileSync(
      join(project, "static.mjs"),
      'import { Itemtape } from "./client/itemtape.js";\nconsole.log(Itemtape.name);',
    );
    writeFileSync(
      join(project, "late.cjs"),
      'import("./client/itemtape.js").then((it) => console.log(it.Itemtape.name));',
    );
    for (const file of ["static.mjs", "late.cjs"]) {
      expect((await run(process.execPath, [file], { cwd: project })).stdout, file).to.equal("Itemtape\n");
    }
  });

  it("imports only Node's modules; its declarations import nothing", () => {
    const read = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");
    const from = (text: string) =>
      [...text.matchAll(/\bfrom "([^"]+)"|\bimport\("([^"]+)"\)/g)].map((one) => one[1] ?? one[2]);
    expect(from(read("generated/client/itemtape.js")).filter((name) => !name?.startsWith("node:"))).to.deep.equal([]);
    expect(from(read("generated/client/itemtape.d.ts"))).to.deep.equal([]);
    expect(read("generated/client/itemtape.d.ts")).to.not.match(/[:<|] *any\b|\bany\[/);
  });

  describe("packaged client in an editor", () => {
    const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
    const editors: Editor[] = [];
    const open = (...words: ConstructorParameters<typeof Editor>) => {
      const editor = new Editor(...words);
      editors.push(editor);
      return editor;
    };
    const editorOf = (more: object = {}) =>
      open(folder, "consumer.ts", consumer, {
        ...strict,
        noPropertyAccessFromIndexSignature: true,
        verbatimModuleSyntax: true,
        ...more,
      });
    afterEach(() => {
      for (const editor of editors.splice(0)) editor.close();
    });
    before(() => writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" })));

    itLong("compiles in a strict program and reports wrong parameters and unchecked unknowns", () => {
      const found = editorOf().faults(/consumer\.ts$|\/node_modules\/itemtape\//);
      expect(found).to.deep.equal({ files: 2, found: [] });
    });

    itLong("compiles in a non-strict program from a folder beside its own", () => {
      cpSync(join(repositoryRoot, "generated/client"), join(folder, "taken/client"), { recursive: true });
      const other = open(folder, "lenient.ts", lenient, { strict: false });
      expect(other.faults(/lenient\.ts$|\/taken\//)).to.deep.equal({ files: 2, found: [] });
    });

    it("shows purpose and cost of every call form", () => {
      // The declarations of Node and of the language are ten times as long as the client's, and not needed here.
      const editor = editorOf({ types: [], noLib: true });
      const description = "Get the stored metadata of one item. All plans; one monthly unit.";
      for (const call of ["getItem({ item_id: 445 });", "getItem({ item_id: 445 }, { if"]) {
        expect(editor.documentationAt(call)).to.deep.equal({
          hover: description,
          signatures: [description, description],
        });
      }
      const methods = editor.membersAt("getItem({ item_id: 445 });");
      for (const [id, { summary, isStream }] of Object.entries(clientOperations)) {
        if (!isStream)
          expect(methods.get(id), id)
            .to.match(/ monthly unit\.|Needs no key\./)
            .and.to.include(summary);
      }
    });
  });

  itLong("is checked by generate:check for stale, missing or unexpected files", async () => {
    const files = await deriveFiles(parseDocument(readDocumentText()));
    const copy = join(folder, "copy");
    cpSync(join(repositoryRoot, "generated"), join(copy, "generated"), { recursive: true });
    expect(findDerivedDrift(copy, files)).to.deep.equal([]);
    appendFileSync(join(copy, "generated/client/itemtape.js"), "// changed by hand\n");
    rmSync(join(copy, "generated/client/itemtape.d.ts"));
    mkdirSync(join(copy, "generated/client/deep"));
    writeFileSync(join(copy, "generated/client/deep/extra.js"), "");
    expect(findDerivedDrift(copy, files).join("\n")).to.match(
      /^generated\/client\/itemtape\.js: differs .* from line \d+; run `npm run generate`.*\ngenerated\/client\/itemtape\.d\.ts: is missing; .*\ngenerated\/client\/deep\/extra\.js: is not derived .*$/,
    );
  });
});
