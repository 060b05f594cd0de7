import { isDeepStrictEqual } from "node:util";
import { document as served } from "../../test/support/contract.ts";
import { type Node, parseDocument } from "../contract/document.ts";

/** The text to make SDKs of is not the document that the server serves and is judged by. */
export class StaleDocument extends Error {}

/** The document of a text. Throws StaleDocument where generated/openapi.json says anything else. */
export function judgedDocument(text: string): Node {
  const document = parseDocument(text);
  // Through JSON, as it is derived.
  if (isDeepStrictEqual(JSON.parse(JSON.stringify(document)), served)) return document;
  throw new StaleDocument("generated/openapi.json is not what openapi.yaml says; run `npm run generate`");
}
