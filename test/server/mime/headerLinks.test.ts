import { expect } from "chai";
import { leadsToMail, readLinks, writeLinks } from "../../../server/mime/headerLinks.ts";
import { expectLinear } from "../../support/linearTime.ts";

/** Writes the links of a field with "re-" before each address. */
const rewrite = (value: string): string | null => writeLinks(readLinks(value), (address) => `re-${address}`);

describe("The links of a mailing list", () => {
  it("lead to reverse addresses, with the subject and the text that they ask for", () => {
    const ways: readonly (readonly [string, string | null])[] = [
      ["<mailto:list@a.example>", "<mailto:re-list@a.example>"],
      ["<MAILTO:list%40a.example>", "<mailto:re-list@a.example>"],
      [
        "< mailto:list@a.example\t?subject=un%20sub&body=id=7>",
        "<mailto:re-list@a.example?subject=un%20sub&body=id=7>",
      ],
      ["<mailto:list@a.example?Subject=x>", "<mailto:re-list@a.example?subject=x>"],
      ["<mailto:a@a.example,b@a.example>", "<mailto:re-a@a.example,re-b@a.example>"],
      ["<mailto:?to=a@a.example&subject=x>", "<mailto:re-a@a.example?subject=x>"],
      [
        "<mailto:a@a.example?cc=b%40a.example&bcc=c@a.example&from=d@a.example>",
        "<mailto:re-a@a.example?cc=re-b@a.example>",
      ],
      [
        "mailto:a@a.example, https://a.example/u?x=1",
        "<mailto:re-a@a.example>,\r\n <https://a.example/u?x=1>",
      ],
      [
        "<https://a.example/u>, <mailto:a@a.example> (by mail)",
        "<https://a.example/u>,\r\n <mailto:re-a@a.example>",
      ],
      ["<a@a.example>, <https://a.example/?u=b@b.example>", "<https://a.example/?u=b@b.example>"],
      ["<mailto:a%zz@a.example?subject=%zz>", "<mailto:re-a%25zz@a.example?subject=%zz>"],
      ["<mailto:nobody>", null],
      ["<mailto:a@a.example", "<mailto:re-a@a.example>"],
    ];
    for (const [given, written] of ways) expect(rewrite(given), given).to.equal(written);
  });

  it("are written anew only where a program may write to somebody because of them", () => {
    for (const value of [
      "NO",
      "<https://a.example/u>",
      "<https://a.example/?u=a@b.example>, <http://a.example>",
    ])
      expect(leadsToMail(value), value).to.equal(false);
    for (const value of ["<mailto:a@b.example>", "<mail\r\n to:a%40b.example>", "<a@b.example>", "MailTo:x"])
      expect(leadsToMail(value), value).to.equal(true);
  });

  it("leave out whom no reverse address leads to, and the link when nobody is left", () => {
    const links = readLinks("<mailto:a@a.example,b@a.example>, <mailto:b@a.example>");
    const written = writeLinks(links, (address) => (address.startsWith("a") ? "re-1@masks.example" : null));
    expect(written).to.equal("<mailto:re-1@masks.example>");
  });

  it("fit into lines of a header, and those that are too long are left out", () => {
    const [long, tooLong] = ["x".repeat(3_000), "ü".repeat(9_000)];
    const written = rewrite(
      `<https://a.example/${tooLong}>, <https://a.example/${long}>, <mailto:a@a.example?body=ü>`,
    );
    for (const line of (written ?? "").split("\r\n")) expect(line.length).to.be.below(998);
    expect(written?.replaceAll("\r\n ", "")).to.equal(
      `<https://a.example/${long}>,<mailto:re-a@a.example?body=%C3%BC>`,
    );
  });

  it("are read in linear time", () => {
    for (const piece of [
      "<",
      "<mailto:",
      "< ",
      "<https:",
      "mailto:a,",
      "<mailto:a@b.example?to=",
      "\t",
      "%40",
      ">",
    ])
      expectLinear(`links of "${piece}"`, 20_000, (times) => {
        const value = piece.repeat(times);
        leadsToMail(value);
        writeLinks(readLinks(value), () => null);
      });
  });
});
