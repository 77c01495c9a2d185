import { expect } from "chai";
import fc from "fast-check";
import { htmlToText } from "../../../core/mail/htmlText.ts";
import { expectLinear } from "../../support/linearTime.ts";

const read = (html: string): string => htmlToText(html, 65_536);

describe("The text of an HTML mail", () => {
  it("has a line for each block, with white space collapsed", () => {
    expect(read("<p>One\n  two</p><p>three<br>four</p>")).to.equal("One two\nthree\nfour");
    expect(read("<table><tr><td>a</td><td>b</td></tr></table>")).to.equal("a\nb");
    expect(read("a <b>bold</b> word")).to.equal("a bold word");
  });

  it("leaves out comments, scripts, styles, titles and tags", () => {
    expect(read("<!-- no --><style>no</style><SCRIPT>no</SCRIPT ><title>no</title>yes<img alt=no>")).to.equal(
      "yes",
    );
    expect(read("a<!-- never closed")).to.equal("a");
    expect(read("a<script>never closed")).to.equal("a");
    expect(read("a<style>x</style>b")).to.equal("ab");
  });

  it('keeps "<" and ">" that do not form a tag', () => {
    expect(read("1 < 2 and 3 > 2")).to.equal("1 < 2 and 3 > 2");
    expect(read("a <")).to.equal("a <");
    expect(read("I <3 you")).to.equal("I <3 you");
  });

  it("has entities decoded, and text that only looks like one unchanged", () => {
    expect(read("&valueOf; &toString;")).to.equal("&valueOf; &toString;");
    expect(read("Fish &amp; chips &lt;3 &#8364;5 &#x20AC;6 &eacute;&Uuml;")).to.equal(
      "Fish & chips <3 €5 €6 éÜ",
    );
    expect(read("a&nbsp;b&#160;c")).to.equal("a b c");
    expect(read("&unknown; &#xD800; &#99999999; AT&T")).to.equal("&unknown; &#xD800; &#99999999; AT&T");
  });

  it("is cut to the requested length", () => {
    expect(htmlToText("<p>word</p>".repeat(1_000), 100)).to.have.lengthOf.at.most(100);
  });

  it("is a string for any input", () => {
    const piece = fc.oneof(
      fc.constantFrom("<", ">", "<!--", "-->", "<script>", "</script>", "<p", "&#", ";", "\u0085"),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(read(pieces.join(""))).to.be.a("string");
      }),
      { numRuns: 1_000 },
    );
  });

  it("is extracted in linear time", () => {
    const evils = ["<", "<!--", "<script>", "<a ", "&#", "<p><", "</", "<script></", '<a b="', "\u0085 "];
    for (const evil of evils)
      expectLinear(evil, 400_000 / evil.length, (times) => {
        const html = evil.repeat(times);
        read(html);
        read(`${html}>`);
      });
  });
});
