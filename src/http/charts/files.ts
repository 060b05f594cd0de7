import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pageStyle } from "../html.ts";
import { chartsPage } from "./page.ts";

/** A file as it is served; `policy` says what the browser may do with it. */
export type ChartFile = { readonly mediaType: string; readonly body: string | Buffer; readonly policy: string };

/** Scripts, styles and data of this origin and nothing else; no inline script or style, no picture, no form that goes anywhere. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const html = "text/html; charset=utf-8";
const script = "text/javascript; charset=utf-8";
const style = "text/css; charset=utf-8";
const library = createRequire(import.meta.url);

/** The chart page and the files it is made of, by path: our browser modules as they are written, and the chart library. */
export function chartFiles(): [string, ChartFile][] {
  const folder = new URL("browser/", import.meta.url);
  const own = readdirSync(folder).filter((name) => name.endsWith(".mjs"));
  const file = (mediaType: string, body: string | Buffer): ChartFile => ({ mediaType, body, policy });
  return [
    ["/charts", file(html, chartsPage())],
    ["/charts/base.css", file(style, pageStyle)],
    ["/charts/charts.css", file(style, readFileSync(new URL("charts.css", folder)))],
    ["/charts/uplot.css", file(style, readFileSync(library.resolve("uplot/dist/uPlot.min.css")))],
    ["/charts/uplot.js", file(script, readFileSync(library.resolve("uplot/dist/uPlot.iife.min.js")))],
    ...own.map((name): [string, ChartFile] => [`/charts/${name}`, file(script, readFileSync(new URL(name, folder)))]),
  ];
}
