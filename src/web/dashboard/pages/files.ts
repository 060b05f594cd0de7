import { readdirSync, readFileSync } from "node:fs";

export type PageFile = { readonly mediaType: string; readonly body: string | Buffer };

const script = "text/javascript; charset=utf-8";

/** Files that the pages load beside their common style sheet, by path under /dashboard. */
export function pageFiles(): [path: string, file: PageFile][] {
  const folder = new URL("../browser/", import.meta.url);
  const own = readdirSync(folder).filter((name) => name.endsWith(".mjs"));
  const icon = { mediaType: "image/svg+xml", body: readFileSync(new URL("icon.svg", folder)) };
  return [
    ["/browser/icon.svg", icon],
    ...own.map((name): [string, PageFile] => [
      `/browser/${name}`,
      { mediaType: script, body: readFileSync(new URL(name, folder)) },
    ]),
  ];
}
