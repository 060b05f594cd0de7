import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { manifestName, ReleaseFolder, timestampName } from "../../src/releases/folder.ts";
import { sha256Of } from "../../src/releases/manifest.ts";
import { namedManifest } from "../../src/releases/metadata.ts";
import { addRootKey, removeRootKey } from "../../src/releases/root.ts";

import { dayMs, minuteMs } from "../../src/values/time/calendar.ts";
import { temporaryFolder } from "../support/files.ts";
import { guideFolder } from "../support/guides.ts";
import { describeLong } from "../support/size.ts";
import { needTool } from "../support/skip.ts";
import { newKey, Signer } from "./signer.ts";
import { smallManifest } from "./small-manifest.ts";

/** Debian's Python, for which Debian has the library. */
const python = "/usr/bin/python3";
const sample = join(guideFolder, "files/verify-release.py");
/** Verifies many folders in one process. */
const driver = `
import json, runpy, sys
verify = runpy.run_path(sys.argv[1])["verify"]
def outcome(*order):
    try:
        return {path: data.decode() for path, data in verify(*order).items()}
    except Exception as error:
        return f"refused: {error}"
print(json.dumps([outcome(*order) for order in json.load(sys.stdin)]))
`;
const past = { expires: "2026-01-01T00:00:00Z" };
const having = (fields: object) => (signed: object) => void Object.assign(signed, fields);

type Order = [place: string, trust: string, memory: string];

describeLong("the sample for readers in Python", function () {
  this.timeout(60_000);
  let signer: Signer;
  const index = JSON.stringify({ files: [] });

  before(function () {
    needTool(this, python, "-c", "import securesystemslib");
  });

  /** Makes six roots: two root keys of three sign each, and the keys change twice. */
  beforeEach(async () => {
    signer = new Signer(join(temporaryFolder(), "releases"), 3);
    await signer.init(2);
    const signing = () => signer.rootKeys.slice(-2);
    await signer.changeRoot(() => {}, signing());
    await signer.changeRoot((root) => removeRootKey(root, root.roles.root.keyids[0]!), signing());
    const added = newKey();
    await signer.changeRoot((root) => addRootKey(root, added), signing());
    signer.rootKeys = signing();
    await signer.rotate();
    await signer.sign(smallManifest(1));
    await signer.rotate();
    mkdirSync(join(signer.folder, "dataset"));
    writeFileSync(join(signer.folder, "dataset", "index.json"), index);
    await signer.sign(smallManifest(2));
  });

  const orderOf = (place = signer.folder, memory = join(temporaryFolder(), "memory")): Order => [
    `${pathToFileURL(place)}/`,
    signer.trust,
    memory,
  ];
  const outcomesOf = (orders: Order[]): unknown[] => {
    const { stdout, stderr } = spawnSync(python, ["-c", driver, sample], { input: JSON.stringify(orders) });
    expect(String(stderr)).to.equal("");
    return JSON.parse(String(stdout));
  };
  const outcomeOf = (...order: Parameters<typeof orderOf>) => outcomesOf([orderOf(...order)])[0];
  const copied = (): string => {
    const copy = join(temporaryFolder(), "copy");
    cpSync(signer.folder, copy, { recursive: true });
    return copy;
  };

  it("verifies manifest and dataset over six roots", () => {
    const found = outcomeOf() as Record<string, string>;
    expect(Object.keys(found)).to.have.members(["manifests/release.json", "dataset/index.json"]);
    expect(JSON.parse(found["manifests/release.json"]!).number).to.equal(2);
    expect(found["dataset/index.json"]).to.equal(index);
    const printed = spawnSync(python, [sample, ...orderOf()]);
    expect(String(printed.stdout)).to.contain(`dataset/index.json ${sha256Of(index)} ${index.length} bytes`);
  });

  it("refuses a changed byte at any place of a file that it reads", () => {
    const { version } = JSON.parse(readFileSync(join(signer.folder, timestampName), "utf8")).signed;
    const manifest = manifestName(namedManifest(new ReleaseFolder(signer.folder))!);
    const names = readdirSync(signer.folder, { recursive: true, encoding: "utf8" }).filter(
      (name) => /root\.json$|[0-9a-f]\.index/.test(name) || name.includes(`/${version}.`) || name === manifest,
    );
    names.push(timestampName);
    const orders = names.flatMap((name) => {
      const bytes = readFileSync(join(signer.folder, name));
      return [0.02, 0.2, 0.4, 0.6, 0.8, 0.98].map((part): [string, Order] => {
        const place = copied();
        const changed = Buffer.from(bytes);
        changed[Math.floor(part * bytes.length)]! ^= 1;
        writeFileSync(join(place, name), changed);
        return [`${name} at ${part}`, orderOf(place)];
      });
    });
    const outcomes = outcomesOf(orders.map(([, order]) => order));
    const accepted = orders.flatMap(([title], at) => (String(outcomes[at]).startsWith("refused: ") ? [] : title));
    expect([accepted, names.length]).to.deep.equal([[], 11]);
  });

  it("refuses expired, older, forged and missing metadata", async () => {
    const memory = join(temporaryFolder(), "memory");
    const old = copied();
    signer.clock.at += minuteMs;
    await signer.sign(smallManifest(3));
    const cases: [RegExp, Order][] = [
      [/"number":3/, orderOf(signer.folder, memory)],
      [/^refused: the timestamp is older than before/, orderOf(old, memory)],
    ];
    const add = async (expected: RegExp, spoil: () => unknown) => {
      const kept = copied();
      await spoil();
      cases.push([expected, orderOf(copied())]);
      rmSync(signer.folder, { recursive: true });
      cpSync(kept, signer.folder, { recursive: true });
    };
    for (const role of ["timestamp", "snapshot", "targets"])
      await add(new RegExp(`^refused: the ${role} expired`), () => signer.edit({ [role]: having(past) }));
    await add(/^refused: the timestamp is not signed as root 6 demands/, () =>
      signer.sign(smallManifest(4), { key: newKey() }),
    );
    await add(/^refused: the timestamp is not signed as root 3 demands/, () =>
      rmSync(join(signer.folder, "metadata/4.root.json")),
    );
    await add(/^refused: the root is not signed as root 6 demands/, () => {
      const root = JSON.parse(readFileSync(join(signer.folder, "metadata/6.root.json"), "utf8"));
      root.signed.version = 7;
      writeFileSync(join(signer.folder, "metadata/7.root.json"), JSON.stringify(root));
    });
    await add(/^refused: the root expired/, async () => {
      signer.clock.at -= 731 * dayMs;
      await signer.changeRoot(() => {});
      signer.clock.at += 731 * dayMs;
    });
    const outcomes = outcomesOf(cases.map(([, order]) => order));
    for (const [at, [expected]] of cases.entries()) {
      const outcome = outcomes[at];
      expect(typeof outcome === "string" ? outcome : JSON.stringify(Object.values(outcome as object).at(0))).to.match(
        new RegExp(expected.source.replaceAll('"', '\\\\?"')),
      );
    }
  });

  it("follows a rotation after versions that a thief moved far ahead", async () => {
    const memory = join(temporaryFolder(), "memory");
    const honest = copied();
    const ahead = having({ version: Number.MAX_SAFE_INTEGER });
    signer.edit({ timestamp: ahead, snapshot: ahead, targets: ahead });
    expect(outcomeOf(signer.folder, memory)).to.be.an("object");
    rmSync(signer.folder, { recursive: true });
    cpSync(honest, signer.folder, { recursive: true });
    expect(outcomeOf(signer.folder, memory)).to.match(/^refused: the timestamp is older than before/);
    await signer.rotate();
    await signer.sign(smallManifest(3));
    expect(outcomeOf(signer.folder, memory)).to.be.an("object");
  });
});
