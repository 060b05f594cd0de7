import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { verifyDataset } from "../../src/cli/dataset/verify.ts";
import { openSource } from "../../src/releases/source.ts";
import { jsonOf, runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { demoFewItemsFile } from "../support/kept-files.ts";

describe("itemtape dataset verify", () => {
  const root = temporaryFolder();
  const db = join(root, "market.db");
  const folder = join(root, "dataset");
  const build = (to: string) => runHere(["dataset", "build", "--to", to, "--db", db, "--since", "2026-01-15"]);
  before(async () => {
    copyFileSync(demoFewItemsFile().path, db);
    await build(folder);
  });

  it("compares each file of a folder or address with its digest", async () => {
    const redirected = "/data/rates/rates.parquet";
    let isMoved = false;
    const server = createServer((request, response) => {
      const path = join(folder, request.url!.slice("/data/".length));
      if (isMoved && request.url === redirected) response.writeHead(302, { location: "/elsewhere" }).end();
      else if (existsSync(path)) response.end(readFileSync(path));
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/data/`;
    const refusal = async (place: string) => {
      const { code, notes } = await runHere(["dataset", "verify", place]);
      return [code, notes.join().replace(`itemtape: ${place}: `, "")];
    };
    try {
      const { files } = await jsonOf("dataset", "verify", folder);
      for (const place of [folder, address])
        expect(await jsonOf("dataset", "verify", place), place).to.include({ generation: "g5", files });
      const path = join(folder, "names.parquet");
      const bytes = readFileSync(path);
      const faults: [change: () => void, text: string][] = [
        [() => writeFileSync(path, Buffer.from(bytes).fill(1, 100, 101)), "has other bytes"],
        [() => writeFileSync(path, bytes.subarray(1)), `has ${bytes.length - 1} of ${bytes.length} bytes`],
        [() => writeFileSync(path, Buffer.concat([bytes, bytes])), `has more than ${bytes.length} bytes`],
        [() => rmSync(path), "is missing"],
      ];
      for (const [change, text] of faults) {
        change();
        const fault = `names.parquet ${text}; `;
        expect(await refusal(folder)).to.deep.equal([65, `${fault}remove them and run \`dataset build\` again`]);
        expect(await refusal(address)).to.deep.equal([65, `${fault}copy the dataset again, index.json last`]);
        await build(folder);
        expect((await runHere(["dataset", "verify", folder])).code, "a build mends it").to.equal(0);
      }
      isMoved = true;
      const moved = `itemtape: rates/rates.parquet: ${new URL(address).origin} answers 302 for ${redirected}; try again`;
      expect(await refusal(address)).to.deep.equal([75, moved]);
      const slow = openSource(address, AbortSignal.timeout(5000), { bytesPerSecond: 1e12, graceMs: 5000, startMs: -1 });
      const tooSlow = await verifyDataset(address, slow, null).catch((error: Error) => error.message);
      expect(tooSlow).to.match(/^index\.json: .* sends \d+ of 1000000000000 bytes a second; try again$/);
      const index = readFileSync(join(folder, "index.json"), "utf8");
      const other = '{"itemtape_dataset":1,"groups":[{"files":[["../x",1,1,1,""]]}]}';
      const texts = {
        [index.slice(0, -100)]: "not valid JSON, as after an interrupted copy",
        [other]: "not the index of a dataset of this program",
      };
      for (const [text, why] of Object.entries(texts)) {
        writeFileSync(join(folder, "index.json"), text);
        for (const place of [folder, address]) expect(await refusal(place)).to.deep.equal([65, `index.json: ${why}`]);
      }
      rmSync(join(folder, "index.json"));
      expect(await refusal(address)).to.deep.equal([66, "it has no index.json"]);
    } finally {
      server.close();
    }
  });

  it("compares the index with its signed digest in a folder of releases", async () => {
    const keys = join(root, "keys");
    const releases = join(root, "releases");
    const inReleases = join(releases, "dataset");
    const seal = () =>
      runHere(["release", "seal", "--db", db, "--to", releases, "--key", join(keys, "online.pem"), "--json"]);
    const { trust } = await jsonOf("release", "root", "init", "--to", releases, "--keys", keys);
    const verify = async (place: string, root = String(trust)) => {
      const { code, lines, notes } = await runHere(["dataset", "verify", place, "--trust", root]);
      return [code, (lines.at(-1) ?? notes.join()).replace(`itemtape: ${place}: `, "")];
    };
    const server = createServer((request, response) => {
      const path = join(releases, request.url!);
      if (existsSync(path)) response.end(readFileSync(path));
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/dataset/`;
    const unsigned = "index.json is not the signed one; `release seal` signs it after each build";
    try {
      expect((await build(inReleases)).lines.at(-1)).to.include("signs its index");
      expect((await seal()).code).to.equal(0);
      for (const place of [inReleases, address]) expect(await verify(place)).to.deep.equal([0, "the index is signed"]);
      const index = readFileSync(join(inReleases, "index.json"), "utf8");
      const forged = index.replace('"currency":"USD"', '"currency":"EUR"');
      writeFileSync(join(inReleases, "index.json"), forged);
      for (const place of [inReleases, address]) expect(await verify(place)).to.deep.equal([77, unsigned]);
      expect((await runHere(["dataset", "verify", inReleases])).code, "without trust").to.equal(0);
      // Two more builds: the copies of the last two signed indexes stay for readers.
      for (const day of ["2026-01-14", "2026-01-16"]) {
        await runHere(["dataset", "build", "--to", inReleases, "--db", db, "--since", day]);
        expect(await verify(address)).to.deep.equal([77, unsigned]);
        await seal();
        expect(await verify(address)).to.deep.equal([0, "the index is signed"]);
      }
      expect(readdirSync(inReleases).filter((name) => /\.index\.json$/.test(name))).to.have.length(2);
      const other = `root:1:${"0".repeat(64)}`;
      expect((await verify(address, other))[0], "another root").to.equal(77);
      const needed = "--trust needs the folder `dataset` in a folder of sealed releases";
      const missing = `itemtape: ${root} has no metadata/1.root.json; ${needed}`;
      expect(await verify(folder)).to.deep.equal([66, missing]);
      expect((await verify(releases))[1]).to.include(needed);
    } finally {
      server.close();
    }
  });
});
