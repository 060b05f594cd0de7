import { STATUS_CODES } from "node:http";
import { problemHeaders } from "../api/problem.ts";
import { loadContract } from "../contract/document.ts";
import { Failure } from "../values/failure/failure.ts";
import { editing, editingJson, isObject } from "./answer-faults.ts";
import { type Fault, sendWhole } from "./faulted-request.ts";

type Json = Record<string, unknown>;

const novelCode = "novel_condition";
const novelValue = "novel_value";

type Schema = { $ref?: string; "x-extensible-enum"?: string[]; items?: Schema; properties?: Record<string, Schema> };

let openMembers: Map<string, ReadonlySet<string>> | null = null;

/** Returns the fields with open value lists, and the values that the contract names for each. */
function findOpenMembers(): Map<string, ReadonlySet<string>> {
  const { components } = loadContract().document as unknown as { components: { schemas: Record<string, Schema> } };
  const valuesOf = ({ $ref = "", items }: Schema): string[] | undefined =>
    items === undefined ? components.schemas[$ref.split("/").at(-1)!]?.["x-extensible-enum"] : valuesOf(items);
  const members = Object.values(components.schemas).flatMap(({ properties = {} }) => Object.entries(properties));
  const open = new Map<string, Set<string>>();
  for (const [name, schema] of members)
    for (const value of valuesOf(schema) ?? []) open.set(name, (open.get(name) ?? new Set()).add(value));
  return open;
}

/** Marks this page as the last one. */
function noNext(answer: Json): void {
  const meta = answer.meta as Json;
  for (const name of ["next_page", "next_cursor"]) if (name in meta) meta[name] = null;
}

function isPage(answer: Json): boolean {
  return Array.isArray(answer.data) && isObject(answer.meta);
}

/** Calls `visit` with every object in the value, at any depth. */
function eachObject(value: unknown, visit: (object: Json) => void): void {
  if (Array.isArray(value)) for (const one of value) eachObject(one, visit);
  if (!isObject(value)) return;
  for (const one of Object.values(value)) eachObject(one, visit);
  visit(value);
}

/**
 * Replaces each value of an open value list by an unknown one. Lists of them receive an additional value. Returns whether the answer has
 * one.
 */
function novelValues(answer: Json): boolean {
  openMembers ??= findOpenMembers();
  let found = false;
  eachObject(answer.data, (object) => {
    for (const [name, values] of openMembers!) {
      const value = object[name];
      if (typeof value === "string" && values.has(value)) object[name] = novelValue;
      else if (Array.isArray(value)) object[name] = [...(value as unknown[]), novelValue];
      else continue;
      found = true;
    }
  });
  return found;
}

export const listFaults: Readonly<Record<string, Fault>> = {
  empty_last_page: editingJson("the page is empty and the last one", (answer) => {
    if (!isPage(answer)) return false;
    answer.data = [];
    noNext(answer);
    return true;
  }),
  empty_page: editingJson("the page is empty, and its cursor continues", (answer) => {
    if (!isPage(answer)) return false;
    answer.data = [];
    return true;
  }),
  cursor_loop: editingJson("the cursor of the next page repeats this page's cursor", (answer, { req }) => {
    const query = new URLSearchParams((req.url ?? "").split("?")[1] ?? "");
    const meta = answer.meta as Json | undefined;
    if (!isPage(answer) || meta === undefined) return false;
    if ("next_page" in meta && query.has("after")) meta.next_page = query.get("after");
    else if ("next_cursor" in meta && query.has("cursor")) meta.next_cursor = Number(query.get("cursor"));
    else return false;
    return true;
  }),
  other_generation: editingJson("the answer names the generation after the published one", (answer) => {
    let found = false;
    eachObject(answer, (object) => {
      if (typeof object.generation !== "string") return;
      object.generation = `g${Number(object.generation.slice(1)) + 1}`;
      found = true;
    });
    return found;
  }),
  broken_json: editing("half of the JSON, as if it were complete", (text) => text.slice(0, text.length >> 1)),
  empty_body: editing("the body is empty", () => ""),
};

/** Faults that simulate a later server version. Clients must accept these answers. */
export const futureFaults: Readonly<Record<string, Fault>> = {
  unknown_member: editingJson("each object of the answer has an unknown member", (answer) => {
    eachObject(answer, (object) => {
      object.novel_member = { novel: true };
    });
    return true;
  }),
  unknown_value: editingJson("each value of an open list is an unknown one", novelValues),
  unknown_code: {
    about: "a problem with an unknown code",
    figures: {
      status: { about: "its status", fallback: 400, least: 400, most: 599 },
      retry_after: {
        about: "seconds of `Retry-After`; null omits the header",
        fallback: null,
        least: 0,
        most: 86_400,
        isNullable: true,
      },
    },
    async act(turn, { status: given, retry_after: retryAfter }) {
      const status = Number(given);
      const body = JSON.stringify({
        type: `/problems/${novelCode}`,
        title: "Novel condition",
        status,
        detail: "a condition that this contract does not know",
        code: novelCode,
        request_id: turn.requestId,
      });
      const headers = problemHeaders(new Failure("malformed_request"), turn.requestId, body);
      if (retryAfter !== null) headers.push("Retry-After", String(retryAfter));
      sendWhole(turn, { status, reason: STATUS_CODES[status] ?? "", headers, body: Buffer.from(body) });
    },
  },
};
