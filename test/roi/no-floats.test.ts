import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "chai";

const folder = fileURLToPath(new URL("../../src/roi/", import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith(".ts"));
/** The only file that may divide. */
const divider = "rational.ts";

describe("The ROI model", () => {
  for (const file of files)
    it(`has no floating-point operation in ${file}`, () => {
      expect(floatsIn(readFileSync(folder + file, "utf8"), file === divider)).to.deep.equal([]);
    });

  it("divides in one file only, by bigint operands", () => {
    const text = readFileSync(folder + divider, "utf8");
    expect(codeOf(text)).to.match(/ \/ /);
    const signatures = [...codeOf(text).matchAll(/function (\w+)\(([^)]*)\)/g)].map(([, name, parts]) => [name, parts]);
    expect(signatures.filter(([, parts]) => /number/.test(parts!)).map(([name]) => name)).to.deep.equal([
      "percentText",
    ]);
    expect(text).not.to.match(/Number\(/);
  });
});

/** Operations that could leave the integers, as they are written. */
function floatsIn(text: string, mayDivide: boolean): string[] {
  const code = codeOf(text);
  const patterns = [
    /\bMath\.\w+/g,
    /\bparseFloat\b/g,
    /\bFloat\d+Array\b/g,
    /\.to(Fixed|Precision|Exponential)\b/g,
    /(?<![\w.])\d[\d_]*(\.\d|[eE][+-]?\d)/g,
    /[=(,]\s*\+\w/g,
    /\bNumber\([^()]*\)\s*[*/%]/g,
    /(?<!\d+n )\*\*/g,
    ...(mayDivide ? [] : [/(?<!\/)\/=?(?!\/)/g, /%/g]),
  ];
  return patterns.flatMap((pattern) => [...code.matchAll(pattern)].map(([found]) => found));
}

/** Without comments, strings and the words of templates. */
function codeOf(text: string): string {
  const words = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
  return text.replace(words, (found) => {
    if (!found.startsWith("`")) return found.startsWith('"') ? '""' : "";
    return [...found.matchAll(/\$\{([^}]*)\}/g)].map(([, code]) => `(${code})`).join();
  });
}
