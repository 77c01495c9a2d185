import { expect } from "chai";
import fc from "fast-check";
import { htmlToText } from "../../../core/mail/htmlText.ts";
import { expectLinear } from "../../support/linearTime.ts";

const read = (html: string): string => htmlToText(html, 65_536);

describe("What a person reads of HTML", () => {
  it("is its text, a line for each block, white space joined", () => {
    expect(read("<p>One\n  two</p><p>three<br>four</p>")).to.equal("One two\nthree\nfour");
    expect(read("<table><tr><td>a</td><td>b</td></tr></table>")).to.equal("a\nb");
    expect(read("a <b>bold</b> word")).to.equal("a bold word");
  });

  it("is not what stands in comments, scripts, styles, titles and tags", () => {
    expect(read("<!-- no --><style>no</style><SCRIPT>no</SCRIPT ><title>no</title>yes<img alt=no>")).to.equal(
      "yes",
    );
    expect(read("a<!-- never closed")).to.equal("a");
    expect(read("a<script>never closed")).to.equal("a");
    expect(read("a<style>x</style>b")).to.equal("ab");
  });

  it("keeps signs that are no tags", () => {
    expect(read("1 < 2 and 3 > 2")).to.equal("1 < 2 and 3 > 2");
    expect(read("a <")).to.equal("a <");
    expect(read("I <3 you")).to.equal("I <3 you");
  });

  it("reads entities, and leaves what is none", () => {
    expect(read("&valueOf; &toString;")).to.equal("&valueOf; &toString;");
    expect(read("Fish &amp; chips &lt;3 &#8364;5 &#x20AC;6 &eacute;&Uuml;")).to.equal(
      "Fish & chips <3 €5 €6 éÜ",
    );
    expect(read("a&nbsp;b&#160;c")).to.equal("a b c");
    expect(read("&unknown; &#xD800; &#99999999; AT&T")).to.equal("&unknown; &#xD800; &#99999999; AT&T");
  });

  it("is no longer than asked for", () => {
    expect(htmlToText("<p>word</p>".repeat(1_000), 100)).to.have.lengthOf.at.most(100);
  });

  it("is text, whatever it is made from", () => {
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

  it("takes ten times as long for ten times as much, not a hundred times", () => {
    const evils = ["<", "<!--", "<script>", "<a ", "&#", "<p><", "</", "<script></", '<a b="', "\u0085 "];
    for (const evil of evils)
      expectLinear(evil, 400_000 / evil.length, (times) => {
        const html = evil.repeat(times);
        read(html);
        read(`${html}>`);
      });
  });
});
