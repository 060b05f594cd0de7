/** A description split into the meanings of enum values and the rest, both in Markdown. */
type EnumMeanings = {
  /** Text before the first explained value. */
  readonly lead: string;
  /** Meanings in the order of the description, then unexplained values with "". Several values can share one meaning. */
  readonly meanings: readonly { readonly values: readonly string[]; readonly text: string }[];
};

/**
 * Splits a description of the form "Summary. `a`: one. `b`, `c`: another." No text is lost: a description in another form becomes the lead.
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
