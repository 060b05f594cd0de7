/** What a description tells of the values of an enum, and what it tells besides. Both are Markdown. */
type EnumMeanings = {
  /** Before the first value is explained. */
  readonly lead: string;
  /** In the order of the description; values that it does not explain follow with "". One meaning can be of several values. */
  readonly meanings: readonly { readonly values: readonly string[]; readonly text: string }[];
};

/**
 * Divides a description of the form "What it is. `a`: one. `b`, `c`: another." No word is lost: where it has another form, all of it
 * is the lead.
 */
export function enumMeanings(description: string, values: readonly string[]): EnumMeanings {
  const text = description.trim().replaceAll(/\s*\n\s*/g, " ");
  const marks = [...text.matchAll(/(?:^|(?<=[.;] ))((?:`[^`]+`, )*`[^`]+`): /g)].filter(([, names = ""]) =>
    namesIn(names).every((name) => values.includes(name)),
  );
  const explained = marks.map((mark, index) => ({
    values: namesIn(mark[1] ?? ""),
    text: text.slice(mark.index + mark[0].length, marks[index + 1]?.index ?? text.length).trim(),
  }));
  const explainedValues = new Set(explained.flatMap((one) => one.values));
  const others = values.filter((value) => !explainedValues.has(value));
  return {
    lead: marks[0] === undefined ? description : text.slice(0, marks[0].index).trim(),
    meanings: [...explained, ...others.map((value) => ({ values: [value], text: "" }))],
  };
}

function namesIn(names: string): string[] {
  return [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? "");
}
