import type { RequestHandler } from "express";
import type { UploadResult } from "../../../access/owners/owner-portfolios.ts";
import { OwnerRefusal } from "../../../access/owners/owner-refusal.ts";
import { systemIds } from "../../../values/ids.ts";
import { phaseOf } from "../../../values/text/item-names.ts";
import type { Form } from "../form.ts";
import { redirect } from "../page.ts";
import type { DashboardParts } from "../parts.ts";
import { queryOf } from "../request-context.ts";
import { formOf, ownerOf } from "../session-guard.ts";
import type { Field, GivenItem, ItemErrors } from "./item-form.ts";
import { ownPortfolio } from "./portfolio-settings.ts";
import { importedPath, showAddPage, showPreview } from "./portfolio-upload.ts";

const ids = systemIds();
const costForm = /^\$?(\d{1,12}(?:\.\d{1,2})?)$/;

/** Adds one item. If its cost is unusual, the item is first shown for confirmation. */
export function addItem(parts: DashboardParts): RequestHandler {
  return async (req, res) => {
    const portfolio = await ownPortfolio(parts, req, res);
    const given = givenIn(formOf(res));
    const errors = errorsOf(given);
    const again = (found: ItemErrors) => showAddPage(res, portfolio, { given, errors: found });
    if (Object.keys(errors).length > 0) return again(errors);
    const file = { name: given.item, bytes: Buffer.from(lineOf(given)) };
    const upload = { files: [file], replace: false, removeMost: false, account: "", choices: [], isForm: true };
    const send = (state: string | null) =>
      parts.portfolios.upload(ownerOf(res), portfolio.portfolioId, { ...upload, state, write: state !== null });
    try {
      const shown = await send(null);
      const unresolved = unresolvedText(shown);
      if (unresolved !== null) return again({ item: unresolved });
      if (shown.oddCosts.count > 0) return showPreview(res, portfolio, upload, shown);
      redirect(res, importedPath(portfolio, await send(shown.state)));
    } catch (error) {
      if (!(error instanceof OwnerRefusal) || error.code !== "conflict") throw error;
      again({ item: error.message });
    }
  };
}

/** Sends suggestions of items for the typed text. */
export function suggestItems({ suggest }: DashboardParts): RequestHandler {
  return async (req, res) => {
    const found = await suggest(queryOf(req).get("text") ?? "");
    res.setHeader("Cache-Control", "private, no-store");
    res.json(found.map(({ market_hash_name: name, phase }) => shownName({ name, phase })));
  };
}

function givenIn(form: Form): GivenItem {
  const of = (name: Field) => form.one(name).trim();
  return { item: of("item"), quantity: of("quantity"), cost: of("cost").replaceAll(",", ""), on: of("on") };
}

function errorsOf({ item, quantity, cost, on }: GivenItem): ItemErrors {
  return {
    ...(item === "" || item.length > 300 ? { item: "Enter the name of an item" } : {}),
    ...(/^[1-9]\d{0,9}$/.test(quantity) && Number(quantity) <= 1e9 ? {} : { quantity: "Enter a whole number from 1" }),
    ...(cost === "" || costForm.test(cost) ? {} : { cost: "Enter dollars, such as 12.50" }),
    ...(on === "" || /^\d{4}-\d{2}-\d{2}$/.test(on) ? {} : { on: "Enter a day, such as 2026-01-31" }),
  };
}

/** Returns a line of a portfolio file. Suggestions have the phase in brackets after the name. */
function lineOf({ item, quantity, cost, on }: GivenItem): string {
  const [, name = "", inBrackets] = /^(.*) \(([^()]+)\)$/.exec(item) ?? [];
  const phase = phaseOf(inBrackets);
  return JSON.stringify({
    record: "lot",
    integration_ref: ids.handle("form:"),
    market_hash_name: phase === null ? item : name,
    ...(phase === null ? {} : { phase }),
    quantity: Number(quantity),
    ...(cost === "" ? {} : { unit_cost_usd: costForm.exec(cost)![1] }),
    ...(on === "" ? {} : { acquired_on: on }),
  });
}

function unresolvedText({ ambiguous, unknown }: UploadResult): string | null {
  const [first] = ambiguous.first;
  if (first !== undefined) {
    const names = first.candidates.map(({ phase }) => shownName({ name: first.name, phase }));
    return `Several items have this name. Choose one: ${names.join(", ")}`;
  }
  return unknown.count === 0 ? null : "Not in the catalog. Choose one of the suggestions.";
}

function shownName({ name, phase }: { name: string; phase: string | null }): string {
  return phase === null ? name : `${name} (${phase})`;
}
