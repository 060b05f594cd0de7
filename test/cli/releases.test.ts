import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { jsonOf, runHere } from "../support/cli.ts";
import { newDatabase, temporaryFolder } from "../support/files.ts";

describe("release commands", () => {
  const folder = temporaryFolder();
  const [db, key, to, taken] = ["m.db", "release.pem", "releases", "taken.db"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  let trust: string;

  before(() => newDatabase(db));

  it("`release key` creates a private file and never replaces a key", async () => {
    const { code, lines } = await runHere(["release", "key", key]);
    trust = lines[0]!;
    expect([code, lines.length]).to.deep.equal([0, 1]);
    expect(trust).to.match(/^ed25519:[A-Za-z0-9_-]{43}$/);
    if (process.platform !== "win32") expect(statSync(key).mode & 0o777).to.equal(0o600);
    const made = readFileSync(key, "utf8");
    const again = await runHere(["release", "key", key]);
    expect([again.code, again.lines]).to.deep.equal([73, []]);
    expect(again.notes[0]).to.contain("a key is never replaced");
    expect(readFileSync(key, "utf8")).to.equal(made);
    expect((await runHere(["release", "key", key, "--public"])).lines).to.deep.equal([trust]);
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
    expect(fetched).to.include({ number: 1, is_new: true, is_chained: true, is_stale: false });
    const again = await runHere(["release", "fetch", to, "--trust", trust, "--to", taken]);
    expect(again.lines[0]).to.match(/ already$/);
    expect((await runHere(["db", "check", "--db", taken])).code).to.equal(0);
    expect(await jsonOf("release", "seal", "--db", db, "--to", to, "--key", key)).to.include({
      is_new: false,
      number: 1,
    });
  });

  it("report missing or wrong arguments in one line with an exit code", async () => {
    const other = (await runHere(["release", "key", join(folder, "other.pem")])).lines[0]!;
    const refused: [code: number, text: string, words: string[]][] = [
      [64, "--to is missing", ["release", "seal", "--db", db, "--key", key]],
      [
        64,
        "--keep: must be a whole number from 1",
        ["release", "seal", "--db", db, "--to", to, "--key", key, "--keep", "0"],
      ],
      [64, "--trust: must be a public key", ["release", "check", to, "--trust", "ed25519:short"]],
      [64, "--trust is missing", ["release", "fetch", to, "--to", taken]],
      [66, "the file does not exist", ["release", "seal", "--db", db, "--to", to, "--key", join(folder, "none.pem")]],
      [65, "not an Ed25519 private key", ["release", "seal", "--db", db, "--to", to, "--key", db]],
      [77, "forged: ", ["release", "check", to, "--trust", other]],
      [77, "forged: ", ["release", "seal", "--db", db, "--to", to, "--key", join(folder, "other.pem")]],
      [66, "missing: ", ["release", "check", join(folder, "nowhere"), "--trust", trust]],
      [75, "unreachable: ", ["release", "check", "http://127.0.0.1:1/", "--trust", trust]],
      [73, "the folder cannot be created", ["release", "seal", "--db", db, "--to", join(db, "x"), "--key", key]],
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
