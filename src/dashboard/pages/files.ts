import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

export type PageFile = { readonly mediaType: string; readonly body: string | Buffer };

const script = "text/javascript; charset=utf-8";
const style = "text/css; charset=utf-8";
const library = createRequire(import.meta.url);

/** What the pages load beside the style sheet of all of them, by path under /dashboard: our modules and the chart library. */
export function pageFiles(): [path: string, file: PageFile][] {
  const folder = new URL("../browser/", import.meta.url);
  const own = readdirSync(folder).filter((name) => name.endsWith(".mjs"));
  const icon = { mediaType: "image/svg+xml", body: readFileSync(new URL("icon.svg", folder)) };
  return [
    ["/browser/icon.svg", icon],
    ["/browser/uplot.css", { mediaType: style, body: readFileSync(library.resolve("uplot/dist/uPlot.min.css")) }],
    ["/browser/uplot.js", { mediaType: script, body: readFileSync(library.resolve("uplot/dist/uPlot.iife.min.js")) }],
    ...own.map((name): [string, PageFile] => [
      `/browser/${name}`,
      { mediaType: script, body: readFileSync(new URL(name, folder)) },
    ]),
  ];
}
