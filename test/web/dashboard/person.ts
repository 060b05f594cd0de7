import type { Page } from "playwright-core";
import { goodPassword, type OwnerWorld } from "./owner-world.ts";

/** The Demo Builder's portfolios become the owner's, with their ledgers and values. */
export function takeDemoPortfolios({ world, account }: OwnerWorld): void {
  for (const table of ["portfolio_transactions", "portfolio_valuations", "main_valuations", "portfolios"])
    world.sql(
      `UPDATE ${table} SET account_id = ? WHERE account_id = (SELECT account_id FROM accounts WHERE name = 'Demo Builder')`,
      account.accountId,
    );
}

/** Gives login and password by the form that is open. */
export async function signIn(page: Page, { login }: Pick<OwnerWorld, "login">): Promise<void> {
  await page.fill("#login", login);
  await page.fill("#password", goodPassword);
  await page.click("main button");
  await page.waitForSelector("header nav");
}

/** The secret on the page that answers a form. */
export async function shownSecret(page: Page): Promise<string> {
  return (await page.locator("#secret").textContent()) ?? "";
}

/** The status of a call with a secret, as a program makes it. */
export async function statusOf(base: string, secret: string, path = "/v1/items?limit=1"): Promise<number> {
  const answer = await fetch(base + path, { headers: { authorization: `Bearer ${secret}` } });
  await answer.arrayBuffer();
  return answer.status;
}

/** Keys of the owner as the file holds them, by name. */
export function keyNames({ world, account }: OwnerWorld): string[] {
  return world
    .sql("SELECT name FROM api_keys WHERE account_id = ? ORDER BY name", account.accountId)
    .map(({ name }) => String(name));
}

/** Steam's response for assets with these names, in this order. */
export function inventoryOf(names: readonly string[], more: object = {}): string {
  return JSON.stringify({
    assets: names.map((_, index) => ({
      assetid: String(9001 + index),
      classid: String(index),
      instanceid: "0",
      amount: "1",
    })),
    descriptions: names.map((name, index) => ({ classid: String(index), instanceid: "0", market_hash_name: name })),
    total_inventory_count: names.length,
    success: 1,
    ...more,
  });
}
