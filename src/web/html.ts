import { createHash } from "node:crypto";

/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[];

/** A template whose inserted text is escaped; inserted HTML is not. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = texts[0] ?? "";
  parts.forEach((part, index) => {
    text += textOf(part) + (texts[index + 1] ?? "");
  });
  return new Html(text);
}

/** Backquoted words become `<code>`. */
export function prose(text: string): Html {
  return new Html(escaped(text).replace(/`([^`]+)`/g, "<code>$1</code>"));
}

/** A whole page without script, that asks for nothing but itself. */
export function page(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Html(pageStyle)}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`.text;
}

/** The look that all pages share. */
export const pageStyle = `
:root { color-scheme: light dark; --text: #1c1e21; --muted: #5b626b; --back: #fbfbfa; --line: #d9dce0; --code: #eef0f2; --link: #0b57b0; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e8ea; --muted: #a2a9b1; --back: #15171a; --line: #33383e; --code: #23272c; --link: #82b6ff; }
}
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: 3rem 1.25rem 5rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.05rem; margin: 2rem 0 .25rem; }
p { margin: .25rem 0 .75rem; overflow-wrap: anywhere; }
a { color: var(--link); }
.muted { color: var(--muted); }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; background: var(--code); border-radius: .25rem; }
code { padding: .1em .3em; }
pre { padding: .8rem 1rem; overflow-x: auto; }
pre code { padding: 0; background: none; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
`;

/** Nothing is loaded, framed, sent or run; only the one style sheet of these pages is applied. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(pageStyle).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === "string" || typeof part === "number") return escaped(String(part));
  return part.map(({ text }) => text).join("");
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
