import { expect } from "chai";
import { wordsOf } from "./guides.ts";
import type { World } from "./world.ts";

/** A request that a text shows with its answer: a line of curl, then JSON or the last lines of an export. */
export type ShownAnswer = { readonly command: string; readonly shown: string };

const ending = " | tail -n 2";
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export function shownAnswers(text: string): ShownAnswer[] {
  const steps = text.matchAll(/```sh\n(curl .*)\n```\n\n```(?:nd)?json\n([\s\S]*?)```/g);
  return Array.from(steps, ([, command = "", shown = ""]) => ({ command, shown }));
}

/** Sends the request to `world` and expects the answer that is shown, which may be shortened. */
export async function expectShownAnswer(world: World, { command, shown }: ShownAnswer): Promise<void> {
  const text = await ask(world, command);
  const isExport = command.endsWith(ending);
  const answers = isExport ? text.trimEnd().split("\n").slice(-2) : [text];
  const expected = isExport ? shown.trimEnd().split("\n") : [shown];
  for (const [index, part] of expected.entries())
    expectShortened(JSON.parse(part), JSON.parse(answers[index] ?? ""), `${command}: $`);
}

/** Sends the request of a line of curl. */
async function ask(world: World, line: string): Promise<string> {
  const words = wordsOf(line.replace(ending, ""));
  const fields = new URLSearchParams();
  const headers: Record<string, string> = {};
  let [method, url, body]: [string, string, string | undefined] = ["GET", "", undefined];
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index] as string;
    if (word === "-G") continue;
    if (!word.startsWith("-")) {
      url = word.replace("http://127.0.0.1:8080", world.base);
      continue;
    }
    index += 1;
    const value = words[index] as string;
    if (word === "-X") method = value;
    else if (word === "-H") headers[value.split(": ")[0] as string] = value.split(": ")[1] as string;
    else if (words.includes("-G")) fields.append(...(value.split(/=(.*)/s).slice(0, 2) as [string, string]));
    else if (word === "-d") body = value;
    else throw new Error(`${word}: a flag of curl that this test does not know`);
  }
  const key = headers.Authorization?.endsWith("$FREE") ? world.keys.free : world.keys.builder;
  if (headers.Authorization !== undefined) headers.Authorization = `Bearer ${key}`;
  const query = fields.size === 0 ? "" : `?${fields}`;
  const answer = await fetch(url + query, { method, headers, ...(body === undefined ? {} : { body }) });
  return answer.text();
}

/** Checks that every shown value equals the response. For instants, dates and request ids it only compares the form. */
function expectShortened(shown: unknown, answered: unknown, place: string): void {
  if (Array.isArray(shown)) {
    expect(answered, place).to.be.an("array");
    shown.forEach((value, index) => void expectShortened(value, (answered as unknown[])[index], `${place}[${index}]`));
  } else if (typeof shown === "object" && shown !== null) {
    expect(answered, place).to.be.an("object");
    for (const [key, value] of Object.entries(shown)) {
      const own = (answered as Record<string, unknown>)[key];
      if (key === "request_id") expect(own, place).to.match(/^req_[0-9a-z]+$/);
      else expectShortened(value, own, `${place}.${key}`);
    }
  } else if (typeof shown === "string" && instant.test(shown)) expect(answered, place).to.match(instant);
  else expect(dateless(answered), place).to.equal(dateless(shown));
}

function dateless(value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll(/\d{4}-\d\d-\d\d/g, "<date>") : value;
}
