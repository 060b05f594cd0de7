import { expect } from "chai";
import { Networks, networkOf } from "../../src/values/networks.ts";

describe("list of networks", () => {
  it("contains addresses and networks, and IPv4 in IPv6 notation", () => {
    const networks = new Networks("10.0.0.0/8, 192.0.2.7,2001:db8::/32 , ::1");
    const addresses = ["10.255.0.1", "11.0.0.1", "192.0.2.7", "192.0.2.8", "::ffff:10.1.1.1", "2001:db8:9::1", "::1"];
    expect(addresses.filter((address) => networks.includes(address))).to.deep.equal([
      "10.255.0.1",
      "192.0.2.7",
      "::ffff:10.1.1.1",
      "2001:db8:9::1",
      "::1",
    ]);
    expect(String(networks)).to.equal("10.0.0.0/8, 192.0.2.7, 2001:db8::/32, ::1");
  });

  it("contains nothing if empty, and never an invalid address", () => {
    expect(new Networks("").includes("127.0.0.1")).to.equal(false);
    for (const text of ["", "unknown", "10.0.0.1:80", "10.0.0.1/8"]) {
      expect(new Networks("0.0.0.0/0, ::/0").includes(text)).to.equal(false);
    }
  });

  for (const text of [
    "10.0.0.0/33",
    "::/129",
    "10.0.0.0/8/8",
    "localhost",
    "10.0.0.1,",
    ",",
    "10.0.0.0/-1",
    "10.0.0.0/08",
  ]) {
    it(`rejects \`${text}\` and names the invalid part`, () => {
      expect(() => new Networks(text)).to.throw("separated by commas; `");
    });
  }

  it("reduces a client to its IPv4 address or IPv6 /64", () => {
    expect(networkOf("192.0.2.1")).to.equal("192.0.2.1");
    expect(networkOf("::ffff:192.0.2.1")).to.equal("192.0.2.1");
    expect(networkOf("2001:db8:1:2:3:4:5:6")).to.equal(networkOf("2001:db8:1:2::1"));
    expect(networkOf("2001:db8:1:2::1")).not.to.equal(networkOf("2001:db8:1:3::1"));
  });
});
