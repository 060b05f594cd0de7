import { expect } from "chai";
import { dataFolder, homeFrom } from "../src/config/data-folder.ts";

describe("folder of the database", () => {
  const installed = "/opt/app/node_modules/itemtape/src/config/data-folder.ts";
  const cases: readonly [title: string, given: Partial<Parameters<typeof dataFolder>[0]>, folder: string][] = [
    [
      "is `db` below the current folder in a checkout",
      { program: "/home/ann/itemtape/src/config/data-folder.ts" },
      "db",
    ],
    ["is below the home folder for an installed program", {}, "/home/ann/.local/share/itemtape"],
    ["follows XDG_DATA_HOME", { environment: { XDG_DATA_HOME: "/data" } }, "/data/itemtape"],
    [
      "does not follow a relative XDG_DATA_HOME",
      { environment: { XDG_DATA_HOME: "data" } },
      "/home/ann/.local/share/itemtape",
    ],
    [
      "is the platform's standard folder on macOS",
      { platform: "darwin" },
      "/home/ann/Library/Application Support/itemtape",
    ],
  ];
  for (const [title, given, folder] of cases) {
    it(title, () => {
      const usual = { program: installed, platform: "linux", environment: {}, home: "/home/ann" } as const;
      expect(dataFolder({ ...usual, ...given })).to.equal(folder);
    });
  }

  it("is found for a user unknown to the system, as in containers", () => {
    const home = homeFrom(() => {
      throw new Error("uv_os_homedir returned ENOENT");
    });
    expect(home).to.equal("/");
  });
});
