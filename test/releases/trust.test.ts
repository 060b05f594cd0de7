import { cpSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { timestampName } from "../../src/releases/folder.ts";
import { removeRootKey } from "../../src/releases/root.ts";
import { openSource } from "../../src/releases/source.ts";
import { parseTrust, readNewest } from "../../src/releases/trust.ts";
import { dayMs, minuteMs } from "../../src/values/time/calendar.ts";
import { temporaryFolder } from "../support/files.ts";
import { refusalOf } from "./release-world.ts";
import { newKey, Signer } from "./signer.ts";
import { smallManifest } from "./small-manifest.ts";

const past = "2026-01-01T00:00:00Z";

describe("trust in signed metadata", function () {
  this.timeout(10_000);
  let signer: Signer;
  let state: string;
  beforeEach(async () => {
    await begin(1, 1);
  });

  async function begin(rootKeys: number, threshold: number): Promise<void> {
    signer = new Signer(join(temporaryFolder(), "releases"), rootKeys);
    state = join(temporaryFolder(), "market.db-trust");
    await signer.init(threshold);
    await seal(1);
  }
  const seal = (number: number) => signer.sign(smallManifest(number));
  /** Reads the number of the newest release, as a reader that remembers. */
  const read = async (place = signer.folder, memory: string | null = state) => {
    const source = openSource(place, new AbortController().signal);
    return (await readNewest(source, parseTrust(signer.trust), memory)).manifest.number;
  };
  const copied = (): string => {
    const copy = join(temporaryFolder(), "copy");
    cpSync(signer.folder, copy, { recursive: true });
    return copy;
  };
  /** Returns the paths of the versions of a role, oldest first. */
  const versionsOf = (role: string) =>
    readdirSync(join(signer.folder, "metadata"))
      .filter((name) => name.endsWith(`.${role}.json`))
      .sort()
      .map((name) => join(signer.folder, "metadata", name));
  const expires = (signed: { expires: string }) => {
    signed.expires = past;
  };

  for (const role of ["timestamp", "snapshot", "targets"] as const)
    it(`refuses a release while the ${role} is expired`, async () => {
      expect(await read()).to.equal(1);
      signer.edit({ [role]: expires });
      expect(await refusalOf(read())).to.match(
        new RegExp(`^expired: the ${role} of .* expired at 2026-01-01T00:00:00`),
      );
      await seal(2);
      expect(await read()).to.equal(2);
    });

  it("refuses a release until an expired root is renewed", async () => {
    signer.clock.at -= 731 * dayMs;
    await signer.changeRoot(() => {});
    signer.clock.at += 731 * dayMs;
    expect(await refusalOf(read())).to.match(
      /^expired: the root of .*, and the publisher renews it by `release root renew`/,
    );
    await signer.changeRoot(() => {});
    expect(await read()).to.equal(1);
  });

  it("refuses an older copy after a newer release", async () => {
    const old = copied();
    await seal(2);
    expect(await read()).to.equal(2);
    expect(await refusalOf(read(old))).to.match(/^rollback: /);
    expect(await read()).to.equal(2);
  });

  it("refuses an expired copy for a new reader", async () => {
    const old = copied();
    signer.edit({ timestamp: expires }, signer.key, old);
    await seal(2);
    expect(await refusalOf(read(old, null))).to.match(/^expired: /);
    expect(await read(signer.folder, null)).to.equal(2);
  });

  for (const role of ["timestamp", "snapshot", "targets"] as const)
    it(`recovers from a ${role} moved to the last version by a rotation`, async () => {
      const forward = (signed: { version: number }) => {
        signed.version = Number.MAX_SAFE_INTEGER;
      };
      const old = copied();
      expect(await read()).to.equal(1);
      signer.edit({ [role]: forward });
      expect(await read()).to.equal(1);
      cpSync(old, signer.folder, { recursive: true });
      signer.clock.at += minuteMs;
      await seal(2);
      expect(await refusalOf(read())).to.match(/^rollback: /);
      await signer.rotate();
      await seal(3);
      expect(await read()).to.equal(3);
      expect(await refusalOf(read(old))).to.match(/^forged: .*timestamp.json is not signed by the keys of root 2/);
    });

  it("refuses a root below the threshold of its predecessor", async () => {
    await begin(3, 2);
    expect(await read()).to.equal(1);
    const [one, ...others] = signer.rootKeys;
    const change = signer.changeRoot(() => {}, [one!]);
    expect(await refusalOf(change)).to.match(/root 1 needs 2 of its 3 root keys, and 1 signed/);
    const { trust } = await signer.changeRoot((root) => removeRootKey(root, root.roles.root.keyids[0]!), others);
    expect([trust.slice(0, 7), await read()]).to.deep.equal(["root:2:", 1]);
    const path = join(signer.folder, "metadata/2.root.json");
    const root = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(join(signer.folder, "metadata/3.root.json"), JSON.stringify({ ...root, signatures: [] }));
    expect(await refusalOf(read())).to.match(/^forged: .*3.root.json is not signed by the keys of root 2/);
  });

  it("refuses metadata of a root that it cannot reach", async () => {
    expect(await read()).to.equal(1);
    await signer.changeRoot(() => {});
    await signer.rotate();
    await seal(2);
    const missing = join(signer.folder, "metadata/2.root.json");
    const root = readFileSync(missing);
    rmSync(missing);
    expect(await refusalOf(read())).to.match(/^forged: /);
    writeFileSync(missing, root);
    expect(await read()).to.equal(2);
  });

  it("refuses a snapshot or targets file of another release", async () => {
    await seal(2);
    for (const role of ["snapshot", "targets"]) {
      const [old, next] = versionsOf(role);
      const content = readFileSync(next!);
      cpSync(old!, next!);
      expect(await refusalOf(read()), role).to.match(/^torn: .* is not the signed file/);
      writeFileSync(next!, content);
    }
    expect(await read()).to.equal(2);
  });

  it("refuses a manifest of another length than signed", async () => {
    signer.edit({
      targets: ({ targets }) => {
        (targets as Record<string, { length: number }>)["manifests/release.json"]!.length -= 1;
      },
    });
    expect(await refusalOf(read())).to.match(/^too large: .*release\.json has more than \d+ bytes/);
  });

  it("refuses metadata that a thief signed in another form", async () => {
    const huge = (signed: { [field: string]: unknown }) => {
      Object.values(signed.meta as Record<string, { length: number }>)[0]!.length = 256_000_000_000;
    };
    const having = (fields: object) => (signed: object) => void Object.assign(signed, fields);
    const never = having({ expires: "never" });
    const cases: [string, Parameters<Signer["edit"]>[0]][] = [
      ["^malformed: .*timestamp.json is not valid metadata .its expiry is not a time", { timestamp: never }],
      ["^malformed: .*targets.json is not valid metadata .its expiry is not a time", { targets: never }],
      ["^malformed: .*snapshot.json is not valid metadata", { snapshot: having({ meta: {} }) }],
      ["^missing: the targets of .* name no manifests", { targets: having({ targets: {} }) }],
      ["^too large: .*snapshot.json", { timestamp: huge }],
    ];
    for (const [message, edits] of cases) {
      await begin(1, 1);
      expect(await read()).to.equal(1);
      signer.edit(edits);
      if (message.includes("large")) truncateSync(versionsOf("snapshot").at(-1)!, 250_000_000_000);
      expect(await refusalOf(read())).to.match(new RegExp(message));
    }
  });

  it("names damaged remembered metadata and ignores a killed run", async () => {
    expect(await read()).to.equal(1);
    for (const name of ["root", "timestamp", "snapshot", "targets", "anchor"]) {
      const path = join(state, `${name}.json`);
      const content = readFileSync(path);
      writeFileSync(path, content.subarray(0, 10));
      expect(await refusalOf(read()), name).to.match(
        /the file is damaged; restore it from a backup, or remove the folder/,
      );
      writeFileSync(path, content);
    }
    const draft = join(state, "timestamp.json.part");
    writeFileSync(draft, "{");
    await seal(2);
    expect([await read(), existsSync(draft)]).to.deep.equal([2, false]);
  });

  it("remembers a new root although the release is refused", async () => {
    expect(await read()).to.equal(1);
    const old = copied();
    await signer.rotate();
    expect(existsSync(join(signer.folder, timestampName))).to.equal(false);
    expect(await refusalOf(read())).to.match(/^missing: .*timestamp/);
    expect(await refusalOf(read(old))).to.match(/^forged: /);
  });

  it("follows another root by its text alone", async () => {
    expect(await read()).to.equal(1);
    const next = new Signer(join(temporaryFolder(), "next"));
    await next.init();
    await next.sign(smallManifest(5));
    expect(await refusalOf(read(next.folder))).to.match(/^forged: /);
    signer.trust = next.trust;
    expect(await read(next.folder)).to.equal(5);
    signer.trust = next.trust.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
    expect(await refusalOf(read(next.folder))).to.match(/^forged: .*1\.root\.json differs from --trust/);
  });

  it("refuses signatures of a key outside the root", async () => {
    const key = newKey();
    await signer.sign(smallManifest(2), { key });
    expect(await refusalOf(read())).to.match(/^forged: /);
  });
});
