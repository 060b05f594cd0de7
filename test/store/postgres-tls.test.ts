import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { withClient } from "../../src/store/postgres/connection.ts";
import { OperatorError } from "../../src/values/failure/operator-error.ts";
import { hasPostgres, TestPostgres } from "../support/postgres.ts";
import { needTool, skipForWant } from "../support/skip.ts";

describe("private database over TLS", () => {
  let server: TestPostgres;
  let url: string;

  before(async function () {
    if (!hasPostgres()) skipForWant(this, "PostgreSQL is not installed");
    needTool(this, "openssl", "version");
    server = await TestPostgres.start();
    url = (await server.database()).replace("127.0.0.1", "localhost");
    makeCertificate("server", "localhost");
    makeCertificate("foreign", "localhost");
    makeCertificate("elsewhere", "db.example.com");
  });
  after(() => server?.remove());

  /** Makes a self-signed certificate for `host`, in files that the server may read. */
  function makeCertificate(name: string, host: string): void {
    const [key, certificate] = [fileOf(`${name}.key`), fileOf(`${name}.crt`)];
    const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    const names = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`];
    execFileSync("openssl", ["req", "-x509", ...kind, ...names, "-keyout", key, "-out", certificate], {
      stdio: "ignore",
    });
    const { uid, gid } = statSync(server.folder);
    for (const path of [key, certificate]) {
      chownSync(path, uid, gid);
      chmodSync(path, 0o600);
    }
  }

  function fileOf(name: string): string {
    return join(server.folder, name);
  }

  /** Connects as every node and command does. Returns whether the connection is encrypted, or the error. */
  async function connected(parameters: string): Promise<boolean | string> {
    try {
      const text = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
      return await withClient(`${url}?${parameters}`, async (client) => {
        const { rows } = await client.query<{ ssl: boolean }>(text);
        return rows[0]!.ssl;
      });
    } catch (error) {
      expect(error).to.be.instanceOf(OperatorError);
      return (error as Error).message;
    }
  }

  const rootOf = (name: string) => `sslmode=verify-full&sslrootcert=${encodeURIComponent(fileOf(`${name}.crt`))}`;

  it("accepts a password from PGPASSFILE without a warning", async () => {
    const [file, hba] = [fileOf("passwords"), fileOf("pg_hba.conf")];
    writeFileSync(file, "*:*:*:guest:sesame\n", { mode: 0o600 });
    writeFileSync(hba, `host all guest all scram-sha-256\n${readFileSync(hba, "utf8")}`);
    await server.configure({});
    await withClient(url, (client) => client.query("CREATE ROLE guest LOGIN PASSWORD 'sesame'"));
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on("warning", listen);
    process.env.PGPASSFILE = file;
    try {
      const { href } = Object.assign(new URL(url), { username: "guest" });
      const { rows } = await withClient(href, (client) => client.query("SELECT current_user AS name"));
      expect(rows).to.deep.equal([{ name: "guest" }]);
      await new Promise(setImmediate);
      expect(warnings).to.deep.equal([]);
    } finally {
      delete process.env.PGPASSFILE;
      process.off("warning", listen);
    }
  });

  it("rejects a server without TLS if the address requires it", async () => {
    expect(await connected("sslmode=verify-full")).to.match(/localhost:\d+\/test1: cannot be reached \(.*SSL/);
    expect(await connected("")).to.equal(false);
  });

  it("requires a certificate trusted by the address", async () => {
    await server.configure({ ssl: "on", ssl_cert_file: "server.crt", ssl_key_file: "server.key" });
    expect(await connected(rootOf("server"))).to.equal(true);
    expect(await connected("sslmode=verify-full")).to.match(/self-signed certificate/);
    expect(await connected(rootOf("foreign"))).to.match(/certificate|signature/);
  });

  it("rejects another host's certificate even if the address trusts it", async () => {
    await server.configure({ ssl: "on", ssl_cert_file: "elsewhere.crt", ssl_key_file: "elsewhere.key" });
    expect(await connected(rootOf("elsewhere"))).to.match(/altnames/);
  });
});
