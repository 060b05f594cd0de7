import { expect } from "chai";
import { headingsOf, parseMarkdown, withServedLinks } from "../../../src/web/docs/markdown.ts";

const same = (target: string) => target;

describe("Markdown of guides", () => {
  it("escapes raw HTML, and does not link script addresses", () => {
    const { intro } = parseMarkdown(
      '# T\n\n<b onclick="x()">a</b> [b](javascript:x) `<i>`\n\n<script>x()</script>\n',
      same,
    );
    expect(intro.text).to.not.match(/<(?!\/?(p|code)>)/);
    expect(intro.text).to.contain("&lt;script&gt;").and.contain("<code>&lt;i&gt;</code>");
  });

  it("resolves links, and shows a link to an unserved target as text", () => {
    const targetOf = (target: string) => (target === "LICENSE" ? null : `/here/${target}`);
    const text = "# T\n\n[license](LICENSE), [guide](a.md), ![picture](p.png)\n";
    const { intro } = parseMarkdown(text, targetOf);
    expect(intro.text).to.contain('license, <a href="/here/a.md">guide</a>, <img src="/here/p.png" alt="picture">');
    expect(withServedLinks(text, targetOf)).to.contain("license, [guide](/here/a.md), ![picture](/here/p.png)");
  });

  it("gives sections code hosts' anchors, except for headings in code", () => {
    const text = "# T\n\n## Put `a` proxy, in front\n\nOne.\n\n```sh\n## not a heading\n```\n\n## Stop\n\n### Stop\n";
    const { title, sections } = parseMarkdown(text, same);
    expect(title).to.equal("T");
    expect(sections.map(({ id }) => id)).to.deep.equal(["put-a-proxy-in-front", "stop"]);
    expect(headingsOf(text)).to.deep.equal(sections.map(({ id, title: own }) => ({ id, title: own })));
    expect(sections[1]?.body.text).to.contain('<h3 id="stop-1">');
  });

  it("is rejected without a title", () => {
    expect(() => parseMarkdown("text", same)).to.throw("heading of level 1");
  });
});
