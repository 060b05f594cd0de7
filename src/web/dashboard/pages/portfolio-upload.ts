import type { RequestHandler, Response } from "express";
import type {
  AmbiguousLot,
  Upload,
  UploadedFile,
  UploadedLots,
  UploadResult,
} from "../../../access/owners/owner-portfolios.ts";
import type { OwnerPortfolio } from "../../../access/owners/owner-reads.ts";
import { OwnerRefusal } from "../../../access/owners/owner-refusal.ts";
import { dollars, grouped } from "../../../values/money/money-text.ts";
import { displayText } from "../../../values/text/display-text.ts";
import { type Html, html } from "../../html.ts";
import type { Form } from "../form.ts";
import { csrfField, redirect, sendPage } from "../page.ts";
import type { DashboardParts } from "../parts.ts";
import { formOf, ownerOf } from "../session-guard.ts";
import { errorSummary } from "./credential-form.ts";
import { counted, notice } from "./formatting.ts";
import { unnamed } from "./holdings.ts";
import { type GivenItem, type ItemErrors, itemForm, noItem } from "./item-form.ts";
import { ownPortfolio } from "./portfolio-settings.ts";

/** Files to import. */
type Sent = Omit<Upload, "write" | "state">;
/** Submitted forms of the page, and their errors. */
type AddPage = { given?: GivenItem; errors?: ItemErrors; problems?: readonly string[] };

const scripts = ["/dashboard/browser/send-once.js", "/dashboard/browser/item-form.js"];
const fileNameCharactersMax = 120;
const filesMax = 20;

/** Shows the forms for one item and for files. */
export function uploadPage(parts: DashboardParts): RequestHandler {
  return async (req, res) => showAddPage(res, await ownPortfolio(parts, req, res));
}

/** Shows the changes that an import would make, and writes nothing. */
export function showUpload(parts: DashboardParts): RequestHandler {
  return async (req, res) => {
    const portfolio = await ownPortfolio(parts, req, res);
    const form = formOf(res);
    const { files } = form;
    if (files.length === 0 || files.some(({ bytes }) => bytes.length === 0))
      return showAddPage(res, portfolio, { problems: ["Choose a file that is not empty."] });
    if (files.length > filesMax)
      return showAddPage(res, portfolio, { problems: [`Send at most ${filesMax} files at once.`] });
    const upload = sentIn(form, files);
    const result = await done(parts, res, portfolio, { ...upload, state: null, write: false });
    if (result !== null) showPreview(res, portfolio, upload, result);
  };
}

/** Imports the previewed files with the chosen options, and redirects to the portfolio. */
export function importUpload(parts: DashboardParts): RequestHandler {
  return async (req, res) => {
    const portfolio = await ownPortfolio(parts, req, res);
    const form = formOf(res);
    const names = form.all("name");
    const files = form.all("packed").map((text, index) => ({
      name: names[index] ?? "",
      bytes: Buffer.from(text, "base64url"),
    }));
    if (files.length === 0 || files.length > filesMax)
      throw new OwnerRefusal("bad_input", "The form has no files or too many.");
    const upload = sentIn(form, files);
    const result = await done(parts, res, portfolio, { ...upload, state: form.one("state"), write: true });
    if (result === null) return;
    redirect(res, importedPath(portfolio, result));
  };
}

/** Undoes the last import and redirects to the portfolio. */
export function undoImport(parts: DashboardParts): RequestHandler {
  return async (req, res) => {
    const { portfolioId } = await ownPortfolio(parts, req, res);
    const { added, changed, removed, transactions } = await parts.portfolios.undo(ownerOf(res), portfolioId);
    redirect(res, `/dashboard/portfolios/${portfolioId}?undone=${[added, changed, removed, transactions].join("-")}`);
  };
}

/** Renders the result of an undo from the numbers in the address. Returns null without them. */
export function undoneNotice(numbers: string | null): Html | null {
  if (numbers === null || !/^\d{1,6}(-\d{1,6}){3}$/.test(numbers)) return null;
  const [added = 0, changed = 0, removed = 0, transactions = 0] = numbers.split("-").map(Number);
  const parts = [
    ...(added === 0 ? [] : [`${counted(added, "lot")} removed`]),
    ...(changed === 0 ? [] : [`${counted(changed, "lot")} changed back`]),
    ...(removed === 0 ? [] : [`${counted(removed, "lot")} restored`]),
    ...(transactions === 0 ? [] : [`${counted(transactions, "ledger row")} removed`]),
  ];
  return notice(`Import undone: ${parts.join(", ")}.`);
}

/** Returns the address of the portfolio's page with the result of an import in its query. */
export function importedPath({ portfolioId }: OwnerPortfolio, result: UploadResult): string {
  const { lots, changed, removed, moved, transactions, leftOut } = result;
  const numbers = [lots, changed, removed, transactions, leftOut, ...(moved === 0 ? [] : [moved])].join("-");
  return `/dashboard/portfolios/${portfolioId}?imported=${numbers}`;
}

/** Renders the result of an import from the numbers in the address. Returns null without them. */
export function importedNotice(numbers: string | null): Html | null {
  if (numbers === null || !/^\d{1,6}(-\d{1,6}){4,5}$/.test(numbers)) return null;
  const [lots = 0, changed = 0, removed = 0, transactions = 0, left = 0, moved = 0] = numbers.split("-").map(Number);
  const parts = changesOf({ lots, changed, removed, moved, transactions }, false);
  const what =
    parts.length === 0 ? "Nothing changed: the portfolio already has every row of the file." : parts.join(" ");
  return notice(
    html`${what}${left === 0 ? "" : ` ${counted(left, "lot")} of the file ${left === 1 ? "was" : "were"} left out.`}`,
  );
}

function sentIn(form: Form, files: readonly UploadedFile[]): Sent {
  const choices = form.all("choice").flatMap((choice): [string, number][] => {
    const [, itemId, ref] = /^(\d{1,10}) (.{1,200})$/s.exec(choice) ?? [];
    return itemId === undefined || ref === undefined ? [] : [[ref, Number(itemId)]];
  });
  return {
    files: files.map(({ name, bytes }) => {
      const shown = displayText(name).slice(0, fileNameCharactersMax);
      return { name: shown === "" ? "the file" : shown, bytes };
    }),
    replace: form.one("how") === "replace",
    removeMost: form.one("remove_most") === "yes",
    account: form.one("account").trim(),
    choices,
    isForm: form.one("kind") === "form",
  };
}

/** Imports files. Resolves to null after a refusal, which is then shown in the form. */
async function done(
  { portfolios }: DashboardParts,
  res: Response,
  portfolio: OwnerPortfolio,
  upload: Upload,
): Promise<UploadResult | null> {
  try {
    return await portfolios.upload(ownerOf(res), portfolio.portfolioId, upload);
  } catch (error) {
    if (!(error instanceof OwnerRefusal) || error.code !== "conflict") throw error;
    showAddPage(res, portfolio, { problems: error.message.split("\n") });
    return null;
  }
}

/** Shows the forms for one item and for files. */
export function showAddPage(
  res: Response,
  { portfolioId, name }: OwnerPortfolio,
  { given = noItem, errors = {}, problems = [] }: AddPage = {},
): void {
  const isFaulty = problems.length + Object.keys(errors).length > 0;
  const path = `/dashboard/portfolios/${portfolioId}`;
  const body = html`<p class="muted"><a href="/dashboard/portfolios">Portfolios</a> / <a href="${path}">${name}</a></p>
<h1>Add items</h1>
${problems.length === 0 ? "" : refusalOf(problems)}${errorSummary(errors, "Nothing was added")}
${itemForm(path, csrfField(res), given, errors)}
<section aria-labelledby="files"><h2 id="files">A file</h2>
<form method="post" action="${path}/import" enctype="multipart/form-data">
${csrfField(res)}<div class="field"><label for="file">Files</label>
<p id="file-hint" class="muted">Inventories saved from Steam of at most 8 MiB together, or CSV or NDJSON of at most 4 MiB and 5,000 rows. Plain or gzip. Choose all pages and contexts of an inventory at once.</p>
<input id="file" name="file" type="file" multiple required accept=".json,.csv,.ndjson,.jsonl,.gz" aria-describedby="file-hint"></div>
${howField}
<div class="field"><label for="account">Steam account <span class="muted">(if you have several)</span></label>
<p id="account-hint" class="muted">A name that you choose for the owner of these inventories. Use the same name each time: lots of your other accounts stay.</p>
<input id="account" name="account" type="text" maxlength="100" autocomplete="off" aria-describedby="account-hint"></div>
<p class="actions"><button>Preview</button> <a href="${path}">Cancel</a></p>
</form></section>
${formats}`;
  const title = isFaulty ? "Error: Add items" : "Add items";
  sendPage(res, { title, owner: ownerOf(res), body, status: isFaulty ? 400 : 200, scripts });
}

const howField = html`<fieldset class="field"><legend>Lots in the portfolio</legend>
<label class="choice"><input type="radio" name="how" value="add" checked><span>Keep them. <span class="muted">New lots of the files are added.</span></span></label>
<label class="choice"><input type="radio" name="how" value="replace"><span>Replace lots of the same kind: lists by lists, and each context of an inventory by itself. <span class="muted">Lots of that kind that are not in the files are removed. Their cost, date and notes return with the lot.</span></span></label>
</fieldset>`;

const formats = html`<section aria-labelledby="formats"><h2 id="formats">Which files</h2>
<dl class="facts">
<div><dt>From Steam</dt><dd>Signed in to Steam in this browser, open <code>https://steamcommunity.com/inventory/STEAM_ID/730/2?l=english&amp;count=2000</code>
with your own Steam id, and save the page. Items that are trade-protected for their first seven days are in
<code>https://steamcommunity.com/inventory/STEAM_ID/730/16?l=english&amp;count=2000</code>: save this page too. This service fetches nothing from Steam. An inventory has no costs: they stay unknown.</dd></div>
<div><dt>A list</dt><dd>A CSV with <code>name,quantity,price</code>: the exact market name, the quantity, and the cost of one in US dollars; an empty price is unknown.</dd></div>
<div><dt>All columns</dt><dd>Lots and ledger rows: see <a href="/docs/guides/portfolio-files">Portfolio files</a>.</dd></div>
</dl></section>`;

/** Renders an import error. The first line names the file, the others are the faults. */
function refusalOf([head = "", ...faults]: readonly string[]): Html {
  const list = faults.length === 0 ? "" : html`<ul>${faults.map((fault) => html`<li>${fault.trim()}</li>`)}</ul>`;
  return html`<div class="notice problem" role="alert" tabindex="-1" autofocus aria-labelledby="problem"><h2 id="problem">The import was refused</h2><p>${head}</p>${list}</div>`;
}

/** Shows the changes that an import would make. */
export function showPreview(
  res: Response,
  portfolio: OwnerPortfolio,
  { files, replace, account, isForm }: Sent,
  result: UploadResult,
): void {
  const name = files.map((file) => file.name).join(", ");
  const path = `/dashboard/portfolios/${portfolio.portfolioId}`;
  const changes = changesOf(result, true);
  const hasWork = changes.length > 0 || result.ambiguous.count > 0;
  const body = html`<p class="muted"><a href="/dashboard/portfolios">Portfolios</a> / <a href="${path}">${portfolio.name}</a></p>
<h1>Changes by ${name}</h1>
<p class="lead" id="changes">${changes.length === 0 ? "Nothing would change." : changes.join(" ")} Nothing is stored yet.</p>
${result.cutOff === null ? "" : notice(`The files are incomplete: ${result.cutOff}.`, "warning")}
${oddCostsSection(result.oddCosts)}
<form class="wide" method="post" action="${path}/import/confirm">
${csrfField(res)}<input type="hidden" name="kind" value="${isForm ? "form" : "file"}"><input type="hidden" name="how" value="${replace ? "replace" : "add"}"><input type="hidden" name="account" value="${account}">
<input type="hidden" name="state" value="${result.state}">${result.files.map((bytes, index) => compressedFile(files[index]!.name, bytes))}
${ambiguousSection(result.ambiguous)}
${result.most === null ? "" : removeMostField(result.most)}
<p class="actions">${hasWork ? html`<button>Import</button>` : ""} <a href="${path}/import">Another file</a> <a href="${path}">Cancel</a></p>
</form>
${unknownSection(result.unknown)}
${lotsSection("added", result.added)}
${lotsSection("removed", result.gone)}`;
  sendPage(res, { title: `Changes by ${name}`, owner: ownerOf(res), body, scripts });
}

/** Renders a warning about unusual costs, which often have a wrong unit or currency. */
function oddCostsSection({ first, count }: UploadResult["oddCosts"]): Html | string {
  if (count === 0) return "";
  const more = count === first.length ? "" : html`<li>and ${counted(count - first.length, "more lot")}</li>`;
  return html`<section class="notice warning" aria-labelledby="odd"><h2 id="odd">Unusual costs</h2>
<ul>${first.map(({ name, text }) => html`<li>${name} ${text}</li>`)}${more}</ul></section>`;
}

function compressedFile(name: string, bytes: Uint8Array): Html {
  const packed = Buffer.from(bytes).toString("base64url");
  return html`<input type="hidden" name="name" value="${name}"><input type="hidden" name="packed" value="${packed}">
`;
}

function removeMostField(most: string): Html {
  return html`<div class="field"><p class="notice warning">It would remove ${most}. That looks like the file of another account.</p>
<label class="choice"><input type="checkbox" name="remove_most" value="yes" required><span>Remove these lots.</span></label></div>`;
}

type Counts = Pick<UploadResult, "lots" | "changed" | "removed" | "moved" | "transactions">;

/** Returns sentences about completed changes, or planned ones if `wouldBe`. */
function changesOf({ lots, changed, removed, moved, transactions }: Counts, wouldBe: boolean): string[] {
  const sentence = (count: number, noun: string, done: string) => {
    const verb = wouldBe ? "would be" : count === 1 ? "was" : "were";
    return count === 0 ? [] : [`${counted(count, noun)} ${verb} ${done}.`];
  };
  return [
    ...sentence(lots, "lot", "added"),
    ...sentence(changed, "lot", "changed"),
    ...sentence(removed, "lot", "removed"),
    ...sentence(moved, "lot", "moved to another context"),
    ...sentence(transactions, "ledger row", "added"),
  ];
}

function ambiguousSection({ first, count }: UploadResult["ambiguous"]): Html | string {
  if (count === 0) return "";
  const more =
    count === first.length
      ? ""
      : html`<p>${counted(count - first.length, "more lot")} of such names cannot be chosen here and are omitted: split the file.</p>`;
  return html`<section aria-labelledby="ambiguous"><h2 id="ambiguous">Names that mean several items</h2>
<p>The file does not name the item. Choose, or omit unknown items: nothing is guessed.</p>
${first.map(choiceField)}${more}</section>`;
}

function choiceField({ ref, name, quantity, candidates }: AmbiguousLot, index: number): Html {
  const options = candidates.map(
    ({ itemId, phase, inCatalog }) =>
      html`<option value="${itemId} ${ref}">${phase ?? "without a phase"} (item ${itemId}${inCatalog ? "" : ", no longer in the catalog"})</option>`,
  );
  const many = quantity === 1 ? "" : html` × ${grouped(quantity)}`;
  return html`<div class="field pick"><label for="choice-${index}">${name}${many} <span class="muted">${ref}</span></label>
<select id="choice-${index}" name="choice"><option value="">Leave it out</option>${options}</select></div>
`;
}

function unknownSection({ first, count }: UploadResult["unknown"]): Html | string {
  if (count === 0) return "";
  const more = count === first.length ? "" : html`<li>and ${counted(count - first.length, "other name")}</li>`;
  return html`<section aria-labelledby="unknown"><h2 id="unknown">Not understood</h2>
<p>Not in the catalog, skipped:</p>
<ul>${first.map(({ name, lots }) => html`<li>${name}${lots === 1 ? "" : ` (${counted(lots, "lot")})`}</li>`)}${more}</ul></section>`;
}

function lotsSection(what: "added" | "removed", { first, count }: UploadResult["added"]): Html | string {
  if (count === 0) return "";
  const rows = first.map(
    ({ itemId, marketHashName, phase, lots, quantity, unitCostCents }: UploadedLots) =>
      html`<tr><th scope="row">${marketHashName ?? unnamed(itemId)}${phase === null ? "" : html` <span class="tag">${phase}</span>`}</th><td class="number" data-label="Lots">${grouped(lots)}</td><td class="number" data-label="Quantity">${grouped(quantity)}</td><td class="number" data-label="Cost of one">${unitCostCents === null ? html`<span class="muted">unknown</span>` : dollars(unitCostCents)}</td></tr>
`,
  );
  const more = count === first.length ? "" : html`<p>And ${counted(count - first.length, "more item")}.</p>`;
  return html`<section aria-labelledby="${what}"><h2 id="${what}">Would be ${what}</h2>
<table class="holdings"><caption class="hidden">Lots that would be ${what}, by item and cost</caption>
<thead><tr><th scope="col">Item</th><th scope="col" class="number">Lots</th><th scope="col" class="number">Quantity</th><th scope="col" class="number">Cost of one</th></tr></thead>
<tbody>
${rows}</tbody></table>${more}</section>`;
}
