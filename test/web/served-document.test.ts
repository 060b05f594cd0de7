import { expect } from "chai";
import { loadContract } from "../../src/contract/document.ts";
import { sendRaw } from "../api/raw.ts";
import { useWorld, type World } from "../support/world.ts";

type Served = { servers: { url: string }[] };

/** Returns `/openapi.json` as a client of `host` reads it. */
async function documentFor(world: World, host: string | null, headers = ""): Promise<Served> {
  const version = host === null ? "HTTP/1.0\r\n" : `HTTP/1.1\r\nHost: ${host}\r\n`;
  const { answers } = await sendRaw(world.app.port, `GET /openapi.json ${version}${headers}\r\n`);
  expect(answers.map(({ status }) => status)).to.deep.equal([200]);
  expect(answers[0]?.headers.get("content-type")).to.equal("application/json");
  return JSON.parse(answers[0]!.body) as Served;
}

const urlsOf = ({ servers }: Served) => servers.map(({ url }) => url);
const proxies = ["X-Forwarded-Host: data.example.com\r\n", "Via: 1.1 proxy\r\n"];

describe("served contract document", () => {
  const world = useWorld({ fewItems: true, config: { publicUrl: "" } });

  it("is the contract with the requested server only", async () => {
    for (const host of [`127.0.0.1:${world.app.port}`, "localhost:9000", "[::1]:9000", "127.0.0.1"]) {
      const { servers, ...served } = await documentFor(world, host);
      const { servers: _stated, ...contract } = JSON.parse(loadContract().json.toString()) as Served;
      expect(served).to.deep.equal(contract);
      expect(urlsOf({ servers }), host).to.deep.equal([`http://${host}`]);
    }
  });

  it("names no host, and warns once, for a non-loopback host", async () => {
    const warnings: object[] = [];
    world.events.documentWithoutBase = (facts) => void warnings.push(facts);
    for (const host of ["data.example.com", "127.0.0.1.evil.example", "localhost.evil.example:8080", "10.0.0.7:8080"])
      expect(urlsOf(await documentFor(world, host)), host).to.deep.equal(["/"]);
    for (const header of proxies)
      expect(urlsOf(await documentFor(world, "127.0.0.1:8080", header))).to.deep.equal(["/"]);
    expect(urlsOf(await documentFor(world, null))).to.deep.equal(["/"]);
    expect(warnings).to.have.length(1);
  });
});

describe("served contract document at a public address", () => {
  const world = useWorld({ fewItems: true, config: { publicUrl: "https://data.example.com" } });

  it("names the public address only, for any requested host", async () => {
    const warnings: object[] = [];
    world.events.documentWithoutBase = (facts) => void warnings.push(facts);
    for (const host of [`127.0.0.1:${world.app.port}`, "data.example.com", "evil.example"])
      expect(urlsOf(await documentFor(world, host)), host).to.deep.equal(["https://data.example.com"]);
    expect(warnings).to.have.length(0);
  });
});
