// Node spends most of a start on finding modules: it reads manifests and real paths for each, 180 kB of exports for one of drizzle-orm's
// 111. Relative imports need no manifest, and an installation joins the modules of some packages into a few files. That halves the
// processor time of a start and of a thread. Entries of a checkout load this file first; the built package holds each entry in one file.
import { existsSync, readdirSync } from "node:fs";
import { registerHooks } from "node:module";

/** Addresses of joined packages by specifier. */
const joined = new Map();
for (const name of ["drizzle-orm", "openapi-backend"]) {
  const folder = new URL(`../../node_modules/${name}/joined/`, import.meta.url);
  for (const file of existsSync(folder) ? readdirSync(folder) : [])
    joined.set(file.replace(/\.mjs$/, "").replaceAll("--", "/"), new URL(file, folder).href);
}
const found = (url, format) => ({ url, format, shortCircuit: true });

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    if (parentURL === undefined) return next(specifier, context);
    const isOfPackage = parentURL.includes("/node_modules/");
    const url = isOfPackage ? undefined : joined.get(specifier);
    if (url !== undefined) return found(url, "module");
    if (!specifier.startsWith(".")) return next(specifier, context);
    if (specifier.endsWith(".ts")) return found(new URL(specifier, parentURL).href, "module-typescript");
    const isKnown = isOfPackage && /\/node_modules\/(drizzle-orm|openapi-backend\/joined)\//.test(parentURL);
    return isKnown ? found(new URL(specifier, parentURL).href, "module") : next(specifier, context);
  },
});
