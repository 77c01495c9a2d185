import { readFileSync } from "node:fs";
import { expect } from "chai";
import { findCode } from "../../../core/codes/findCode.ts";
import { readLimits } from "../../../core/codes/readableMail.ts";
import { expectLinear } from "../../support/linearTime.ts";
import { type CorpusMail, readCorpus } from "./corpus.ts";

const inText = (text: string, subject = ""): string | null => findCode({ subject, text, html: "" }).code;
const inHtml = (html: string, subject = ""): string | null => findCode({ subject, text: "", html }).code;
const linkIn = (html: string): string | null => findCode({ subject: "", text: "", html }).link;

const isRight = (mail: CorpusMail): boolean => {
  const { code, link } = findCode(mail);
  return code === mail.code && link === mail.link;
};

describe("The code of a mail", () => {
  it("is found as it is typed, however it is written", () => {
    expect(inText("123 456 is your code")).to.equal("123456");
    expect(inText("Your verification code: 123-456.")).to.equal("123456");
    expect(inText("G-123456 is your verification code.")).to.equal("123456");
    expect(inText("Use *482913* to log in.", "Your login code")).to.equal("482913");
    expect(inText("Enter the code WDJB-MJHT to sign in.")).to.equal("WDJB-MJHT");
    expect(inText("認証コード：４８２９１３")).to.equal("482913");
    expect(inText("رمز التحقق: ٤٨٢٩١٣")).to.equal("482913");
  });

  it("is found in tables and in the alternative texts of pictures", () => {
    expect(
      inHtml("<p>Your code to sign in</p><table><tr><td>4</td><td>8</td><td>2</td><td>9</td></tr></table>"),
    ).to.equal("4829");
    expect(inHtml("<p>Security code</p><img src=x alt='482 913'>")).to.equal("482913");
    expect(inHtml("<p>Security code</p><b>48</b><b>29</b><b>13</b>")).to.equal("482913");
  });

  it("is not looked for in what a tag hides", () => {
    for (const hiding of ["hidden", 'style="color:red; DISPLAY : none"', "style='visibility:hidden'"]) {
      const hidden = `<div ${hiding}><div>Your login code: 999999</div><a href=https://a.example/>Confirm</a></div>`;
      const { code, link } = findCode({ subject: "", text: "", html: `<p>Hello</p>${hidden}<p>Bye` });
      expect({ code, link }, hiding).to.eql({ code: null, link: null });
      expect(inHtml(`${hidden}<p>Your login code: 482913</p>`), hiding).to.equal("482913");
    }
    expect(inHtml("<td style='font-size:0px'><p>Your login code: 482913</p>")).to.equal("482913");
    expect(inHtml("<p>Your login code: <img hidden src=x>482913</p>")).to.equal("482913");
  });

  it("is none of the other numbers of a mail", () => {
    for (const other of [
      "48213 EUR",
      "#482913",
      "#4a2b3c",
      "12:30",
      "2026-05-04",
      "482,913",
      "+49 30 482913",
    ])
      expect(inText(`Verify your account. Your code expires soon. ${other}`), other).to.equal(null);
    expect(inText("Your verification code was sent to your phone. Order number: 482913")).to.equal(null);
    expect(inText("Your booking is confirmed. Confirmation code: HM4X9K2")).to.equal(null);
    expect(inText("Discount code: 482913. Log in to use it.")).to.equal(null);
    expect(inText("https://shop.example/verify?code=482913")).to.equal(null);
  });

  it("has no marks of direction, controls or markup", () => {
    expect(inText("Your login code: \u202e48\u200f29\u00ad13\u202c")).to.equal("482913");
    expect(inHtml("<p>Your login code: 48&#8206;29&#x200b;13</p>")).to.equal("482913");
    expect(inHtml("<p>Your login code: <script>999999</script>482913</p>")).to.equal("482913");
    const strange = inHtml("<p>Your login code: &lt;img src=x onerror=alert(1)&gt; 482913</p>");
    expect(strange).to.match(/^[0-9A-Za-z-]{4,17}$/);
  });

  it("is looked for in linear time", () => {
    const shapes: Readonly<Record<string, (times: number) => string>> = {
      "marks out of order": (times) => `${"\u0301".repeat(times)}${"\u0316".repeat(times)}`,
      "marks of half width": (times) => "\uff9e\u0301".repeat(times),
      "codes in a line": (times) => "482913; ".repeat(times / 4),
      "blanks in a tag": (times) => `<a ${"b ".repeat(times / 2)}>`,
    };
    for (const [name, shape] of Object.entries(shapes)) {
      expectLinear(name, readLimits.text / 2, (times) => inText(shape(times)));
      expectLinear(`${name} in HTML`, readLimits.html / 2, (times) => inHtml(shape(times)));
    }
  });

  it("is found in the beginning of a mail only", () => {
    const far = `${"word ".repeat(readLimits.text / 5)}\nYour login code: 482913`;
    expect(inText(far)).to.equal(null);
  });
});

describe("The confirmation link of a mail", () => {
  it("is the one whose words confirm something", () => {
    expect(
      linkIn(
        `<a href="https://a.example/1?x=1&amp;y=2">Verify your email</a> <a href="https://a.example/2">Help</a>`,
      ),
    ).to.equal("https://a.example/1?x=1&y=2");
  });

  it("is the address that a browser opens, in letters that can be told apart", () => {
    const opened = (attributes: string) => linkIn(`<a ${attributes}>Verify your email</a>`);
    expect(opened('href="https://a.example/?t&#x3D;1&#38;u=2"')).to.equal("https://a.example/?t=1&u=2");
    expect(opened('href="https://a.example&period;evil.example/"')).to.equal(null);
    expect(opened('href="https://a.example/?x&#x3D1"')).to.equal(null);
    expect(opened('href="https://p\u0430ypal.com/ä?q=é"')).to.equal(
      "https://xn--pypal-4ve.com/%C3%A4?q=%C3%A9",
    );
    expect(opened('href="HTTPS://A.Example:8443"')).to.equal("https://a.example:8443/");
    for (const unseen of ["\u001b[31m", "\u202e", "\u200b", "&#x202e;", "&#27;"])
      expect(opened(`href="https://a.example/${unseen}c"`), unseen).to.equal(null);
    expect(findCode({ subject: "", text: "Confirm: https://p\u0430ypal.com/c", html: "" }).link).to.equal(
      "https://xn--pypal-4ve.com/c",
    );
  });

  it("is that of its own tag, whatever else the tag says", () => {
    const opened = (attributes: string) => linkIn(`<a ${attributes}>Verify your email</a>`);
    const real = "https://a.example/1";
    expect(opened(`title=" href=https://evil.example/" href="${real}"`)).to.equal(real);
    expect(opened(`data-href="https://evil.example/" HREF = '${real}'`)).to.equal(real);
    expect(opened(`href=${real} href="https://evil.example/"`)).to.equal(real);
  });

  it("has the words that stand right before it, where it is an address alone", () => {
    const inLines = (text: string) => findCode({ subject: "", text, html: "" }).link;
    expect(inLines("Reset your password? No. Help: https://a.example/help")).to.equal(null);
    expect(inLines("Confirm: https://a.example/c, help: https://a.example/help")).to.equal(
      "https://a.example/c",
    );
    expect(inLines("Confirm your address:\nhttps://a.example/c")).to.equal("https://a.example/c");
    expect(inLines("Confirm: https://a.example/c\nHelp\nhttps://a.example/help")).to.equal(
      "https://a.example/c",
    );
    expect(inLines(`${"word ".repeat(100)}Confirm your address: https://a.example/c`)).to.equal(
      "https://a.example/c",
    );
    expect(
      linkIn(
        "<p>Confirm: <a href=https://a.example/c>https://a.example/c</a>, help: <a href=https://a.example/h>https://a.example/h</a>",
      ),
    ).to.equal("https://a.example/c");
  });

  it("keeps to its words beside characters that mark links here", () => {
    for (const mark of ["\ue000", "\ue001", "&#xE000;", "&#57344;", "&#x00e001;"])
      expect(
        linkIn(
          `${mark}<a href="https://a.example/help">Help</a> ${mark}<a href="https://a.example/c">Confirm</a>`,
        ),
        mark,
      ).to.equal("https://a.example/c");
  });

  it("is none where several do, or one confirms an order", () => {
    expect(
      linkIn("<a href=https://a.example/1>Confirm</a> <a href=https://a.example/2>Reset password</a>"),
    ).to.equal(null);
    expect(
      linkIn("<a href=https://a.example/1>Confirm</a> <a href=https://a.example/1>Confirm</a>"),
    ).to.equal("https://a.example/1");
    expect(linkIn("<a href=https://a.example/1>Confirm your order</a>")).to.equal(null);
  });

  it("opens a page and nothing else", () => {
    for (const url of [
      "javascript:alert(1)",
      "data:text/html,x",
      "https://user@a.example/",
      "//a.example/",
      "mailto:a@a.example",
    ])
      expect(linkIn(`<a href="${url}">Verify your email</a>`), url).to.equal(null);
    expect(linkIn(`<a href="https://a.example/${"x".repeat(readLimits.linkLength)}">Verify</a>`)).to.equal(
      null,
    );
  });
});

describe("Codes and links in the corpus", () => {
  it("are right in all mails that the finder was developed by", () => {
    const wrong = readCorpus("developed").filter((mail) => !isRight(mail));
    expect(wrong.map(({ language, subject, text, html }) => `${language} ${subject}: ${text}${html}`)).to.eql(
      [],
    );
  });

  it("are right in at least 95 % of the mails that were held back, and never found where there is none", () => {
    const mails = readCorpus("heldBack");
    const withCode = mails.filter(({ kind }) => kind === "code");
    const others = mails.filter(({ kind }) => kind !== "code");
    expect(withCode).to.have.lengthOf.at.least(150);
    expect(withCode.filter(isRight).length / withCode.length).to.be.at.least(0.95);
    expect(others.filter((mail) => findCode(mail).code !== null)).to.eql([]);
    const wrongLinks = mails.filter((mail) => ![mail.link, null].includes(findCode(mail).link));
    expect(wrongLinks).to.eql([]);
  });
});

describe("The page about codes", () => {
  it("tells how often they were right, by language", () => {
    const mails = readCorpus("heldBack");
    const rowOf = (name: string, some: readonly CorpusMail[]): string => {
      const ofKind = (kind: CorpusMail["kind"]) => some.filter((mail) => mail.kind === kind);
      const right = (kind: CorpusMail["kind"]) =>
        `${ofKind(kind).filter(isRight).length} of ${ofKind(kind).length}`;
      const others = some.filter(({ code }) => code === null);
      const found = others.filter((mail) => findCode(mail).code !== null);
      return `| ${name} | ${right("code")} | ${right("link")} | ${found.length} of ${others.length} |`;
    };
    const names = new Intl.DisplayNames(["en"], { type: "language" });
    const languages = [...new Set(mails.map(({ language }) => language))];
    const rows = [
      ...languages.map((language) =>
        rowOf(
          names.of(language) ?? language,
          mails.filter((mail) => mail.language === language),
        ),
      ),
      rowOf("All", mails),
    ];
    const page = readFileSync(new URL("../../../docs/codes.md", import.meta.url), "utf8");
    expect(page).to.contain(rows.join("\n"));
  });
});
