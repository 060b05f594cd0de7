// Node spends most of a start on finding modules: it reads manifests and real paths for each, 180 kB of exports for one of drizzle-orm's
// 111. Relative imports need no manifest, and an installation joins the modules of drizzle-orm into a few files. That halves the processor
// time of a start and of a thread. Entries of a checkout load this file first; the built package holds each entry in one file.
import { existsSync, readdirSync } from "node:fs";
import { registerHooks } from "node:module";

const folder = new URL("../../node_modules/drizzle-orm/joined/", import.meta.url);
const joined = new Set(existsSync(folder) ? readdirSync(folder) : []);
const found = (url, format) => ({ url, format, shortCircuit: true });

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    if (specifier.startsWith("drizzle-orm")) {
      const name = `${specifier.replaceAll("/", "--")}.mjs`;
      if (joined.has(name)) return found(new URL(name, folder).href, "module");
    }
    if (!specifier.startsWith(".") || parentURL === undefined) return next(specifier, context);
    if (specifier.endsWith(".ts")) return found(new URL(specifier, parentURL).href, "module-typescript");
    const isOfDrizzle = parentURL.includes("/node_modules/drizzle-orm/");
    return isOfDrizzle ? found(new URL(specifier, parentURL).href, "module") : next(specifier, context);
  },
});
