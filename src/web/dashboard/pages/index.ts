import express, { type Router } from "express";
import type { DashboardParts } from "../parts.ts";
import { activityPage } from "./activity.ts";
import { revokeKey, revokePage, rotateKey, rotatePage } from "./key-actions.ts";
import { keysPage } from "./keys.ts";
import { createCredential, newCredentialPage } from "./new-credential.ts";
import { overviewPage } from "./overview.ts";
import { changePassword, passwordPage } from "./password.ts";
import { portfolioPage } from "./portfolio.ts";
import { addItem, suggestItems } from "./portfolio-item.ts";
import { createPortfolio, newPortfolioPage, renamePortfolio, renamePortfolioPage } from "./portfolio-settings.ts";
import { importUpload, showUpload, undoImport, uploadPage } from "./portfolio-upload.ts";
import { portfoliosPage } from "./portfolios.ts";

/** Returns the pages for signed-in owners, below /dashboard. Each form is sent to the address of its page. */
export function dashboardPages(parts: DashboardParts): Router {
  const { requireOwner: owner, requireRecentSignIn: recent, checkForm: form, checkUpload: upload } = parts.guard;
  const router = express.Router({ strict: true, caseSensitive: true });
  router.get("/", owner, overviewPage(parts));
  router.get("/keys", owner, keysPage(parts));
  router.get("/keys/new", owner, recent, newCredentialPage(parts, "project"));
  router.post("/keys/new", owner, form, recent, createCredential(parts, "project"));
  router.get("/tokens/new", owner, recent, newCredentialPage(parts, "personal"));
  router.post("/tokens/new", owner, form, recent, createCredential(parts, "personal"));
  router.get("/keys/:keyId/rotate", owner, recent, rotatePage(parts));
  router.post("/keys/:keyId/rotate", owner, form, recent, rotateKey(parts));
  router.get("/keys/:keyId/revoke", owner, revokePage(parts));
  router.post("/keys/:keyId/revoke", owner, form, revokeKey(parts));
  router.get("/portfolios", owner, portfoliosPage(parts));
  router.get("/portfolios/new", owner, newPortfolioPage(parts));
  router.post("/portfolios/new", owner, form, createPortfolio(parts));
  router.get("/portfolios/:portfolioId", owner, portfolioPage(parts));
  router.get("/portfolios/:portfolioId/rename", owner, renamePortfolioPage(parts));
  router.post("/portfolios/:portfolioId/rename", owner, form, renamePortfolio(parts));
  router.get("/portfolios/:portfolioId/import", owner, uploadPage(parts));
  router.post("/portfolios/:portfolioId/import", owner, upload, showUpload(parts));
  router.post("/portfolios/:portfolioId/import/confirm", owner, upload, importUpload(parts));
  router.post("/portfolios/:portfolioId/items", owner, form, addItem(parts));
  router.post("/portfolios/:portfolioId/undo", owner, form, undoImport(parts));
  router.get("/item-names", owner, suggestItems(parts));
  router.get("/password", owner, passwordPage());
  router.post("/password", owner, form, changePassword(parts));
  router.get("/activity", owner, activityPage(parts));
  return router;
}
