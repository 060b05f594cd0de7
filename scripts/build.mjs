import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { absentPackages, bundle } from "../src/bundle.mjs";
import { licensesOf } from "./licenses.mjs";
import { restoreManifest, writePackageManifest } from "./package-manifest.mjs";

// Translates the program into `generated/build`, which a package holds instead of the sources, and writes there under which licenses
// the packages are that it has in it. npm calls it before it packs, and `postpack.mjs` afterwards. Packing that failed or was killed
// may have left the manifest of a package here, which calls both, too.
restoreManifest();
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
const sources = await bundle(root, fileURLToPath(folder));
writeFileSync(new URL("licenses.txt", folder), licensesOf(root, sources));
writePackageManifest();
