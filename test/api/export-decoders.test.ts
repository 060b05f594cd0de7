import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect } from "chai";
import { Itemtape } from "../../src/client/index.ts";
import { pageBytesTarget } from "../../src/domain/market-snapshot.ts";
import { temporaryFolder } from "../support/files.ts";
import { itLong } from "../support/size.ts";
import { needTool } from "../support/skip.ts";
import { type Account, useWorld } from "../support/world.ts";
import { lengthenExport } from "./exports.ts";
import { ask, readAll } from "./packed.ts";

/** Refuses bytes after the first member. Python's own gzip module would read them. */
const python = `
import hashlib, sys, zlib
for path in sys.argv[1:]:
    unpack = zlib.decompressobj(31)
    lines = unpack.decompress(open(path, "rb").read())
    assert unpack.eof and not unpack.unused_data
    print(hashlib.sha256(lines).hexdigest())
`;

const java = `
import java.io.*; import java.security.*; import java.util.*; import java.util.zip.*;
class Unpack {
  public static void main(String[] paths) throws Exception {
    for (String path : paths) {
      byte[] lines = new GZIPInputStream(new FileInputStream(path)).readAllBytes();
      System.out.println(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(lines)));
    }
  }
}`;

describe("decoders of a compressed export", () => {
  const world = useWorld({ fewItems: true });
  const folder = temporaryFolder();
  const file = (name: string) => join(folder, name);
  let account: Account;
  let digests: string[];

  before(async () => {
    account = world.account("quant");
    lengthenExport(world, 20);
    // Pages are made for the first export, and copied for the second one.
    await save("made.gz");
    await save("copied.gz");
    const plain = ["made.gz", "copied.gz"].map((name) => gunzipSync(bodies.get(name)!));
    expect(plain[0]!.length).to.be.greaterThan(1.5 * pageBytesTarget);
    digests = plain.map(sha256);
  });

  const bodies = new Map<string, Buffer>();
  const save = async (name: string) => {
    const headers = { authorization: `Bearer ${account.secret}`, "accept-encoding": "gzip" };
    const { body } = await readAll(await ask(`${world.base}/v1/markets/snapshot`, { method: "POST", headers }));
    bodies.set(name, body);
    writeFileSync(file(name), body);
  };
  const told = (command: string, words: readonly string[]) => {
    const { stdout, stderr, status } = spawnSync(command, [...words, file("made.gz"), file("copied.gz")], {
      encoding: "utf8",
    });
    expect(status, stderr).to.equal(0);
    return stdout.trim().split("\n");
  };

  it("zlib decodes two exports of a generation to the same items", () => {
    const [made, copied] = ["made.gz", "copied.gz"].map((name) =>
      gunzipSync(bodies.get(name)!).toString().trimEnd().split("\n"),
    );
    expect(made!.slice(1, -1)).to.deep.equal(copied!.slice(1, -1));
    expect(JSON.parse(made!.at(-1)!)).to.include({ type: "end", items: made!.length - 2 });
  });

  it("Python decodes it as one gzip member to the same bytes", function () {
    needTool(this, "python3", "--version");
    expect(told("python3", ["-c", python])).to.deep.equal(digests);
  });

  itLong("Java decodes it to the same bytes", function () {
    this.timeout(60_000);
    // A source file is run by the compiler of the JDK.
    needTool(this, "javac");
    writeFileSync(file("Unpack.java"), java);
    expect(told("java", ["-XX:TieredStopAtLevel=1", file("Unpack.java")])).to.deep.equal(digests);
  });

  it("the client requests and verifies a compressed export by itself", async () => {
    const codings: (string | null)[] = [];
    const client = new Itemtape({
      baseUrl: world.base,
      apiKey: account.secret,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (new Headers(init?.headers).get("accept")?.includes("ndjson")) {
          codings.push(new Headers(init?.headers).get("accept-encoding"), response.headers.get("content-encoding"));
        }
        return response;
      },
    });
    let items = 0;
    for await (const _ of client.streamMarketUnverified()) items += 1;
    expect(items).to.be.greaterThan(100);
    expect(codings).to.deep.equal(["gzip", "gzip"]);
  });
});

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
