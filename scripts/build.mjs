import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundle } from "../src/bundle.mjs";

// Translates the program into `generated/build`, which a package holds instead of the sources. npm calls it before it packs.
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = new URL("../generated/build/", import.meta.url);
rmSync(folder, { recursive: true, force: true });
await bundle(root, fileURLToPath(folder));
