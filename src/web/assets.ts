import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileOfProgram } from "../values/root.ts";

/** A file whose address names its content: it may be kept for ever. */
type Asset = { readonly path: string; readonly mediaType: string; readonly body: Buffer };

const mark = asset("mark.svg", "image/svg+xml");
const font = asset("font/inter-latin.woff2", "font/woff2");

/** Address of the mark, which is the icon too. */
export const markPath = mark.path;
/** Address of the font of all pages. */
export const fontPath = font.path;
/** The files that every page loads and that never change at their address. */
export const assets: readonly Asset[] = [mark, font];

/** Returns the style sheet of all pages, which names the font. */
export function baseStyle(): string {
  return read("base.css").toString().replace("font/inter-latin.woff2", font.path);
}

function asset(name: string, mediaType: string): Asset {
  const body = read(name);
  const digest = createHash("sha256").update(body).digest("hex").slice(0, 12);
  return { path: `/browser/${name.replace(/(?=\.\w+$)/, `.${digest}`)}`, mediaType, body };
}

function read(name: string): Buffer {
  return readFileSync(fileOfProgram(`src/web/browser/${name}`));
}
