import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { isLongRun } from "./size.ts";

const colourContrast = "color-contrast";
/** It names one element of each rule that is broken, and loads nothing again: only rules that are off by default, or of films, need that. */
const economical = { resultTypes: ["violations"], preload: false, selectors: false };
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Below this width pages are laid out for a phone. */
const narrowPx = 700;
/** Resolves when a page has the layout of its new width: a plot changes its width one frame later. */
const laidOut = "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))";

/**
 * Returns axe's findings on a page in light and dark, and its layout width, by screen width. The short run checks the current page in
 * light, and the contrasts of the narrowest width in dark. The long run checks each narrow width in both.
 */
export async function lookedAt(page: Page, ...widths: readonly number[]) {
  await page.evaluate(axe);
  await page.emulateMedia({ colorScheme: "light" });
  const light = await serious(page, null);
  const dark: string[] = [];
  const lookInTheDark = async (told: (found: string) => string) => {
    await page.emulateMedia({ colorScheme: "dark" });
    dark.push(...(await serious(page, colourContrast)).map(told));
    await page.emulateMedia({ colorScheme: "light" });
  };
  const before = page.viewportSize();
  const narrowest = Math.min(...widths);
  if (isLongRun || narrowest >= narrowPx) await lookInTheDark((found) => found);
  const wide: Record<number, unknown> = {};
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate(laidOut);
    wide[width] = await page.evaluate("document.documentElement.scrollWidth");
    // A narrow page has another layout than a wide one. All narrow ones have the same.
    if (width >= narrowPx || (!isLongRun && width !== narrowest)) continue;
    const told = (found: string) => `${width} px: ${found}`;
    if (isLongRun) light.push(...(await serious(page, null)).map(told));
    await lookInTheDark(told);
  }
  if (before !== null) await page.setViewportSize(before);
  return { light, dark, wide };
}

/** Returns every finding of axe on the current page, including minor ones. */
export async function everyFinding(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return violations(page, null, () => true);
}

function serious(page: Page, onlyRule: string | null): Promise<string[]> {
  return violations(page, onlyRule, (impact) => impact === "serious" || impact === "critical");
}

async function violations(page: Page, onlyRule: string | null, counts: (impact: string) => boolean): Promise<string[]> {
  const options = JSON.stringify({ ...economical, ...(onlyRule === null ? {} : { runOnly: [onlyRule] }) });
  // The page selects the fields. Sending the whole result costs as much as the check itself.
  const found = (await page.evaluate(
    `axe.run(document, ${options}).then(({ violations }) =>
      violations.map(({ id, impact, nodes }) => ({ id, impact, html: nodes[0]?.html })))`,
  )) as { id: string; impact: string; html: string }[];
  return found.filter(({ impact }) => counts(impact)).map(({ id, html }) => `${id}: ${html}`);
}
