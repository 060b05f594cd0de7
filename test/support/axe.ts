import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { isLongRun } from "./size.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Below this width pages are laid out for a phone. */
const narrowPx = 700;

/**
 * What keeps people from using a page, in light and dark, and how wide it is at these widths of the screen, by width. The long run looks at
 * narrow pages in the dark as well.
 */
export async function lookedAt(page: Page, ...widths: readonly number[]) {
  await page.evaluate(axe);
  await page.emulateMedia({ colorScheme: "light" });
  const light = await serious(page, "{}");
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await serious(page, "{ runOnly: ['color-contrast'] }");
  await page.emulateMedia({ colorScheme: "light" });
  const before = page.viewportSize();
  const wide: Record<number, unknown> = {};
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    wide[width] = await page.evaluate("document.documentElement.scrollWidth");
    // A narrow page shows other things than a wide one.
    if (width >= narrowPx) continue;
    const told = (found: string) => `${width} px: ${found}`;
    light.push(...(await serious(page, "{}")).map(told));
    if (!isLongRun) continue;
    await page.emulateMedia({ colorScheme: "dark" });
    dark.push(...(await serious(page, "{ runOnly: ['color-contrast'] }")).map(told));
    await page.emulateMedia({ colorScheme: "light" });
  }
  if (before !== null) await page.setViewportSize(before);
  return { light, dark, wide };
}

/** Everything that axe finds on a page as it stands, of little weight as well. */
export async function everyFinding(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return violations(page, "{}", () => true);
}

function serious(page: Page, options: string): Promise<string[]> {
  return violations(page, options, (impact) => impact === "serious" || impact === "critical");
}

async function violations(page: Page, options: string, counts: (impact: string) => boolean): Promise<string[]> {
  const found = (await page.evaluate(`axe.run(document, ${options})`)) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  };
  return found.violations.filter(({ impact }) => counts(impact)).map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
