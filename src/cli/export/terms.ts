import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import type { Itemtape } from "../../client/index.ts";
import { PartFile } from "./part-file.ts";
import { retryUnanswered } from "./receive.ts";
import type { ProviderTerms } from "./writer.ts";

const providersPerPage = 100;

/** Reads the terms of all providers, for a unit per hundred. Services of earlier revisions state none. */
export async function readTerms(
  client: Itemtape,
  signal: AbortSignal,
  onRepeat: (why: string) => void,
): Promise<ProviderTerms[]> {
  const read = async () => {
    const rows: ProviderTerms[] = [];
    for await (const row of client.rows("listProviders", { limit: providersPerPage }, { signal })) {
      const {
        provider,
        name,
        terms_url = null,
        terms_read_on = null,
        redistribution = "unknown",
        attribution = null,
      } = row;
      rows.push({ provider, name, terms_url, terms_read_on, redistribution, attribution });
    }
    return rows;
  };
  return retryUnanswered(read, signal, onRepeat);
}

/** Start of each metadata file, which identifies it as one of this program. */
const context = '{\n  "@context": "http://www.w3.org/ns/csvw"';

/**
 * The metadata file of a CSV at the standard place of CSV on the Web, `FILE-metadata.json`. CSV itself has no comments, and terms in each
 * row would multiply its size.
 */
export class CsvMetadata {
  readonly #file: string;
  readonly #part: PartFile;

  /** @throws {OperatorError} when another program's file is there and `mayReplace` is false. */
  constructor(file: string, { mayReplace }: { mayReplace: boolean }) {
    const path = `${file}-metadata.json`;
    const isOwn = existsSync(path) && readFileSync(path, "utf8").startsWith(context);
    this.#file = file;
    this.#part = new PartFile(path, { mayReplace: mayReplace || isOwn });
  }

  publish(providers: readonly ProviderTerms[]): void {
    const sources = providers.map(({ provider, name, terms_url, terms_read_on, redistribution, attribution }) => ({
      "dc:identifier": provider,
      "dc:title": name,
      "dc:license": terms_url,
      "dc:dateAccepted": terms_read_on,
      "dc:accessRights": redistribution,
      "dc:bibliographicCitation": attribution,
    }));
    const body = { "@context": "http://www.w3.org/ns/csvw", url: basename(this.#file), "dc:source": sources };
    writeFileSync(this.#part.path, `${JSON.stringify(body, null, 2)}\n`);
    this.#part.publish();
  }

  /** Removes the file unless it was published. Never throws. */
  remove(): void {
    this.#part.remove();
  }
}
