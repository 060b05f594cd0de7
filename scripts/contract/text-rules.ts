import { isMap, isPair, isScalar, visit, type Document as YamlDocument } from "yaml";
import { parseText } from "./document.ts";
import type { Finding } from "./finding.ts";

/** Written-out copies of one set of headers; from the next one on it is an alias. */
const headerCopiesMax = 6;
/**
 * Aliases in the whole document. SnakeYAML, which tools in Java read with, refuses more than 50 as a bomb; the npm parser `yaml`
 * allows 100 of one anchor. When there are more answers than that, the rarer sets are written out.
 */
const aliasesMax = 50;
/** Percent of the text that recorded answers may take: what nobody writes by hand must not bury what somebody does. */
const recordedPercentMax = 25;

/** Rules about the text of openapi.yaml, which the parsed document does not show. `ast`: the text as it was parsed. */
export function checkText(text: string, ast = parseText(text)): Finding[] {
  return [
    ...checkQuoting(text, ast),
    ...checkAliases(text, ast),
    ...checkHeaderCopies(text, ast),
    ...checkShare(text, ast),
  ];
}

/** Finds date-times that are not quoted: readers of YAML 1.1 make date objects of them. */
function checkQuoting(text: string, ast: YamlDocument): Finding[] {
  const findings: Finding[] = [];
  visit(ast, {
    Scalar(_key, scalar) {
      if (isScalar(scalar) && scalar.type === "PLAIN" && /^\d{4}-\d{2}-\d{2}/.test(String(scalar.source)))
        findings.push({ rule: "quoted-dates", at: lineOf(text, scalar), message: `quote ${String(scalar.source)}` });
    },
  });
  return findings;
}

/** Finds aliases of anything but headers, and too many of them. */
function checkAliases(text: string, ast: YamlDocument): Finding[] {
  const rule = "aliases";
  const findings: Finding[] = [];
  let aliases = 0;
  visit(ast, {
    Alias(_key, alias, path) {
      aliases += 1;
      const pair = path.at(-1);
      if (isPair(pair) && isScalar(pair.key) && pair.key.value === "headers") return;
      findings.push({ rule, at: lineOf(text, alias), message: `*${alias.source}: only sets of headers are aliases` });
    },
  });
  if (aliases > aliasesMax) {
    const message = `${aliases} aliases; parsers refuse more than ${aliasesMax}, so write out the rarest set`;
    findings.push({ rule, at: "#", message });
  }
  return findings;
}

/** Finds sets of headers that are written out again and again. */
function checkHeaderCopies(text: string, ast: YamlDocument): Finding[] {
  const copies = new Map<string, number>();
  const findings: Finding[] = [];
  visit(ast, {
    Pair(_key, { key, value }) {
      if (!isScalar(key) || key.value !== "headers" || !isMap(value)) return;
      const set = JSON.stringify(value);
      const count = (copies.get(set) ?? 0) + 1;
      copies.set(set, count);
      // The components of this kind stand under the same key, once.
      if (count !== headerCopiesMax + 1) return;
      const message = `these headers are written out ${count} times; name the first set with &name and refer to it by *name`;
      findings.push({ rule: "header-copies", at: lineOf(text, value), message });
    },
  });
  return findings;
}

/** Finds that recorded answers take too large a part of the document. */
function checkShare(text: string, ast: YamlDocument): Finding[] {
  const examples = ast.getIn(["components", "examples"]);
  if (!isMap(examples) || !examples.range) return [];
  const [start, end] = examples.range;
  const percent = (100 * Buffer.byteLength(text.slice(start, end))) / Buffer.byteLength(text);
  if (percent <= recordedPercentMax) return [];
  const message = `examples take ${percent.toFixed(1)} % of the text and may take ${recordedPercentMax} %; show fewer rows`;
  return [{ rule: "recorded-share", at: "#/components/examples", message }];
}

function lineOf(text: string, { range }: { range?: readonly number[] | null | undefined }): string {
  return `line ${text.slice(0, range?.[0] ?? 0).split("\n").length}`;
}
