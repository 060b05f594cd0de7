import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { jsonOf, runHere } from "../support/cli.ts";
import { newDatabase, temporaryFolder } from "../support/files.ts";

describe("release commands", () => {
  const folder = temporaryFolder();
  const [db = "", to = "", keys = "", taken = ""] = ["m.db", "releases", "keys", "taken.db"].map((name) =>
    join(folder, name),
  );
  const [key, next] = [join(keys, "online.pem"), join(keys, "online-2.pem")];
  const [rootKey, second] = [join(keys, "root-1.pem"), join(keys, "root-2.pem")];
  let trust: string;

  before(() => newDatabase(db));

  it("`release root init` creates private keys and replaces no root", async () => {
    const init = ["release", "root", "init", "--to", to, "--keys", keys];
    const { code, lines, notes } = await runHere(init);
    expect(code, notes.join("\n")).to.equal(0);
    trust = lines[0]!;
    expect(trust).to.match(/^root:1:[0-9a-f]{64}$/);
    if (process.platform !== "win32")
      for (const path of [key, rootKey]) expect(statSync(path).mode & 0o777).to.equal(0o600);
    const made = readFileSync(key, "utf8");
    const again = await runHere(init);
    expect([again.code, again.lines]).to.deep.equal([73, []]);
    expect(again.notes[0]).to.contain("it has a root");
    expect(readFileSync(key, "utf8")).to.equal(made);
    expect(await jsonOf("release", "root", "show", "--to", to)).to.deep.include({
      version: 1,
      trust,
      expires_at: null,
    });
  });

  it("seal, check and download a market, and report each step", async () => {
    const sealed = await runHere(["release", "seal", "--db", db, "--to", to, "--key", key]);
    expect(sealed.code, sealed.notes.join("\n")).to.equal(0);
    expect(sealed.lines[0]).to.match(
      /^release 1 of a market without prices sealed into .*: \d+ of \d+ chunks are new, \d+ bytes$/,
    );
    const checked = await runHere(["release", "check", to, "--trust", trust]);
    expect([checked.code, checked.notes]).to.deep.equal([0, []]);
    expect(checked.lines[1]).to.match(/^releases 1 to 1 are signed, complete and in order: \d+ chunks, \d+ bytes$/);
    const fetched = await jsonOf("release", "fetch", to, "--trust", trust, "--to", taken);
    expect(fetched).to.include({ number: 1, is_new: true, is_stale: false });
    const again = await runHere(["release", "fetch", to, "--trust", trust, "--to", taken]);
    expect(again.lines[0]).to.match(/ already$/);
    const file = await runHere(["release", "check", taken]);
    expect(file.lines[0]).to.match(/taken\.db is release 1 of a market without prices, .*: all \d+ chunks verified$/);
    expect((await runHere(["db", "check", "--db", taken])).code).to.equal(0);
    expect(await jsonOf("release", "seal", "--db", db, "--to", to, "--key", key)).to.include({
      is_new: false,
      number: 1,
    });
  });

  it("rotate the online key, and add and revoke root keys", async () => {
    const signed = ["--to", to, "--root-key", rootKey];
    const rotated = await jsonOf("release", "root", "rotate", ...signed, "--key", next, "--db", db);
    expect(rotated).to.include({ version: 2, threshold: 1 });
    expect(rotated.expires_at, "the newest release is signed at once").to.be.a("string");
    expect((await runHere(["release", "fetch", to, "--trust", trust, "--to", taken])).code).to.equal(0);
    const added = await jsonOf("release", "root", "add", second, ...signed, "--threshold", "2");
    const [first = ""] = added.root_keys as string[];
    expect([added.version, added.threshold, (added.root_keys as string[]).length]).to.deep.equal([3, 2, 2]);
    const { lines } = await runHere(["release", "root", "show", "--to", to, "--keys", keys]);
    expect(lines.map((line) => line.replaceAll(/ [0-9a-f]{64}/g, " ID"))).to.deep.equal([
      added.trust,
      `root 3: 2 of 2 root keys sign the next; it expires at ${added.root_expires_at}, in 729 d`,
      `root key ID in ${rootKey}`,
      `root key ID in ${second}`,
      `online key ID in ${next}`,
      `the releases expire at ${added.expires_at}, in 2 d`,
      `${key}: root 3 does not name its key`,
    ]);
    expect(lines[2]).to.contain(first);
    const both = [...signed, "--root-key", second];
    const revoked = await jsonOf("release", "root", "revoke", first.slice(0, 8), ...both, "--threshold", "1");
    expect([revoked.version, (revoked.root_keys as string[]).length]).to.deep.equal([4, 1]);
  });

  it("report missing or wrong arguments in one line with an exit code", async () => {
    const other = trust.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
    const place = ["--to", join(folder, "other")];
    const rotate = ["release", "root", "rotate", "--to", to, "--root-key", second, "--db", db];
    const refused: [code: number, text: string, words: string[]][] = [
      [64, "--to is missing", ["release", "seal", "--db", db, "--key", key]],
      [
        64,
        "--keep: must be a whole number from 1",
        ["release", "seal", "--db", db, "--to", to, "--key", key, "--keep", "0"],
      ],
      [64, "--trust: must be the text of", ["release", "check", to, "--trust", "root:1:short"]],
      [64, "--trust is missing", ["release", "fetch", to, "--to", taken]],
      [66, "the file does not exist", ["release", "seal", "--db", db, "--to", to, "--key", join(folder, "none.pem")]],
      [65, "not an Ed25519 private key", ["release", "seal", "--db", db, "--to", to, "--key", db]],
      [77, "forged: ", ["release", "check", to, "--trust", other]],
      [77, "other key: root 4 in", ["release", "seal", "--db", db, "--to", to, "--key", key]],
      [73, "is or was its online key", [...rotate, "--key", key]],
      [73, "is or was its online key", [...rotate, "--key", next]],
      [66, "the folder has no root", ["release", "seal", "--db", db, ...place, "--key", key]],
      [66, "the folder has no root", ["release", "root", "renew", ...place, "--root-key", rootKey]],
      [
        77,
        "root 4 needs 1 of its 1 root keys, and 0 signed",
        ["release", "root", "renew", "--to", to, "--root-key", rootKey],
      ],
      [65, "not the id of one root key", ["release", "root", "revoke", "zz", "--to", to, "--root-key", rootKey]],
      [
        64,
        "--root-keys: must be at least",
        ["release", "root", "init", ...place, "--keys", keys, "--threshold", "2", "--root-keys", "1"],
      ],
      [66, "its release is not recorded beside it", ["release", "check", db]],
      [66, "missing: ", ["release", "check", join(folder, "nowhere"), "--trust", trust]],
      [75, "unreachable: ", ["release", "check", "http://127.0.0.1:1/", "--trust", trust]],
      [73, "the folder cannot be created", ["release", "root", "init", "--to", join(db, "x"), "--keys", keys]],
    ];
    for (const [expected, text, words] of refused) {
      const { code, lines, notes } = await runHere(words);
      expect([code, lines, notes.length], `${words.join(" ")}: ${notes.join("\n")}`).to.deep.equal([expected, [], 1]);
      expect(notes[0]).to.contain(text);
    }
    if (process.platform === "win32") return;
    chmodSync(key, 0o644);
    const open = await runHere(["release", "seal", "--db", db, "--to", to, "--key", key]);
    chmodSync(key, 0o600);
    expect([open.code, open.notes[0]]).to.deep.equal([
      77,
      `itemtape: ${key}: other users may read the key; run \`chmod 600\` on it`,
    ]);
  });
});
