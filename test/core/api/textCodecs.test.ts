import { expect } from "chai";
import fc from "fast-check";
import * as t from "io-ts";
import { escapeHtml, htmlEscaped, unescapeHtml } from "../../../core/api/textCodecs.ts";

describe("HTML-escaped text", () => {
  it("round-trips unchanged", () => {
    const unit = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("&", "<", ">", '"', "'", "&amp;", "&#39;", ";"),
    );
    fc.assert(
      fc.property(
        fc.array(unit).map((parts) => parts.join("")),
        (text) => {
          expect(unescapeHtml(escapeHtml(text))).to.equal(text);
          expect(escapeHtml(text)).to.not.match(/[<>"']/);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("is unescaped from any form of escape", () => {
    for (const escaped of ["o&#39;b", "o&#x27;b", "o&#039;b", "o&apos;b", "o'b"])
      expect(unescapeHtml(escaped), escaped).to.equal("o'b");
    expect(unescapeHtml("a&#x2F;b&#47;c&#96;&lt;&gt;&quot;&amp;lt;")).to.equal('a/b/c`<>"&lt;');
    for (const plain of ["a&b", "&nbsp;", "&#;", "&#x;", "&#xzz;", "&constructor;", "&#123456;"])
      expect(unescapeHtml(plain), plain).to.equal(plain);
  });

  it("is plain once it is decoded, and escaped once it is encoded", () => {
    const codec = htmlEscaped(t.string as t.Type<string, string, unknown>);
    expect(codec.encode("o'brien@example.org")).to.equal("o&#39;brien@example.org");
    expect(codec.decode("o&#39;brien@example.org")).to.deep.include({ right: "o'brien@example.org" });
    expect(codec.decode("o'brien@example.org")).to.deep.include({ right: "o'brien@example.org" });
  });
});
