/**
 * A part of the contract. Its maps and lists are read, and written where this page shows more than the document.
 * @typedef {{ [key: string]: any }} Node
 */

const streamMedia = "application/x-ndjson";

/** Parameters whose example belongs to another server or answer, and would be refused if it stood in the form. */
const unusable = ["after", "If-None-Match"];

const keyWarning = `

**Here, use only a key of your own, and only on a server that you trust.** It stays in the memory of this page until the page is
closed or reloaded, and is sent to this server alone, in the header. Requests that you send from here are real ones: they cost
units of the key's month, and an export counts as one of its starts.`;

/**
 * Returns the contract as this page shows it: called at `origin`, each error code with a link to its page.
 * @param {Node} contract
 * @param {string} origin
 * @returns {Node}
 */
export function shownDocument(contract, origin) {
  const document = structuredClone(contract);
  const { components, info } = document;
  document.servers = [{ url: origin, description: "The server of this page" }];
  // What is this page's own to say is found elsewhere; the rest of it is for programs.
  delete document["x-itemtape-changelog"];
  nameCodes(document);
  linkCodes(document, [...components.schemas.ErrorCode.enum, ...components.schemas.SnapshotErrorCode.enum]);
  for (const parameter of Object.values(components.parameters)) {
    if (unusable.includes(parameter.name)) delete parameter.example;
  }
  emptyFilters(document);
  components.securitySchemes.bearerAuth.description += keyWarning;
  info.description += keyWarning.replace("**Here,", "## Requests from this page\n\n**On this page,");
  return document;
}

/**
 * Leaves the filters beside a search empty: all at once they find next to nothing, and some need a paid plan.
 * @param {Node} document
 */
function emptyFilters({ components, paths }) {
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  for (const { parameters = [] } of /** @type {Node[]} */ (operations)) {
    const named = parameters.map(
      (/** @type {Node} */ one) => components.parameters[one.$ref?.split("/").at(-1)] ?? one,
    );
    if (!named.some((/** @type {Node} */ { name }) => name === "q")) continue;
    for (const one of named) if (!["q", "limit", "cursor"].includes(one.name)) delete one.example;
  }
}

/**
 * Adds to each refusal the codes that its examples show.
 * @param {Node} document
 */
function nameCodes({ components }) {
  for (const response of Object.values(components.responses)) {
    const examples = response.content?.["application/problem+json"]?.examples ?? {};
    const codes = Object.values(examples)
      .map((example) => (example.$ref === undefined ? example : components.examples[example.$ref.split("/").at(-1)]))
      .flatMap((example) => (example["x-unreachable"] === undefined ? [`\`${example.value.code}\``] : []));
    if (codes.length > 0) response.description += `\n\nCodes: ${[...new Set(codes)].join(", ")}.`;
  }
}

/**
 * Makes a link of each code that stands in backquotes in a description.
 * @param {Node} node
 * @param {readonly string[]} codes
 */
function linkCodes(node, codes) {
  for (const [name, value] of Object.entries(node)) {
    if (name === "description" && typeof value === "string") {
      node[name] = value.replace(/(?<!\[)`([a-z_]+)`/g, (text, code) =>
        codes.includes(code) ? `[\`${code}\`](/problems/${code})` : text,
      );
    } else if (typeof value === "object" && value !== null && name !== "examples") linkCodes(value, codes);
  }
}

/**
 * Returns whether an answer of this media type is a stream of records.
 * @param {string | null} mediaType
 */
export function isStream(mediaType) {
  return mediaType?.startsWith(streamMedia) ?? false;
}
