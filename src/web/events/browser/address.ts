/** The shown events, from the query of the address. "" shows all kinds, feeds, providers or days. */
export type Shown = { kind: string; feed: string; provider: string; from: string; to: string };

const shapes: Readonly<Record<keyof Shown, RegExp>> = {
  kind: /^[a-z][a-z0-9_]{0,59}$/,
  feed: /^[a-z0-9][a-z0-9-]{0,59}$/,
  provider: /^[a-z0-9][a-z0-9-]{0,59}$/,
  from: /^\d{4}-\d{2}-\d{2}$/,
  to: /^\d{4}-\d{2}-\d{2}$/,
};

/** Reads the shown events from the query of the address. Invalid parts are left out. */
export function readShown(search: string): Shown {
  const params = new URLSearchParams(search);
  const valid = (name: keyof Shown) => {
    const text = params.get(name) ?? "";
    return shapes[name].test(text) ? text : "";
  };
  return {
    kind: valid("kind"),
    feed: valid("feed"),
    provider: valid("provider"),
    from: valid("from"),
    to: valid("to"),
  };
}

/** Returns the address of the page that shows these events. */
export function eventsAddress(shown: Partial<Shown>): string {
  const parts = Object.entries(shown).filter(([, value]) => value !== "");
  return parts.length === 0 ? "/changes" : `/changes?${new URLSearchParams(parts)}`;
}
