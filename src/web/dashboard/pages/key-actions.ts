import type { Request, RequestHandler, Response } from "express";
import type { NewSecret } from "../../../access/keys.ts";
import type { OwnerKey } from "../../../access/owners/owner-reads.ts";
import { OwnerRefusal } from "../../../access/owners/owner-refusal.ts";
import { html } from "../../html.ts";
import { csrfField, redirect, sendPage } from "../page.ts";
import type { DashboardParts } from "../parts.ts";
import { formOf, ownerOf } from "../session-guard.ts";
import { instant, notice } from "./formatting.ts";
import { keyFacts, stateOf } from "./keys.ts";
import { sendSecret } from "./secret.ts";

/** Shows the confirmation page for replacing a secret, with its consequences. */
export function rotatePage(parts: DashboardParts): RequestHandler {
  return async (req, res) => showRotate(parts, res, await activeKey(parts, req, res));
}

/**
 * Replaces the secret and shows the new one in the response. The form contains the end of the old secret, so that a repeated form does not
 * rotate twice.
 */
export function rotateKey(parts: DashboardParts): RequestHandler {
  return async (req, res) => {
    const { keyId } = await activeKey(parts, req, res);
    const display = formOf(res).one("display");
    let made: NewSecret;
    try {
      made = await parts.writer.rotateKey(ownerOf(res), keyId, display);
    } catch (error) {
      if (!(error instanceof OwnerRefusal) || error.code !== "conflict") throw error;
      const key = await activeKey(parts, req, res);
      if (key.display === display) throw error;
      return showRotate(parts, res, key, 409);
    }
    sendSecret(res, made, "rotated");
  };
}

/** Shows the confirmation page for revoking a key. */
export function revokePage(parts: DashboardParts): RequestHandler {
  return async (req, res) => {
    const key = await keyOf(parts, req, res);
    if (key.revokedAt !== null) return redirect(res, `/dashboard/keys?revoked=${key.keyId}`);
    const body = html`<h1>Revoke ${key.name}?</h1>
<p>The key ends <strong>permanently</strong>: from now on each request with it gets 401.</p>
${keyFacts(key, parts.clock.now())}
<form method="post" action="/dashboard/keys/${key.keyId}/revoke">
${csrfField(res)}<p class="actions"><button class="danger">Revoke for good</button> <a href="/dashboard/keys">Cancel</a></p>
</form>`;
    sendPage(res, { title: "Revoke a key", owner: ownerOf(res), body });
  };
}

/** Handles the form that revokes a key. */
export function revokeKey(parts: DashboardParts): RequestHandler {
  return async (req, res) => {
    const { keyId } = await parts.writer.revokeKey(ownerOf(res), (await keyOf(parts, req, res)).keyId);
    redirect(res, `/dashboard/keys?revoked=${keyId}`);
  };
}

function showRotate({ clock }: DashboardParts, res: Response, key: OwnerKey, status = 200): void {
  const rotated = key.rotatedAt === null ? "" : html` It was rotated ${instant(key.rotatedAt)}.`;
  const warning = html`Nothing was changed. The key was rotated since this form was opened.${rotated}
If you sent the form twice and do not have the newest secret, rotate again.`;
  const body = html`<h1>Rotate ${key.name}?</h1>
${status === 409 ? notice(warning, "warning") : ""}
<p>The key gets a new secret, shown once. <strong>The old secret stops at once</strong>: a program that still uses it
gets 401 until it has the new secret. Scopes, portfolios and the expiry stay.</p>
${keyFacts(key, clock.now())}
<form method="post" action="/dashboard/keys/${key.keyId}/rotate">
${csrfField(res)}<input type="hidden" name="display" value="${key.display}">
<p class="actions"><button>Rotate now</button> <a href="/dashboard/keys">Cancel</a></p>
</form>`;
  const title = status === 200 ? "Rotate a key" : "Error: Rotate a key";
  const scripts = ["/dashboard/browser/send-once.js"];
  sendPage(res, { title, owner: ownerOf(res), body, status, scripts });
}

async function activeKey(parts: DashboardParts, req: Request, res: Response): Promise<OwnerKey> {
  const key = await keyOf(parts, req, res);
  const state = stateOf(key, parts.clock.now());
  if (state === "revoked") throw new OwnerRefusal("conflict", `The key ${key.name} is revoked. Make a new one.`);
  if (state === "expired") throw new OwnerRefusal("conflict", `The key ${key.name} has expired. Make a new one.`);
  return key;
}

/** Returns the key in the path. A key of another account is treated as unknown. */
async function keyOf({ reads }: DashboardParts, req: Request, res: Response): Promise<OwnerKey> {
  const key = await reads.key(ownerOf(res).accountId, String(req.params.keyId));
  if (key === null) throw new OwnerRefusal("unknown_key");
  return key;
}
