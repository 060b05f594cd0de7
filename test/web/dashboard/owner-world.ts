import { Owners } from "../../../src/access/owners/owners.ts";
import type { PasswordCost } from "../../../src/access/owners/passwords.ts";
import { systemIds } from "../../../src/values/ids.ts";
import type { Answer } from "../../support/client.ts";
import { type Account, World, type WorldOptions } from "../../support/world.ts";

/** Reduces a sign-in to a millisecond. The password tests check the product's real cost. */
export const cheapCost: PasswordCost = { n: 2 ** 10, r: 8, p: 1 };
export const goodPassword = "correct horse battery";

export type Page = Answer & { location: string | null };
type Fields = Record<string, string | readonly string[]>;
type Sent = { headers?: Record<string, string>; csrf?: string | null };

/** The real program, an account and its owner with a password. */
export class OwnerWorld {
  readonly world: World;
  readonly account: Account;
  readonly login: string;

  static async start(options: WorldOptions = {}, of: typeof World = World): Promise<OwnerWorld> {
    const world = new of({ ...options, instead: { passwordCost: cheapCost, ...options.instead } });
    await world.restart();
    const made = new OwnerWorld(world, "ann");
    await made.setPassword();
    return made;
  }

  private constructor(world: World, login: string) {
    this.world = world;
    this.account = world.account("builder", "Ann");
    this.login = login;
  }

  /** Another account with a separate owner, on the same program. */
  async another(login: string): Promise<OwnerWorld> {
    const made = new OwnerWorld(this.world, login);
    await made.setPassword();
    return made;
  }

  /** The token of a new one-time link, as an operator makes it. */
  invite(login: string | null = this.login): string {
    return this.owners((owners) => owners.invite(this.account.accountId, login).token);
  }

  /** Runs an operator's work on owners. */
  owners<T>(work: (owners: Owners) => T): T {
    return this.world.change((database) =>
      work(new Owners({ database, clock: this.world.clock, ids: systemIds(), cost: cheapCost })),
    );
  }

  async setPassword(password = goodPassword): Promise<void> {
    const visitor = this.visitor();
    const path = `/dashboard/invite/${this.invite()}`;
    await visitor.get(path);
    const { status } = await visitor.post(path, { password, again: password });
    if (status !== 303) throw new Error(`setting the password was answered with ${status}`);
  }

  /** A browser without cookies. */
  visitor(): Visitor {
    return new Visitor(this.world, this.login);
  }

  /** A browser that is signed in. */
  async signedIn(): Promise<Visitor> {
    const visitor = this.visitor();
    const { status, location } = await visitor.signIn();
    if (status !== 303 || location !== "/dashboard") throw new Error(`the sign-in was answered with ${status}`);
    return visitor;
  }
}

type SentFile = { name: string; content: string | Buffer };

/** A browser as far as forms and cookies go. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  /** The token of the last form that was seen. */
  csrf: string | null = null;
  readonly #world: Pick<World, "client">;
  readonly #login: string;

  constructor(world: Pick<World, "client">, login: string) {
    this.#world = world;
    this.#login = login;
  }

  get session(): string | undefined {
    return this.cookies.get("itemtape_session");
  }

  get(target: string, headers: Record<string, string> = {}): Promise<Page> {
    return this.#send("GET", target, headers);
  }

  /** Sends a form with the token of the last page, or with `csrf`. Pass null to omit the token. */
  post(target: string, fields: Fields = {}, { headers = {}, csrf = this.csrf }: Sent = {}): Promise<Page> {
    const pairs = Object.entries(fields).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one as string]),
    );
    const body = new URLSearchParams(csrf === null ? pairs : [["csrf", csrf], ...pairs]).toString();
    return this.#send("POST", target, { "content-type": "application/x-www-form-urlencoded", ...headers }, body);
  }

  /** Sends a form with files, as a browser does. */
  postFile(
    target: string,
    file: SentFile | readonly SentFile[],
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<Page> {
    const boundary = "----a-part-of-the-form";
    const pairs = Object.entries({ csrf: this.csrf ?? "", ...fields }).map(([name, value]) =>
      part(boundary, name, value),
    );
    const files = [file].flat().flatMap(({ name, content }) => {
      const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
      return [Buffer.from(head), Buffer.from(content), Buffer.from("\r\n")];
    });
    const body = Buffer.concat([Buffer.from(pairs.join("")), ...files, Buffer.from(`--${boundary}--\r\n`)]);
    return this.#send(
      "POST",
      target,
      { "content-type": `multipart/form-data; boundary=${boundary}`, ...headers },
      body,
    );
  }

  async signIn(password = goodPassword, login = this.#login, next?: string): Promise<Page> {
    await this.get("/dashboard/sign-in");
    return this.post("/dashboard/sign-in", { login, password, ...(next === undefined ? {} : { next }) });
  }

  async #send(method: string, target: string, headers: Record<string, string>, body?: string | Buffer): Promise<Page> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const own = cookie === "" ? {} : { cookie };
    const answer = await this.#world.client.send({
      method,
      target,
      headers: { ...own, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    for (const line of answer.headers.getSetCookie()) this.#keep(line);
    this.csrf = /name="csrf" value="([^"]+)"/.exec(answer.text)?.[1] ?? this.csrf;
    return { ...answer, location: answer.headers.get("location") };
  }

  #keep(line: string): void {
    const [pair = ""] = line.split(";");
    const [name = "", value = ""] = pair.split("=");
    if (/Max-Age=0/.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

function part(boundary: string, name: string, value: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}
