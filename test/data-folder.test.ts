import { expect } from "chai";
import { dataFolder, homeFrom } from "../src/config/data-folder.ts";

describe("the folder of the database", () => {
  const installed = "/opt/app/node_modules/itemtape/src/config/data-folder.ts";
  const cases: readonly [title: string, given: Partial<Parameters<typeof dataFolder>[0]>, folder: string][] = [
    ["of a checkout is `db` below the current one", { program: "/home/ann/itemtape/src/config/data-folder.ts" }, "db"],
    ["of an installed program lies below the home", {}, "/home/ann/.local/share/itemtape"],
    ["follows XDG_DATA_HOME", { environment: { XDG_DATA_HOME: "/data" } }, "/data/itemtape"],
    [
      "does not follow a relative XDG_DATA_HOME",
      { environment: { XDG_DATA_HOME: "data" } },
      "/home/ann/.local/share/itemtape",
    ],
    ["is the platform's on macOS", { platform: "darwin" }, "/home/ann/Library/Application Support/itemtape"],
  ];
  for (const [title, given, folder] of cases) {
    it(`the folder of the database ${title}`, () => {
      const usual = { program: installed, platform: "linux", environment: {}, home: "/home/ann" } as const;
      expect(dataFolder({ ...usual, ...given })).to.equal(folder);
    });
  }

  it("a user whom the system does not know, as in a container, is no reason to refuse every command", () => {
    const home = homeFrom(() => {
      throw new Error("uv_os_homedir returned ENOENT");
    });
    expect(home).to.equal("/");
  });
});
