import { expect } from "chai";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { toAnswerable } from "../../../../core/mail/answerableAddress.ts";
import { writeListMail } from "../../../../server/features/unsubscribe/listMail.ts";
import { readListTargets } from "../../../../server/features/unsubscribe/listTarget.ts";
import { createMailingLists } from "../../../../server/features/unsubscribe/mailingLists.ts";
import { createWriteUnsubscribe } from "../../../../server/features/unsubscribe/unsubscribeFields.ts";
import {
  createUnsubscribeLinks,
  type ListTarget,
} from "../../../../server/features/unsubscribe/unsubscribeLinks.ts";
import { readHeaderBlock } from "../../../../server/mime/headerBlock.ts";
import { createKeyedHash } from "../../../../server/platform/ops/keyedHash.ts";
import { createSeal } from "../../../../server/platform/ops/secrets.ts";
import { expectLinear } from "../../../support/linearTime.ts";
import { secrets } from "../../support/secrets.ts";

const own = { publicUrl: "https://mail.masks.example", maskDomain: "masks.example" };
const oneClick = "List-Unsubscribe-Post: List-Unsubscribe=One-Click";

const mailWith = (...lines: readonly (string | Buffer)[]) => {
  const header = lines.map((line) => Buffer.concat([Buffer.from(line), Buffer.from("\r\n")]));
  const content = Buffer.concat([...header, Buffer.from("From: a@b.example\r\n\r\nHello\r\n")]);
  const block = readHeaderBlock(content);
  if (!block) throw new Error("the header cannot be read");
  return { content, header: block };
};
/** The domain that has signed what the list asks for. */
const signers = { links: ["news.lists.example"], oneClick: ["news.lists.example"] };
const targetsOf = (value: string | Buffer, ...more: readonly string[]): readonly ListTarget[] =>
  readListTargets(
    mailWith(Buffer.concat([Buffer.from("List-Unsubscribe: "), Buffer.from(value)]), ...more),
    signers,
    own,
  );
const best = (value: string, ...more: readonly string[]) => targetsOf(value, ...more)[0] ?? null;

describe("The way in which a mailing list is left", () => {
  it("is one click where the list offers it, then a mail, then its page", () => {
    const both = "<mailto:leave@lists.example?subject=x>, <https://lists.example/u>";
    expect(best(both, oneClick)?.way).to.deep.equal({ kind: "one-click", url: "https://lists.example/u" });
    expect(best(both)).to.deep.equal({
      way: { kind: "mail", to: "leave@lists.example", subject: "x", body: "" },
      page: "https://lists.example/u",
      isProven: true,
    });
    expect(best("<https://lists.example/u>")?.way.kind).to.equal("page");
    expect(best("<mailto:leave@lists.example>", oneClick)?.way.kind).to.equal("mail");
    const twice = [oneClick, oneClick];
    expect(best("<https://lists.example/u>", ...twice)?.way.kind, "two offers").to.equal("page");
    expect(best("<https://lists.example/u>", "List-Unsubscribe-Post: yes")?.way.kind).to.equal("page");
  });

  it("is proven where the domain that gets it, or its owner's, has signed the field", () => {
    const isProven = (value: string, links: readonly string[], clickers = links): boolean =>
      readListTargets(mailWith(`List-Unsubscribe: ${value}`, oneClick), { links, oneClick: clickers }, own)[0]
        ?.isProven === true;
    const [url, mail] = ["<https://u.lists.example/1>", "<mailto:leave@lists.example>"];
    for (const value of [url, mail])
      for (const signer of ["lists.example", "news.lists.example"])
        expect(isProven(value, [signer]), `${value} by ${signer}`).to.equal(true);
    for (const value of [url, mail])
      for (const signer of ["shop.example", "example", "xlists.example", "lists.example.shop.example"])
        expect(isProven(value, [signer]), `${value} by ${signer}`).to.equal(false);
    expect(isProven("<mailto:leave@one.github.io>", ["two.github.io"]), "two owners").to.equal(false);
    expect(isProven(url, ["lists.example"], []), "the offer is not covered").to.equal(false);
    expect(isProven(`<https://shop.example/>, ${mail}`, ["lists.example"]), "the proven way first").to.equal(
      true,
    );
    expect(
      readListTargets(mailWith(`List-Unsubscribe: ${mail}`), null, own)[0]?.isProven,
      "unchecked",
    ).to.equal(undefined);
  });

  it("is found in encoded words and in addresses of odd form", () => {
    const words =
      "=?utf-8?q?=3Cmailto=3Aunsub-123=40li?=\r\n =?utf-8?q?sts=2Eexample=3Fsubj?=\r\n =?utf-8?q?ect=3Du=3E?=";
    expect(best(words)?.way).to.deep.equal({
      kind: "mail",
      to: "unsub-123@lists.example",
      subject: "u",
      body: "",
    });
    const long = `u+${"0123456789abcdef".repeat(6)}@lists.example`;
    expect(best(`<mailto:${long}>`)?.way).to.deep.equal({ kind: "mail", to: long, subject: "", body: "" });
  });

  for (const hostile of [
    "<javascript:alert(1)>",
    "<data:text/html,x>",
    "<http://lists.example/u>",
    "<https://lists.example:8443/u>",
    "<https://lists.example:25/u>",
    "<https://me:secret@lists.example/u>",
    "<https://127.0.0.1/u>",
    "<https://127.1/u>",
    "<https://0x7f000001/u>",
    "<https://2130706433/u>",
    "<https://[::1]/u>",
    "<https://[::ffff:10.0.0.1]/u>",
    "<https://localhost/u>",
    "<https://mail.masks.example/mask-unsubscribe/x>",
    "<https://>",
    "<mailto:>",
    "<mailto:nobody>",
    "<mailto:someone@masks.example>",
    "<mailto:re-abc@sub.masks.example>",
    "<mailto:a@b.example%0d%0aBcc:x@y.example>",
    `<mailto:leave@lists.example?subject=${"x".repeat(201)}>`,
    `<mailto:leave@lists.example?body=${"x".repeat(1_001)}>`,
    "nothing",
    "",
  ])
    it(`is none for ${hostile.slice(0, 60)}`, () => {
      expect(targetsOf(hostile, oneClick)).to.deep.equal([]);
    });

  it("is none where the field stands twice, as the list has one", () => {
    const field = "List-Unsubscribe: <https://lists.example/u>";
    expect(readListTargets(mailWith(field, field, oneClick), signers, own)).to.deep.equal([]);
  });

  it("takes a subject and a text from a link, and no field", async () => {
    const way = best(
      "<mailto:leave@lists.example?subject=a%0d%0aBcc:%20x@y.example&body=b%0d%0a.%0d%0ac&bcc=z@y.example&from=me@home.example>",
    )?.way;
    if (way?.kind !== "mail") throw new Error("no mail");
    const { head, pieces } = writeListMail(
      way,
      { maskEmail: "m@masks.example", maskDomain: "masks.example", now: 0 },
      cryptoRandom,
    );
    const names = Array.from(head.toString().matchAll(/^([\w-]+):/gm), ([, name]) => name);
    expect(names).to.deep.equal([
      "From",
      "To",
      "Subject",
      "Date",
      "Message-ID",
      "MIME-Version",
      "Content-Type",
      "Content-Transfer-Encoding",
    ]);
    const { subject, to, bcc, text } = await PostalMime.parse(Buffer.concat([head, ...pieces]));
    expect([subject, to?.length, bcc, text?.trim()]).to.deep.equal([
      "a Bcc: x@y.example",
      1,
      undefined,
      "b\n.\nc",
    ]);
  });

  const links = createUnsubscribeLinks(createSeal(secrets.sealing, cryptoRandom), own.publicUrl);
  const lists = createMailingLists(
    createKeyedHash(secrets.hashing),
    createSeal(secrets.sealing, cryptoRandom),
  );
  const write = createWriteUnsubscribe(links, lists, own);
  const route = { userId: "user", maskId: "mask", unsubscribe: "through-mask" } as const;

  it("fits on a line of a header, or stays as the list wrote it", () => {
    const fieldsOf = (value: string) =>
      write({ ...mailWith(`List-Unsubscribe: ${value}`, oneClick), signers, sender: null, now: 0 }, route)
        .fields;
    const long = `https://lists.example/${"x".repeat(900)}`;
    expect(fieldsOf(`<${long}>`)).to.equal(null);
    const byMail = fieldsOf(`<${long}>, <mailto:leave@lists.example>`);
    const opened = links.open(byMail?.url.split("/").at(-1) ?? "", 0);
    expect(opened?.target).to.deep.equal({
      way: { kind: "mail", to: "leave@lists.example", subject: "", body: "" },
      page: null,
      isProven: true,
    });
    for (let length = 1; length < 900; length += 1) {
      const text = fieldsOf(`<https://lists.example/${"x".repeat(length)}>`)?.text ?? "";
      expect(Math.max(...text.split("\r\n").map((line) => line.length))).to.be.at.most(998);
    }
  });

  it("names nothing but public names and addresses, whatever the field contains", () => {
    const piece = fc.oneof(
      fc.constantFrom("<", ">", "https://", "mailto:", "?subject=", "&body=", "%0d%0a", "@", ",", ".", ":"),
      fc.constantFrom(
        "lists.example",
        "127.0.0.1",
        "[::1]",
        "masks.example",
        "\r\n ",
        "\u0000",
        "é",
        "=?utf-8?",
      ),
      fc.webUrl(),
      fc.emailAddress(),
      fc.string({ maxLength: 20 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const value = pieces.join("").replaceAll(/\r\n(?! )|[\r\n](?!\n? )/g, "");
        for (const { way, page } of targetsOf(
          `<https://${value}>, <mailto:${value}>, <${value}>`,
          oneClick,
        )) {
          for (const url of [way.kind === "mail" ? null : way.url, page]) {
            if (url === null) continue;
            const { protocol, port, hostname } = new URL(url);
            expect([protocol, port]).to.deep.equal(["https:", ""]);
            expect(hostname).to.match(/\.[a-z0-9-]*[a-z][a-z0-9-]*$/);
            expect(url).to.match(/^[\x21-\x7e]+$/);
          }
          if (way.kind !== "mail") continue;
          expect(toAnswerable(way.to)).to.equal(way.to);
          expect(way.subject).not.to.match(/\p{Cc}/u);
        }
      }),
    );
  });

  it("is found in time linear in the links and bytes of the field", () => {
    const fields: readonly (readonly [before: string, piece: string, after: string, times: number])[] = [
      ["", "<https://lists.example/u>,", "", 15_000],
      ["", "<mailto:a@b.example>,", "", 15_000],
      ["", "<", "", 400_000],
      ["<mailto:", "a@b.example,", ">", 5_000],
      ["<mailto:a@b.example?", "subject=x&", ">", 6_000],
      ["<https://", "a.", "example/>", 30_000],
      ["<https://lists.example/", "%", ">", 60_000],
    ];
    for (const [before, piece, after, most] of fields)
      expectLinear(`${before}${piece}`, most, (times) =>
        targetsOf(`${before}${piece.repeat(times)}${after}`, oneClick),
      );
  });
});
