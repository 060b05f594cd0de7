import type { Command } from "../command.ts";

const trustFlag = { value: "KEY", description: "public key of the publisher, as `release key` has printed it" };
const jsonFlag = { description: "print JSON" };

export const releaseCommands: readonly Command[] = [
  {
    name: "release key",
    operands: ["FILE"],
    flags: { public: { description: "print the public key of a FILE that is there, and make none" } },
    settings: [],
    description: "make the key that signs market releases: the private one into FILE, the public one is printed",
    examples: [["release key release.pem", "make the private key; the public one is printed"]],
    run: async (call) => (await import("../releases.ts")).key(call),
  },
  {
    name: "release seal",
    operands: [],
    flags: {
      to: { value: "FOLDER", description: "the folder of releases; it may be read by everybody" },
      key: { value: "FILE", description: "the private key of `release key`" },
      keep: { value: "N", description: "keep at least the newest N releases (default 24)" },
      "keep-hours": { value: "HOURS", description: "keep releases that are younger (default 24)" },
      "take-over": { description: "continue a folder that another file was sealed into, which is sealed no more" },
      json: jsonFlag,
    },
    settings: ["db"],
    description: "seal the market, without accounts and portfolios, into a signed release; also beside a server",
    examples: [["release seal --to /srv/releases --key release.pem", "seal the market as it is"]],
    run: async (call) => (await import("../releases.ts")).seal(call),
  },
  {
    name: "release check",
    operands: ["PLACE"],
    flags: { trust: trustFlag, json: jsonFlag },
    settings: [],
    description: "verify all releases in a folder or at its http(s) address: signatures, chain and every chunk",
    examples: [["release check https://prices.example/releases --trust PUBLIC_KEY", "verify all of a publisher"]],
    run: async (call) => (await import("../releases.ts")).check(call),
  },
  {
    name: "release fetch",
    operands: ["PLACE"],
    flags: {
      trust: trustFlag,
      to: { value: "FILE", description: "database file that the market is taken into" },
      json: jsonFlag,
    },
    settings: [],
    description: "take the newest release of a folder or http(s) address into a file, never an older one than before",
    examples: [
      ["release fetch https://prices.example/releases --trust PUBLIC_KEY --to market.db", "take the newest release"],
    ],
    run: async (call) => (await import("../releases.ts")).take(call),
  },
];
