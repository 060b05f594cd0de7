/** Values known to the ring when it plays a line. */
export type Known = {
  readonly isShort: boolean;
  /** The name of the document, such as `tour.md`. */
  readonly document: string;
  /** Ids and secrets that commands have printed, by the name of a capture. */
  readonly printed: Map<string, string>;
  /** The port of the running server. */
  readonly port: number;
  /** Replacements for ports of the guides that are in use. */
  readonly ports: ReadonlyMap<string, number>;
  /** The server address that replaces marketplaces and publishers. */
  readonly replay: string;
  /** The folder of the few items that the short form imports. */
  readonly catalog: string;
  readonly postgresPort: number;
};

/** A text that the ring types differently from a guide, with the reason. */
type Replacement = {
  readonly reason: string;
  readonly when?: (known: Known) => boolean;
  readonly text: RegExp;
  readonly by: (known: Known, ...groups: string[]) => string;
};

const isShort = ({ isShort }: Known) => isShort;

/** Everything that the ring replaces in the commands of README and guides. */
export const replacements: readonly Replacement[] = [
  {
    reason: "The suite would run itself. `.ci/run` runs it.",
    text: /^(?:npm ci && )?npm test\b.*$/,
    by: () => "true",
  },
  {
    reason: "The short form has no network: the modules of the checkout are linked.",
    when: isShort,
    text: /^npm ci\b/,
    by: () => "true",
  },
  {
    reason: "The short form imports few items.",
    when: isShort,
    text: /(?<=itemtape import catalog )shipped$/,
    by: ({ catalog }) => `'${catalog}'`,
  },
  {
    reason: "A checkout does not serve its package. Its own program runs the kit.",
    text: /^npm install http:\S+\/itemtape\.tgz$/,
    by: ({ isShort }) =>
      isShort ? "true" : 'npm pack ./scripts/package && npm install --prefix reader "$PWD"/itemtape-*.tgz',
  },
  {
    reason: "The client is installed into a project of the reader's own.",
    text: /^npm install http:/,
    by: () => "npm install --prefix reader http:",
  },
  { reason: "Ids are those that an earlier command printed.", text: /\bacc_…/, by: printed("account") },
  { reason: "The same.", text: /\bpf_…/, by: printed("portfolio") },
  { reason: "The same.", text: /\bkey_…/, by: printed("key id") },
  { reason: "The same.", text: /(?<=\/v1\/items\/)ID\b/, by: printed("item id") },
  {
    reason: "Keys are those that an earlier command printed.",
    text: /(?<=^FREE=)itemtape_live_…/,
    by: printed("FREE"),
  },
  { reason: "The same.", text: /(?<=^BUILDER=)itemtape_live_…/, by: printed("BUILDER") },
  { reason: "The same.", text: /(?<=^CONTROL=)itemtape_sandbox_…/, by: printed("CONTROL") },
  { reason: "The same.", text: /\$KEY\b/, by: printed("secret") },
  { reason: "The same.", text: /(?<=release root revoke )ID\b/, by: printed("root key") },
  {
    reason: "The same.",
    text: /root:1:0{64}/,
    by: printed("trusted root"),
  },
  {
    reason: "A new secret is shown on a terminal only, or as JSON.",
    text: /itemtape (?:keys (?:create|rotate) .*|sign-in)$/,
    by: (_, line) => `${line} --json`,
  },
  {
    reason: "The key of a source is the reader's.",
    text: /Basic …/,
    by: () => "Basic bG9jYWw6cmVwbGF5",
  },
  {
    reason: "The server takes a free port in the short form, and where 8080 is in use.",
    text: /(?<=127\.0\.0\.1:)8080\b/,
    by: ({ port }) => String(port),
  },
  {
    reason: "These ports may be in use, too.",
    text: /\b(?:8090|8099|9464)\b/,
    by: ({ ports }, port) => String(ports.get(port) ?? port),
  },
  {
    reason: "A server on this machine is in the place of a marketplace.",
    text: /https:\/\/api\.skinport\.com/,
    by: ({ replay }) => replay,
  },
  {
    reason: "The same. No person is there to say that the terms are read, nor a terminal to print the key on.",
    text: /(?<=start --live )skinport$/,
    by: ({ replay }) => `skinport=${replay}/v1/items --terms-read --json`,
  },
  {
    reason: "A server on this machine is in the place of a publisher.",
    text: /https:\/\/data\.example\.com/,
    by: ({ replay }) => replay,
  },
  {
    reason: "The PostgreSQL server is one of the ring, on a free port.",
    text: /(?<=postgresql:\/\/itemtape@127\.0\.0\.1)(?=\/itemtape)/,
    by: ({ postgresPort }) => `:${postgresPort}`,
  },
  {
    reason: "The guide takes a release on another machine, the ring into another file.",
    when: ({ document }) => document === "releases.md",
    text: /--(to|db) db\/market\.db$/,
    by: (_, __, flag) => `--${flag} db/taken.db`,
  },
  {
    reason: "The backups of a service are in a folder of the ring.",
    text: /\/var\/(?:backups\/itemtape|tmp)(?=\/)/,
    by: (_, folder) => (folder.includes("backups") ? "$PWD/backups" : "$PWD"),
  },
  {
    reason: "The demo world is in the place of a recorded market, and has the days before today.",
    when: ({ document }) => document === "sandbox.md",
    text: /db\/market\.db --replay 2026-01-14/,
    by: () => `db/itemtape.db --replay ${dayBefore(1)}`,
  },
  {
    reason: "The demo world has the days before today.",
    when: ({ document }) => document === "command-line.md",
    text: /\b2026-01-01\.\.2026-01-14\b|\b2026-01-14\b/,
    by: (_, days) => (days.includes("..") ? `${dayBefore(4)}..${dayBefore(2)}` : dayBefore(2)),
  },
  {
    reason: "The same. Its last weeks can be asked as known then.",
    when: ({ document }) => document === "strategies.md",
    text: /\b2026-01-12(?=T)/,
    by: () => dayBefore(3),
  },
  {
    reason: "A plan ends in the future.",
    text: /(?<=--until )2027-01-01/,
    by: () => dayBefore(-30),
  },
];

/** Values for later commands, by the command that prints them. */
export const captures: readonly { name: string; line: RegExp; value: RegExp }[] = [
  { name: "account", line: /accounts create/, value: /\bacc_\w+/ },
  { name: "portfolio", line: /portfolios create/, value: /\bpf_\w+/ },
  { name: "key id", line: /keys create/, value: /(?<="key_id": ?")\w+/ },
  { name: "secret", line: /keys create/, value: /(?<="secret": ?")\w+/ },
  { name: "secret", line: /start --live skinport/, value: /(?<="key": ?")itemtape_live_\w+/ },
  { name: "CONTROL", line: /itemtape sandbox/, value: /\bitemtape_sandbox_\w+/ },
  { name: "key id", line: /\/sandbox\/keys$/, value: /(?<="key_id":")\w+/ },
  { name: "secret", line: /\/sandbox\/keys$/, value: /(?<="key":")\w+/ },
  { name: "root key", line: /release root show/, value: /(?<=root key )[0-9a-f]{16}/ },
  { name: "trusted root", line: /release root init/, value: /\broot:\d+:\w+/ },
  { name: "item id", line: /\/v1\/items\/resolve/, value: /(?<="item_id":)\d+/ },
  { name: "BUILDER", line: /npm start/, value: /(?<=Builder {2})itemtape_live_\w+/ },
  { name: "FREE", line: /npm start/, value: /(?<=Free {5})itemtape_live_\w+/ },
];

/** Returns a line, or the text of a file, as the ring types it. @throws {Error} when a value is missing. */
export function replaced(text: string, known: Known): string {
  return replacements
    .filter(({ when }) => when?.(known) ?? true)
    .reduce(
      (line, { text: pattern, by }) => line.replace(new RegExp(pattern, "g"), (...found) => by(known, ...found)),
      text,
    );
}

function printed(name: string): (known: Known) => string {
  return (known) => {
    const value = known.printed.get(name);
    if (value === undefined) throw new Error(`no command has printed: ${name}`);
    return value;
  };
}

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}
