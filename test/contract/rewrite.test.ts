import { expect } from "chai";
import { document as served } from "../../scripts/contract/answers.ts";
import { componentsOf, node, parseDocument, readDocumentText } from "../../scripts/contract/document.ts";
import { rewriteValues } from "../../scripts/contract/rewrite.ts";
import { itLong } from "../support/size.ts";

const text = readDocumentText();

describe("rewriting values of openapi.yaml", () => {
  itLong("changes one value, and quotes possible dates", () => {
    const value = { instant: "2026-02-01T00:00:00.000Z", lines: '{"a":1}\n{"b":"x y"}\n', one: 1, none: null };
    const rewritten = rewriteValues(`# kept\n${text}`, [
      { at: ["components", "examples", "UsageBuilder", "value"], value },
    ]);
    const document = parseDocument(rewritten);
    const examples = componentsOf(document, "examples");
    expect(node(examples.UsageBuilder).value).to.deep.equal(value);
    expect(examples.RateLimited).to.deep.equal(componentsOf(served, "examples").RateLimited);
    expect(rewritten)
      .to.match(/^# kept\n/)
      .and.include('instant: "2026-02-01T00:00:00.000Z"');
  });

  it("refuses a place that does not exist", () => {
    const few = "components:\n  examples:\n    Present: { value: 1 }\n";
    const rewrite = () => rewriteValues(few, [{ at: ["components", "examples", "Absent", "value"], value: 1 }]);
    expect(rewrite).to.throw("components/examples/Absent/value");
  });
});
