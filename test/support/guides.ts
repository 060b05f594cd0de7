import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { guideFolder, guidePaths } from "../../scripts/guides/blocks.ts";

export { guideFolder };

export const repository = fileURLToPath(new URL("../../", import.meta.url));

/** A Markdown file by its path from the root of the repository. */
export type GuideText = { readonly path: string; readonly text: string };

/** README, the index of the guides and every guide. */
export function readGuides(): readonly GuideText[] {
  return guidePaths(repository).map((path) => ({ path, text: readFileSync(repository + path, "utf8") }));
}

/** Returns the text of a file that a guide offers to save. */
export function guideFile(name: string): string {
  return readFileSync(`${repository}${guideFolder}/files/${name}`, "utf8");
}

/** Returns the texts of all fences of one language, ignoring the rest of the info string. */
export function fencesOf(text: string, language: string): string[] {
  const fences = text.matchAll(new RegExp(`^\`\`\`${language}(?: [^\n]*)?\n([\\s\\S]*?)^\`\`\``, "gm"));
  return Array.from(fences, ([, body]) => body ?? "");
}

/** Shell lines that are shown, as words, each up to a pipe, a redirection or the end of its command. */
export function shellLines(text: string): string[][] {
  return fencesOf(text, "sh").flatMap((body) => body.trim().split("\n").map(commandOf));
}

function commandOf(line: string): string[] {
  const words = wordsOf(line);
  const end = words.findIndex((word) => ["|", ">", ">>", "&", "&&"].includes(word));
  return end === -1 ? words : words.slice(0, end);
}

/** Commands named in running text, as far as they are meant to be typed. */
export function inlineCommands(text: string): string[][] {
  return Array.from(text.matchAll(/`npx (itemtape [^`…]+)`/g), ([, line]) => wordsOf(`npx ${line}`));
}

/** Returns the words of a shell line. Quotes may surround a whole word. */
export function wordsOf(line: string): string[] {
  return Array.from(
    line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}

/** Returns the targets of links and pictures outside of code. */
export function linksOf(text: string): string[] {
  return Array.from(proseOf(text).matchAll(/\]\(([^()\s]+)\)/g), ([, target]) => target ?? "");
}

/** Anchors of the headings of a file, as code hosts make them. */
export function anchorsOf(text: string): string[] {
  return Array.from(proseOf(text).matchAll(/^#+ (.+)$/gm), ([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
}

/** Resolves a relative link of a file to a path from the repository root and an anchor. */
export function targetOf({ path }: GuideText, link: string): { file: string; anchor: string | undefined } {
  const [file = "", anchor] = link.split("#");
  return { file: file === "" ? path : posix.join(posix.dirname(path), file), anchor };
}

/** The text without its fences. */
export function proseOf(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, "");
}
