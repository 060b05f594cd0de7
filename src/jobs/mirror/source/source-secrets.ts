/** The secret headers and query parameters of a source's requests, by name. */
export type SourceSecrets = { headers: Readonly<Record<string, string>>; query: Readonly<Record<string, string>> };

/** The secrets in a configuration. Each value names an environment variable. */
export type WrittenSecrets = Record<"headers" | "query", Readonly<Record<string, { env: string }>>>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Minimum length of a secret. Shorter values occur in texts by chance and could not be masked in a log. */
const valueCharsMin = 8;
const valueCharsMax = 4096;
const placeholder = "[secret]";

/** Reserved headers: message framing, host, connection, encodings and conditional requests. */
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
 * Reads the secrets of a source from the environment. `source` is its address. Throws the error of `refuse` if a name is reserved or
 * repeated, or a variable is unset or has an invalid value. The error never contains a value.
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
  if (reservedHeaders.has(name)) return `the header ${name} must not be in a configuration; remove it`;
  return known.has(name) ? `the header ${name} is given twice; remove one` : null;
}

function parameterFault(name: string, known: URLSearchParams): string | null {
  return known.has(name) ? `the address has the parameter ${name} already; remove one` : null;
}

function valueFault(value: string | undefined): string | null {
  if (value === undefined || value === "") return "is not set in the environment; set it";
  if (value.length < valueCharsMin) {
    return `has fewer than ${valueCharsMin} characters; put public values into the address`;
  }
  if (value.length > valueCharsMax) return `has more than ${valueCharsMax} characters`;
  // A line break would start another header.
  return /^[!-~]([ -~]*[!-~])?$/.test(value) ? null : "has characters other than printable ASCII, or spaces around it";
}

/** Returns the address with the secret parameters. */
export function addressWith(url: URL, secrets: SourceSecrets | null): URL {
  const address = new URL(url);
  for (const [name, value] of Object.entries(secrets?.query ?? {})) address.searchParams.append(name, value);
  return address;
}

/** Returns whether bytes contain a secret of the source, either plain or escaped as in JSON and addresses. */
export function holdsSecret(bytes: Buffer, secrets: SourceSecrets | null): boolean {
  return formsOf(secrets).some((form) => bytes.includes(form));
}

/** Searches a stream of chunks for secrets, like `holdsSecret`. */
export class SecretSearch {
  readonly #forms: readonly Buffer[];
  readonly #longest: number;
  /** The end of the previous chunks, in which a secret may begin. */
  #before = Buffer.alloc(0);

  constructor(secrets: SourceSecrets | null) {
    this.#forms = formsOf(secrets).map((form) => Buffer.from(form));
    this.#longest = Math.max(0, ...this.#forms.map(({ length }) => length));
  }

  /** Returns whether a secret ends in the next chunk. */
  finds(chunk: Buffer): boolean {
    if (this.#forms.length === 0) return false;
    const bytes = Buffer.concat([this.#before, chunk]);
    if (this.#forms.some((form) => bytes.includes(form))) return true;
    this.#before = Buffer.from(bytes.subarray(Math.max(0, bytes.length - this.#longest)));
    return false;
  }
}

/** Returns a text with masked secrets, because a source may echo them. */
export function withoutSecrets(text: string, secrets: SourceSecrets | null): string {
  let safe = text;
  for (const form of formsOf(secrets)) {
    // Host names are echoed in lower case.
    safe = safe.replaceAll(new RegExp(form.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&"), "gi"), placeholder);
  }
  return safe;
}

/** Longest first, so that no form masks a part of another. */
function formsOf(secrets: SourceSecrets | null): string[] {
  if (secrets === null) return [];
  const forms = new Set<string>();
  for (const value of [...Object.values(secrets.headers), ...Object.values(secrets.query)]) {
    // After a scheme such as `Bearer`, only the credential is secret.
    for (const part of [value, value.slice(value.lastIndexOf(" ") + 1)]) {
      if (part.length < valueCharsMin) continue;
      forms.add(part).add(part.replaceAll("/", "\\/")).add(encodeURIComponent(part));
    }
  }
  return [...forms].sort((a, b) => b.length - a.length);
}
