import { expect } from "chai";
import fc from "fast-check";
import { entityTag, namesTag } from "../../src/api/representation.ts";

const tag = entityTag("what was answered");
const opaque = tag.slice(2);
const other = entityTag("something else");

describe("entity tags", () => {
  it("match themselves, their strong form, a coding suffix, a list and *", () => {
    for (const received of [
      tag,
      opaque,
      "*",
      `${tag}, ${other}`,
      `${other},${tag}`,
      `${other} ,\t ${opaque}`,
      `, ,${tag},,`,
      `"", ${tag}`,
      `"a,b", ${tag}, W/"c,*"`,
      `"\u00e9\u00ff!#~", ${tag}`,
      `${tag.slice(0, -1)}-gzip"`,
      `${opaque.slice(0, -1)}-br"`,
      `${other}, ${opaque.slice(0, -1)}--gzip"`,
      `${tag.slice(0, -1)};gzip"`,
    ])
      expect(namesTag(received, tag), received).to.equal(true);
  });

  it("match no other tag and no malformed list", () => {
    for (const received of [
      "",
      other,
      '""',
      'W/""',
      opaque.slice(1, -1),
      `w/${opaque}`,
      `W/ ${opaque}`,
      `W${opaque}`,
      `"${opaque}"`,
      `"a${opaque}`,
      `${opaque}b"`,
      `${tag.slice(0, -1)}-gzip-gzip"`,
      `${tag.slice(0, -1)}-x"`,
      `${tag.slice(0, -1)}gzip"`,
      `"-gzip"`,
      `"gzip-${opaque.slice(1)}`,
      `${tag} ${other}`,
      `${tag};q=1`,
      `*, ${tag}`,
      `${tag}, *`,
      `${tag}, "`,
      `${tag}, "a b"`,
      `${tag.slice(0, -1)}`,
      `"x${tag.slice(3)}`,
      tag.toLowerCase(),
      "**",
      '"*"',
      "\u0000",
    ])
      expect(namesTag(received, tag), received).to.equal(false);
  });

  it("are found among 10,000 others; absurd values fail quickly", () => {
    const crowd = Array.from({ length: 10_000 }, (_, index) => entityTag(String(index)));
    expect(namesTag([...crowd, tag].join(", "), tag)).to.equal(true);
    expect(namesTag([...crowd].join(", "), tag)).to.equal(false);
    for (const piece of [" ", "\t", ",", '"', 'W/"', "W/", '"" ', opaque, `${opaque} `, "W", '"a'])
      for (const end of ["", tag, "x", '"'])
        expect(namesTag(piece.repeat(100_000) + end, tag), piece + end).to.be.a("boolean");
  });

  it("match exactly the RFC 9110 lists that contain them", () => {
    const plain = fc.stringMatching(/^[!#-~\u0080-\u00ff]{0,12}$/).map((text) => `"${text}"`);
    const one = fc.oneof(plain, fc.constantFrom(opaque, other.slice(2), `"${opaque.slice(1, -2)}"`));
    const entry = fc.tuple(fc.constantFrom("", "W/"), one, fc.constantFrom("", " ", "\t "), fc.constantFrom("", " "));
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 6 }), (entries) => {
        const received = entries.map(([weak, text, before, behind]) => before + weak + text + behind).join(",");
        return namesTag(received, tag) === entries.some(([, text]) => text === opaque);
      }),
      { numRuns: 2_000 },
    );
  });
});
