import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { absentPackages, bundle } from "../src/bundle.mjs";

// Translates the program into `generated/build`, which a package holds instead of the sources. npm calls it before it packs.
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = new URL("../generated/build/", import.meta.url);
const absent = absentPackages(root);
if (absent.length > 0) {
  console.error(
    `a package holds ${absent.join(", ")} too, which is not installed here; run \`npm ci\` without \`--omit=dev\` first`,
  );
  process.exit(1);
}
rmSync(folder, { recursive: true, force: true });
await bundle(root, fileURLToPath(folder));
