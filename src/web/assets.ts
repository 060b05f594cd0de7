import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileOfProgram } from "../values/root.ts";

/** A file with a digest in its address, so that caches may keep it forever. */
type Asset = { readonly path: string; readonly mediaType: string; readonly body: Buffer };

const mark = asset("mark.svg", "image/svg+xml");
const font = asset("font/inter-latin.woff2", "font/woff2");

/** Address of the mark, which is also the icon. */
export const markPath = mark.path;
/** Address of the font of all pages. */
export const fontPath = font.path;
/** Files of all pages with a digest in their address. */
export const assets: readonly Asset[] = [mark, font];

/** Returns the style sheet of all pages, with the address of the font. */
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
