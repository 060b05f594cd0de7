import { expect } from "chai";
import { type Node, node, operationsOf, resolve } from "../../scripts/contract/document.ts";
import { isLongRun } from "../support/size.ts";

/** A request of a document's own examples. `target`: path and query. */
type ExampleRequest = { method: string; target: string; scope: string; body: unknown };

/**
 * Returns the requests of a program that imports the document. Each operation has one request with all examples. In the long run it also
 * has one per optional parameter and one without any. `day` replaces required days, and the last whole hour then
 * replaces `known_at`. Pass null for the documented day.
 */
function requestsOf(document: Node, day: string | null): ExampleRequest[] {
  return operationsOf(document).flatMap(({ method, path, node: operation }) => {
    const all = (operation.parameters as unknown[] | undefined) ?? [];
    const shown = all.map((one) => resolve(document, one)).filter((one) => "example" in one || "examples" in one);
    const valueSent = ({ schema, example, examples }: Node) => {
      if (day !== null && resolve(document, schema).format === "date") return day;
      return example ?? node(Object.values(node(examples))[0]).value;
    };
    const address = shown
      .filter((one) => one.in === "path")
      .reduce((text, one) => text.replace(`{${one.name}}`, encodeURIComponent(String(valueSent(one)))), path);
    const pairs = shown
      .filter((one) => one.in === "query")
      .map((one) => `${one.name}=${encodeURIComponent(String(valueSent(one)))}`);
    const queries = new Set([pairs.join("&"), ...(isLongRun ? [...pairs, ""] : [])]);
    const media = node(node(resolve(document, operation.requestBody).content)["application/json"]);
    const bodies = Object.values(node(media.examples)).map((one) => {
      const value = node(resolve(document, one).value);
      return day !== null && "known_at" in value ? { ...value, known_at: lastHour() } : value;
    });
    const scope = String(operation["x-itemtape-scope"]);
    return Array.from(queries, (query) => (query === "" ? address : `${address}?${query}`)).flatMap((target) =>
      (bodies.length === 0 ? [undefined] : bodies).map((body) => ({ method, target, scope, body })),
    );
  });
}

/** Returns the beginning of the current hour, at which the demo of `npm start` has frames. */
export function lastHour(): string {
  return `${new Date().toISOString().slice(0, 13)}:00:00.000Z`;
}

/** Sends the examples of parameters and bodies to a server with the demo, and fails at the first that is refused. */
export async function expectExamplesPass(
  document: Node,
  { base, day, keys }: { base: string; day: string | null; keys: { market: string; token: string } },
): Promise<void> {
  for (const { method, target, scope, body } of requestsOf(document, day)) {
    const authorization = `Bearer ${scope === "portfolio:read" ? keys.token : keys.market}`;
    const answer = await fetch(base + target, {
      method: method.toUpperCase(),
      headers: { authorization, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect(answer.status, `${target}: ${text.slice(0, 300)}`).to.equal(200);
  }
}
