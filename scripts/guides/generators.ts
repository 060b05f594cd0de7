import { readFileSync } from "node:fs";
import { join } from "node:path";
import { table } from "./table.ts";

// Kept apart from the other tables, since this one reads package versions.
/** Packages of each generator, in the order of the table of those that are tested, and the command that makes a client. */
const generators: readonly (readonly [packages: readonly string[], command: string])[] = [
  [["openapi-typescript", "openapi-fetch"], "openapi-typescript openapi.json -o itemtape.d.ts"],
  [["@hey-api/openapi-ts", "zod"], "openapi-ts -i openapi.json -o itemtape -p @hey-api/client-fetch @hey-api/sdk zod"],
  [["orval", "zod"], "orval --input openapi.json --output itemtape.ts --client fetch"],
  [
    ["swagger-typescript-api"],
    "swagger-typescript-api generate --path openapi.json --output itemtape --enum-style union",
  ],
  [["oazapfts", "@oazapfts/runtime"], "oazapfts openapi.json itemtape.ts"],
  [["typed-openapi", "zod"], "typed-openapi openapi.json -o itemtape.ts -r zod"],
];

/** Returns the table of the lines that install each generator in the tested versions and run it. */
export function generatorTable(root: string): string {
  const manifest = readFileSync(join(root, "scripts/sdk/package.json"), "utf8");
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  const pinned = (names: readonly string[]) => names.map((name) => `${name}@${dependencies[name]}`).join(" ");
  return table(
    ["install", "run"],
    generators.map(([packages, command]) => [`\`npm i ${pinned([...packages, "typescript"])}\``, `\`npx ${command}\``]),
  );
}
