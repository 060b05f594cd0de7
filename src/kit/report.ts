import type { Result } from "./play.ts";
import { groups } from "./scenario.ts";

/** Report formats by name. Each returns the text without its last line feed. */
export const reports: Readonly<Record<string, (results: readonly Result[]) => string>> = {
  table: tableOf,
  json: jsonOf,
  junit: junitOf,
};

const words = { passed: "pass", failed: "FAIL", not_offered: "not offered" } as const;

/** Counts results by verdict. */
export function countsOf(results: readonly Result[]): Record<Result["verdict"], number> {
  const count = (verdict: Result["verdict"]) => results.filter((one) => one.verdict === verdict).length;
  return { passed: count("passed"), failed: count("failed"), not_offered: count("not_offered") };
}

function tableOf(results: readonly Result[]): string {
  const width = Math.max(0, ...results.map(({ scenario }) => scenario.name.length));
  const lines = groups.flatMap((group) => {
    const own = results.filter(({ scenario }) => scenario.group === group);
    return own.length === 0 ? [] : [group, ...own.flatMap((result) => rowsOf(result, width)), ""];
  });
  const { passed, failed, not_offered: notOffered } = countsOf(results);
  return [...lines, `${passed} passed, ${failed} failed, ${notOffered} not offered`].join("\n");
}

function rowsOf({ scenario, verdict, reasons, stderr }: Result, width: number): string[] {
  const row = `  ${words[verdict].padEnd(11)}  ${scenario.name.padEnd(width)}  ${scenario.title}`;
  if (verdict !== "failed") return [row];
  const { sentence, source } = scenario.holds;
  const written = stderr.trim() === "" ? [] : ["standard error:", ...stderr.trimEnd().split("\n")];
  const details = [...reasons.map((reason) => `- ${reason}`), `${source}: "${sentence}"`, ...written];
  return [row, ...details.map((line) => `      ${line}`)];
}

function jsonOf(results: readonly Result[]): string {
  const rows = results.map(({ scenario, verdict, reasons, reply, requests, ms, stderr }) => {
    const { name, group, title, holds } = scenario;
    return { name, group, title, holds, verdict, reasons, reply, requests, ms, stderr };
  });
  return JSON.stringify({ ...countsOf(results), scenarios: rows }, null, 2);
}

function junitOf(results: readonly Result[]): string {
  const { failed, not_offered: skipped } = countsOf(results);
  const suites = groups.flatMap((group) => {
    const own = results.filter(({ scenario }) => scenario.group === group);
    return own.length === 0 ? [] : [suiteOf(group, own)];
  });
  const head = `<testsuites name="itemtape kit" tests="${results.length}" failures="${failed}" skipped="${skipped}">`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...suites, "</testsuites>"].join("\n");
}

function suiteOf(group: string, results: readonly Result[]): string {
  const { failed, not_offered: skipped } = countsOf(results);
  const head = `  <testsuite name="${group}" tests="${results.length}" failures="${failed}" skipped="${skipped}">`;
  return [head, ...results.map(caseOf), "  </testsuite>"].join("\n");
}

function caseOf({ scenario, verdict, reasons, ms, stderr }: Result): string {
  const facts = `classname="itemtape.kit.${scenario.group}" name="${scenario.name}" time="${ms / 1000}"`;
  if (verdict === "passed") return `    <testcase ${facts}/>`;
  const { sentence, source } = scenario.holds;
  const text = xml([...reasons, `${source}: "${sentence}"`].join("\n"));
  const failure = `<failure message="${xml(scenario.title)}">${text}</failure>`;
  const written = stderr === "" ? "" : `<system-err>${xml(stderr)}</system-err>`;
  return `    <testcase ${facts}>${verdict === "failed" ? failure + written : "<skipped/>"}</testcase>`;
}

/** Escapes text for XML 1.0. It replaces control characters, which XML cannot contain. */
function xml(text: string): string {
  const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text
    .toWellFormed()
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replaceAll(/[&<>"]/g, (sign) => escapes[sign]!);
}
