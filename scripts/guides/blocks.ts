import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const guideFolder = "src/web/docs/guides";

/**
 * A block of shell commands in README or a guide. `line`: line of its first command. `mark`: the reason why tests do not run it, such as
 * `needs systemd`, from the fence's info string, null if they run it. `answer`: the fence directly after it, or "".
 */
export type ShellBlock = {
  readonly path: string;
  readonly line: number;
  readonly mark: string | null;
  readonly text: string;
  readonly answer: string;
};

const fence = /^```(\w*) ?([^\n]*)\n([\s\S]*?)^```$/gm;
const answerFence = /^\n\n```\w+\n([\s\S]*?)^```$/m;

/** Returns the paths of README and all guides, from the root of the repository. */
export function guidePaths(root: string): string[] {
  const names = readdirSync(join(root, guideFolder)).filter((name) => name.endsWith(".md"));
  return ["README.md", ...names.sort().map((name) => `${guideFolder}/${name}`)];
}

/** Returns the blocks of shell commands in a document, in order. `path` is relative to `root`. */
export function shellBlocks(root: string, path: string): ShellBlock[] {
  const text = readFileSync(join(root, path), "utf8");
  const fences = [...text.matchAll(fence)].filter(([, language]) => language === "sh");
  return fences.map(({ index, 0: whole, 2: mark = "", 3: body = "" }) => {
    const before = text.slice(0, index);
    const after = text.slice(index + whole.length);
    const [, answer = ""] = after.startsWith("\n\n```") ? (answerFence.exec(after) ?? []) : [];
    return {
      path,
      line: before.split("\n").length + 1,
      mark: mark === "" ? null : mark,
      text: body,
      answer,
    };
  });
}
