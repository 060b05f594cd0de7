import { existsSync } from "node:fs";
import type { Context } from "mocha";
import { type BrowserContext, type Browser as Chromium, chromium, type Page } from "playwright-core";
import { needPath } from "./skip.ts";

const untilMs = 15_000;
const pollMs = 20;
/** The same browser without a window system, which needs less processor time. */
const headlessPath = "/usr/bin/chromium-headless-shell";
const chromiumPath = existsSync(headlessPath) ? headlessPath : "/usr/bin/chromium";

/** Stops the browser's own requests. */
const quiet = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Settings of a page's view. */
export type View = { width?: number; height?: number; dark?: boolean };

/** Skips the test with a printed reason if Chromium is missing. Fails if skips are forbidden. */
export function needBrowser(test: Context): void {
  needPath(test, chromiumPath);
}

let launched: Promise<Chromium> | undefined;

/** Starts Chromium, once in a test process. */
function chromiumOnce(): Promise<Chromium> {
  // Tests of commands emit these signals in their own process, which shares the browser.
  const own = { handleSIGTERM: false, handleSIGHUP: false };
  launched ??= chromium.launch({ executablePath: chromiumPath, args: quiet, ...own });
  return launched;
}

// Without this a run of some test files in one process would never end.
after("Chromium ends with the last of its tests", async () => {
  await (await launched)?.close();
  launched = undefined;
});

/** A real Chromium with its own profile. It records the requests and errors of its pages. */
export class Browser {
  /** Requested addresses, and errors of the console or the page. */
  readonly requests: string[] = [];
  readonly complaints: string[] = [];
  readonly #context: BrowserContext;

  static async open({ width = 1440, height = 900, dark = false }: View = {}): Promise<Browser> {
    const chromium = await chromiumOnce();
    const context = await chromium.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light" });
    return new Browser(context);
  }

  private constructor(context: BrowserContext) {
    this.#context = context;
    context.setDefaultTimeout(15_000);
    context.on("request", (request) => this.requests.push(request.url()));
    context.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.complaints.push(message.text());
    });
    context.on("weberror", (error) => this.complaints.push(String(error.error())));
  }

  async page(address: string): Promise<Page> {
    const page = await this.#context.newPage();
    await page.goto(address);
    return page;
  }

  async close(): Promise<void> {
    await this.#context.close();
  }
}

/** Waits until an expression is true in the page. Playwright's own wait evaluates it inside the page, and a CSP may forbid that. */
export async function until(page: Page, expression: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < untilMs; waitedMs += pollMs) {
    if (await page.evaluate(`Boolean(${expression})`)) return;
    await page.waitForTimeout(pollMs);
  }
  throw new Error(`not true within ${untilMs} ms: ${expression}`);
}

/** Types a key into the form of a page, and uses it. */
export async function useKey(page: Page, key: string): Promise<void> {
  const form = page.locator("#use-key");
  await form.waitFor();
  if ((await form.getAttribute("open")) === null) await form.locator("summary").click();
  await page.fill("#key", key);
  await page.click("text=Use key");
}
