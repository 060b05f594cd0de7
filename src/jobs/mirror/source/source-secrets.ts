/** What a request of a source carries from the environment: headers and query parameters by name. */
export type SourceSecrets = { headers: Readonly<Record<string, string>>; query: Readonly<Record<string, string>> };

/** How a configuration names them: each value is the name of a variable of the environment. */
export type WrittenSecrets = Record<"headers" | "query", Readonly<Record<string, { env: string }>>>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Shorter values appear in any text by chance, so that nobody could keep them out of a log. */
const valueCharsMin = 8;
const valueCharsMax = 4096;
const placeholder = "[secret]";

/** Headers that frame a message, name its receiver or belong to one connection, and those of codings and of conditional requests. */
const reservedHeaders: ReadonlySet<string> = new Set([
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "http2-settings",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "if-unmodified-since",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "range",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Takes the headers and parameters of a source from the environment. `source`: its address. Throws the error that `refuse` makes when
 * a name is reserved or given twice, or a variable is unset or has a value that cannot be sent; it never holds a value.
 */
export function secretsFrom(
  written: WrittenSecrets,
  source: string,
  environment: Environment,
  refuse: (pointer: string, why: string) => Error,
): SourceSecrets {
  const secrets = { headers: new Map<string, string>(), query: new Map<string, string>() };
  for (const kind of ["headers", "query"] as const) {
    for (const [name, { env }] of Object.entries(written[kind])) {
      const pointer = `${kind}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      const key = kind === "headers" ? name.toLowerCase() : name;
      const value = environment[env];
      const why =
        kind === "headers" ? headerFault(key, secrets.headers) : parameterFault(name, new URL(source).searchParams);
      if (why !== null) throw refuse(pointer, why);
      const wrong = valueFault(value);
      if (wrong !== null) throw refuse(pointer, `${env} ${wrong}`);
      secrets[kind].set(key, value as string);
    }
  }
  return { headers: Object.fromEntries(secrets.headers), query: Object.fromEntries(secrets.query) };
}

function headerFault(name: string, known: ReadonlyMap<string, string>): string | null {
  if (reservedHeaders.has(name)) return `the header ${name} is not for a configuration to set; remove it`;
  return known.has(name) ? `the header ${name} is given twice; remove one` : null;
}

function parameterFault(name: string, known: URLSearchParams): string | null {
  return known.has(name) ? `the address has the parameter ${name} already; remove one` : null;
}

function valueFault(value: string | undefined): string | null {
  if (value === undefined || value === "") return "is not set in the environment; set it";
  if (value.length < valueCharsMin) {
    return `has fewer than ${valueCharsMin} characters; what is no secret belongs into the address`;
  }
  if (value.length > valueCharsMax) return `has more than ${valueCharsMax} characters`;
  // Line breaks would begin another header.
  return /^[!-~]([ -~]*[!-~])?$/.test(value) ? null : "has characters other than printable ASCII, or spaces around it";
}

/** Returns the address with the secret parameters. */
export function addressWith(url: URL, secrets: SourceSecrets | null): URL {
  const address = new URL(url);
  for (const [name, value] of Object.entries(secrets?.query ?? {})) address.searchParams.append(name, value);
  return address;
}

/** Tells whether bytes of a source hold a secret that it was sent, as it is or escaped as JSON and addresses do. */
export function holdsSecret(bytes: Buffer, secrets: SourceSecrets | null): boolean {
  return formsOf(secrets).some((form) => bytes.includes(form));
}

/** Looks for secrets, as `holdsSecret` does, in bytes that come in chunks. */
export class SecretSearch {
  readonly #forms: readonly Buffer[];
  readonly #longest: number;
  /** The end of the bytes before, in which a secret may begin. */
  #before = Buffer.alloc(0);

  constructor(secrets: SourceSecrets | null) {
    this.#forms = formsOf(secrets).map((form) => Buffer.from(form));
    this.#longest = Math.max(0, ...this.#forms.map(({ length }) => length));
  }

  /** Tells whether a secret ends in the next chunk. */
  finds(chunk: Buffer): boolean {
    if (this.#forms.length === 0) return false;
    const bytes = Buffer.concat([this.#before, chunk]);
    if (this.#forms.some((form) => bytes.includes(form))) return true;
    this.#before = Buffer.from(bytes.subarray(Math.max(0, bytes.length - this.#longest)));
    return false;
  }
}

/** Returns a text, such as a reason, without the secrets: a source may say back what it was sent. */
export function withoutSecrets(text: string, secrets: SourceSecrets | null): string {
  let safe = text;
  for (const form of formsOf(secrets)) {
    // A host name comes back in lower case.
    safe = safe.replaceAll(new RegExp(form.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&"), "gi"), placeholder);
  }
  return safe;
}

/** Longest first, so that no form hides a part of another. */
function formsOf(secrets: SourceSecrets | null): string[] {
  if (secrets === null) return [];
  const forms = new Set<string>();
  for (const value of [...Object.values(secrets.headers), ...Object.values(secrets.query)]) {
    // Behind a scheme such as `Bearer` the credential alone is the secret.
    for (const part of [value, value.slice(value.lastIndexOf(" ") + 1)]) {
      if (part.length < valueCharsMin) continue;
      forms.add(part).add(part.replaceAll("/", "\\/")).add(encodeURIComponent(part));
    }
  }
  return [...forms].sort((a, b) => b.length - a.length);
}
