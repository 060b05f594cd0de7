/** Text that is already HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[];

/** Makes HTML from a template. Inserted text is escaped, inserted HTML is not. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = texts[0] ?? "";
  parts.forEach((part, index) => {
    text += textOf(part) + (texts[index + 1] ?? "");
  });
  return new Html(text);
}

/** Makes HTML from a text. Words in backquotes become `<code>`. */
export function prose(text: string): Html {
  return new Html(escaped(text).replace(/`([^`]+)`/g, "<code>$1</code>"));
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === "string" || typeof part === "number") return escaped(String(part));
  return part.map(({ text }) => text).join("");
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
