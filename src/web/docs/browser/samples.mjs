/** @import { System, Element } from "./types.mjs" */

const languages = [
  { ending: "sh", name: "curl" },
  { ending: "ts", name: "TypeScript" },
  { ending: "py", name: "Python" },
];

/**
 * Makes the component of one operation's code samples, as the server writes them: a tab for each language.
 * @param {System} system
 * @returns {(props: { operationId: string }) => Element}
 */
export function samplesComponent({ React }) {
  const { createElement: make, useEffect, useState } = React;
  return ({ operationId }) => {
    const [ending, choose] = useState("sh");
    const [text, show] = useState("");
    const [copied, tellCopied] = useState(false);
    const address = `/docs/samples/${operationId}.${ending}`;
    useEffect(() => {
      let isWanted = true;
      tellCopied(false);
      void sampleAt(address).then((sample) => {
        if (isWanted) show(sample);
      });
      return () => {
        isWanted = false;
      };
    }, [address]);
    const tabs = languages.map((language) =>
      make(
        "button",
        {
          key: language.ending,
          type: "button",
          role: "tab",
          "aria-selected": language.ending === ending,
          className: "sample-tab",
          onClick: () => choose(language.ending),
        },
        language.name,
      ),
    );
    const copy = () => void navigator.clipboard?.writeText(text).then(() => tellCopied(true));
    return make(
      "section",
      { className: "samples", "aria-label": "Code samples" },
      make("div", { className: "opblock-section-header" }, make("h4", null, "Code samples")),
      make(
        "div",
        { className: "sample-bar" },
        make("div", { className: "sample-tabs", role: "tablist", "aria-label": "Language" }, ...tabs),
        make("a", { href: address, target: "_blank", rel: "noreferrer" }, "As a file"),
        navigator.clipboard &&
          make("button", { type: "button", className: "sample-copy", onClick: copy }, copied ? "Copied" : "Copy"),
      ),
      make("pre", { className: "sample", tabIndex: 0, "aria-label": "Code sample" }, make("code", null, text)),
    );
  };
}

/**
 * The sample, calling the server by the address that this page was reached at.
 * @param {string} address
 */
async function sampleAt(address) {
  const answer = await fetch(address);
  const text = await answer.text();
  return answer.ok ? text.replaceAll(`http://${location.host}`, location.origin) : `No sample: HTTP ${answer.status}`;
}
