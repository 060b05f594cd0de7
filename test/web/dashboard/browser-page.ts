import { readToken } from "../../../src/access/owners/sessions.ts";
import type { Answer } from "../../support/client.ts";
import type { World } from "../../support/world.ts";
import { Visitor } from "./owner-world.ts";

type Told = {
  signed_in: boolean;
  token: string;
  plan: string;
  account: string;
  look: { plan: string; token: string } | null;
};
export type Sent = { token?: string | null; headers?: Record<string, string>; body?: unknown; method?: string };

/** Sends the first request of a page. */
export async function ask(visitor: Visitor, headers: Record<string, string> = {}): Promise<Told> {
  return (await visitor.get("/dashboard/session", headers)).json;
}

/** A page of one browser. */
export class BrowserPage {
  token = "";
  readonly visitor: Visitor;
  readonly #world: World;
  readonly #prefix: string;

  constructor(world: World, visitor: Visitor, prefix = "/dashboard/read") {
    this.#world = world;
    this.visitor = visitor;
    this.#prefix = prefix;
  }

  async load(headers: Record<string, string> = {}): Promise<this> {
    const told = await ask(this.visitor, headers);
    this.token = told.signed_in ? told.token : (told.look?.token ?? "");
    return this;
  }

  /** Calls an operation. Pass null as `token` to omit the token. */
  read(target: string, { token = this.token, headers = {}, body, method = "POST" }: Sent = {}): Promise<Answer> {
    const cookie = [...this.visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return this.#world.client.send({
      method,
      target: this.#prefix + target,
      headers: {
        ...(cookie === "" ? {} : { cookie }),
        ...(token === null ? {} : { "x-itemtape-token": token }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
}

/** The status and code of a refusal. */
export const refusal = ({ status, json }: Answer) => [status, json.code];

/** A demo page with the right cookie and token, even if the server does not offer a demo session. */
export const lookPage = (of: World) => {
  const made = new BrowserPage(of, new Visitor(of, "demo"), "/dashboard/look");
  const secret = "M".repeat(43);
  made.visitor.cookies.set("itemtape_form", secret);
  made.token = readToken(secret);
  return made;
};
