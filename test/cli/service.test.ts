import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { exitCodes } from "../../src/values/failure/operator-error.ts";
import { programPath, runHere } from "../support/cli.ts";
import { newDatabase, temporaryFolder } from "../support/files.ts";
import { guideFile } from "../support/guides.ts";
import { needTool } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { useWorld } from "../support/world.ts";
import { someTrust } from "./broken-setups.ts";

const unit = async (...words: string[]) => {
  const { code, lines, notes } = await runHere(["service", "unit", ...words]);
  expect({ code, notes }).to.deep.equal({ code: 0, notes: [] });
  return `${lines.join("\n")}\n`;
};

describe("systemd units on the command line", () => {
  const folder = temporaryFolder();
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("pass systemd's analysis with an exposure of at most 1.5", async function () {
    needTool(this, "systemd-analyze", "--version");
    const files = {
      "itemtape.service": ["--mirror"],
      "itemtape-node.service": [
        "--private-db-file",
        "/etc/itemtape/private",
        "--follow",
        "/srv/releases",
        "--trust",
        someTrust,
      ],
      "itemtape-backup.service": ["backup"],
      "itemtape-backup.timer": ["backup-timer"],
    };
    const paths = await Promise.all(
      Object.entries(files).map(async ([name, words]) => {
        const path = join(folder, name);
        writeFileSync(path, await unit(...words));
        return path;
      }),
    );
    const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", ...paths], { encoding: "utf8" });
    expect({ status, said: stdout + stderr }).to.deep.equal({ status: 0, said: "" });
    const rated = spawnSync("systemd-analyze", ["security", "--offline=true", "--threshold=15", paths[0]!], {
      encoding: "utf8",
    });
    expect(rated.status, rated.stdout.slice(-200)).to.equal(0);
  });

  it("run this program by this Node as the named user and folder", async () => {
    const text = await unit("server", "--mirror", "--user", "market", "--data", "/srv/market/");
    const program = programPath.includes(" ") ? `"${programPath}"` : programPath;
    expect(text).to.include(
      `ExecStart=${process.execPath} ${program} serve --db /srv/market/itemtape.db --mirror --mirror-config /srv/market/mirror.json\n`,
    );
    expect(text).to.include("User=market\nGroup=market\n").and.include("ReadWritePaths=/srv/market\n");
    expect(text).to.not.include("StateDirectory");
    expect(await unit())
      .to.include("StateDirectory=itemtape\n")
      .and.include("--db /var/lib/itemtape/itemtape.db\n");
    expect(await unit("backup", "--backups-to", "/mnt/b")).to.match(/ db backup \/mnt\/b --keep 14 --db .*\n/);
  });

  it("name a node's releases and address file, but no address", async () => {
    const key = someTrust;
    const words = [
      "--private-db-file",
      "/etc/itemtape/private",
      "--follow",
      "https://releases.example.com/m",
      "--trust",
      key,
    ];
    const text = await unit(...words);
    expect(text).to.include(
      ` serve --db /var/lib/itemtape/itemtape.db --private-db-file /etc/itemtape/private --follow https://releases.example.com/m/ --trust ${key}\n`,
    );
    expect(text).to.include("After=network-online.target postgresql.service\n").and.include("ProtectHome=true\n");
    expect(await unit("--private-db-file", "/home/market/private")).to.include("ProtectHome=read-only\n");
    for (const wrong of [
      ["--follow", "/srv/releases", "--private-db-file", "/etc/itemtape/private"],
      ["--follow", "/srv/releases", "--trust", key],
      ["--trust", key],
      [...words, "--mirror"],
    ]) {
      const { code, lines } = await runHere(["service", "unit", ...wrong]);
      expect({ code, lines }, wrong.join(" ")).to.deep.equal({ code: 64, lines: [] });
    }
  });

  it("restart after all exit codes but the operator's faults", async () => {
    const line = /^RestartPreventExitStatus=(.*)$/m.exec(await unit())?.[1] ?? "";
    const stays = line.split(" ").map(Number);
    const file = [81, 82, 83, 84, 85, 86];
    const { usage, badData, noInput, unavailable, cannotCreate, denied } = exitCodes;
    expect(stays).to.have.members([usage, badData, noInput, unavailable, cannotCreate, denied, ...file]);
    expect(stays).to.not.include.members([exitCodes.unexpected, exitCodes.ioError, exitCodes.temporary]);
  });

  it("keep the server alive if a body reader exhausts memory", async () => {
    const lines = (await unit()).split("\n");
    expect(lines).to.include("OOMPolicy=continue");
    // The later line allows a call again that the denied group forbids.
    expect(lines.indexOf("SystemCallFilter=setpriority")).to.be.above(
      lines.indexOf("SystemCallFilter=~@privileged @resources"),
    );
  });

  it("are refused in one line for an odd folder, user or name", async () => {
    for (const words of [
      ["--data", "var/lib"],
      ["--data", "/var/lib/a b"],
      ["--data", "/var/%h"],
      ["--data", "/"],
      ["backup", "--backups-to", "/x\ny"],
      ["--user", "Root "],
      ["mirror"],
    ]) {
      const { code, lines, notes } = await runHere(["service", "unit", ...words]);
      expect({ code, lines }, words.join()).to.deep.equal({ code: 64, lines: [] });
      expect(notes.join("\n")).to.not.include("\n");
    }
  });
});

describe("backups in a folder", () => {
  it("are named by time; --keep removes only the oldest such names", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "itemtape.db");
    const backups = join(folder, "backups");
    newDatabase(path);
    mkdirSync(backups);
    const old = ["itemtape-20250101T000000Z.db", "itemtape-20250102T000000Z.db", "itemtape-20250103T000000Z.db"];
    const others = ["by-hand.db", "itemtape-20250101.db"];
    for (const name of [...old, ...others]) writeFileSync(join(backups, name), "");
    const run = (...words: string[]) => runHere(["db", "backup", ...words, "--db", path]);
    for (const words of [
      [join(backups, "x.db"), "--keep", "2"],
      [backups, "--keep", "0"],
      [backups, "--keep", "all"],
    ])
      expect((await run(...words)).code, words.join()).to.equal(64);
    expect(readdirSync(backups)).to.have.members([...old, ...others]);
    const { code, lines } = await run(backups, "--keep", "2");
    expect(code).to.equal(0);
    const made = readdirSync(backups).filter((name) => ![...old, ...others].includes(name));
    expect(made.join()).to.match(/^itemtape-20\d{6}T\d{6}Z\.db$/);
    expect(readdirSync(backups)).to.have.members([old[2], ...others, ...made]);
    expect(lines.slice(1)).to.deep.equal(old.slice(0, 2).map((name) => `${join(backups, name)} removed`));
    expect((await runHere(["db", "check", "--db", join(backups, made[0]!)])).code).to.equal(0);
    const ahead = "itemtape-29990101T000000Z.db";
    renameSync(join(backups, made[0]!), join(backups, ahead));
    expect((await run(backups, "--keep", "1")).lines[0]).to.match(/ written and verified/);
    const left = readdirSync(backups).filter((name) => name.endsWith(".db") && !others.includes(name));
    expect(left.join(), "a wrong clock's name does not outlive the copy just made").to.match(
      /^itemtape-20\d{6}T\d{6}Z\.db$/,
    );
    rmSync(folder, { recursive: true });
  });
});

describe("nginx block of the guide", () => {
  const world = useWorld({ fewItems: true });
  const folder = temporaryFolder();
  let stop = async () => {};
  after(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts nginx with the guide's block before `upstream`. Returns its port. */
  async function start(upstream: number): Promise<number> {
    const port = await freePort();
    const changed = guideFile("nginx.conf")
      .replace("127.0.0.1:8080", `127.0.0.1:${upstream}`)
      .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
      .replace(/^ *ssl_certificate.*\n/gm, "")
      .replace("/var/log/nginx/itemtape.log", join(folder, "access.log"));
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    writeFileSync(
      join(folder, "nginx.conf"),
      `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;\nevents {}\nhttp {\n${temporary.join("\n")}\n${changed}}\n`,
    );
    const child = spawn("nginx", ["-p", folder, "-c", "nginx.conf", "-e", join(folder, "error.log")], {
      stdio: "ignore",
    });
    const ended = once(child, "exit");
    stop = async () => {
      child.kill("SIGQUIT");
      await ended;
    };
    await until("nginx", () =>
      fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      ),
    );
    return port;
  }

  it("streams an export line by line with the client's address, without keys", async function () {
    needTool(this, "nginx", "-v");
    let goOn = () => {};
    let unsentBytes = () => 0;
    const seen: Record<string, unknown>[] = [];
    const bytes = 64 * 1024 * 1024;
    const upstream = createServer((req, res) => {
      if (req.url !== "/")
        seen.push({ forwarded: req.headers["x-forwarded-for"], host: req.headers.host, version: req.httpVersion });
      res.setHeader("content-type", "application/x-ndjson");
      res.write('{"type":"start"}\n');
      goOn = () => res.end("x".repeat(bytes));
      if (req.url === "/") res.end();
      else unsentBytes = () => res.socket?.writableLength ?? 0;
    }).listen(0, "127.0.0.1");
    await once(upstream, "listening");
    const port = await start((upstream.address() as AddressInfo).port);
    const headers = { "x-forwarded-for": "192.0.2.1", host: "data.example.com" };
    const asked = request({
      port,
      host: "127.0.0.1",
      path: "/v1/markets/snapshot?key=itemtape_live_x",
      method: "POST",
      headers,
    }).end();
    const [answer] = await once(asked, "response");
    const [first] = await once(answer, "data");
    expect(String(first)).to.equal('{"type":"start"}\n');
    goOn();
    answer.pause();
    for (let turn = 0; turn < 100; turn += 1) await (await fetch(`http://127.0.0.1:${port}/`)).text();
    expect(unsentBytes()).to.be.above(bytes / 2);
    let received = 0;
    for await (const chunk of answer) received += chunk.length;
    expect(received).to.equal(bytes);
    expect(seen.at(-1)).to.deep.equal({ forwarded: "192.0.2.1, 127.0.0.1", host: "data.example.com", version: "1.1" });
    await stop();
    upstream.closeAllConnections();
    upstream.close();
    const log = readFileSync(join(folder, "access.log"), "utf8");
    expect(log).to.include("POST /v1/markets/snapshot 200").and.not.include("itemtape_live_x");
  });

  it("passes the server's responses unchanged, including problems and exports", async function () {
    needTool(this, "nginx", "-v");
    const port = await start(world.app.port);
    const { secret } = world.account("quant");
    const through = async (base: string, path: string, method = "GET") => {
      const answer = await fetch(base + path, { method, headers: { authorization: `Bearer ${secret}` } });
      return [answer.status, answer.headers.get("content-type"), (await answer.text()).replace(/req_\w+/g, "")];
    };
    for (const [path, method] of [
      ["/v1/items/95", "GET"],
      ["/v1/nothing", "GET"],
      ["/v1/markets/snapshot", "POST"],
      ["/docs/guides/", "GET"],
    ] as const) {
      const direct = await through(world.base, path, method);
      const proxied = await through(`http://127.0.0.1:${port}`, path, method);
      expect(proxied.slice(0, 2), path).to.deep.equal(direct.slice(0, 2));
      expect(withoutTimes(proxied[2]) === withoutTimes(direct[2]), path).to.equal(true);
    }
  });
});

function withoutTimes(text: unknown): string {
  return String(text).replace(/127\.0\.0\.1(:\d+)?/g, "");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
