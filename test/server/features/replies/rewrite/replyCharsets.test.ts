import { expect } from "chai";
import PostalMime from "postal-mime";
import { cryptoRandom } from "../../../../../adapters/system/clockAndRandom.ts";
import { readReplyParts } from "../../../../../server/features/replies/rewrite/replyParts.ts";
import { writeReply } from "../../../../../server/features/replies/rewrite/writeReply.ts";
import { createThreadIds } from "../../../../../server/features/replies/threadIds.ts";
import { readHeaderBlock } from "../../../../../server/mime/headerBlock.ts";

const owner = "ada.lovelace@home.example";
const mask = "shop-1@masks.example";
const ids = createThreadIds(new Uint8Array(32).fill(1), "masks.example")("u1");

/** Returns a reply with these bytes as its text, as it leaves. */
const send = (fields: readonly string[], body: string): Buffer => {
  const content = Buffer.from([`From: ${owner}`, ...fields, "", body, ""].join("\r\n"), "latin1");
  const header = readHeaderBlock(content);
  if (!header) throw new Error("no header");
  const mail = { content, header };
  const { head, pieces } = writeReply(mail, readReplyParts(mail), {
    maskEmail: mask,
    description: "",
    maskDomain: "masks.example",
    ownerAddresses: [owner],
    ownerNames: [],
    ownerHosts: [],
    correspondents: new Map(),
    to: [{ name: "Bob", address: "bob@shop.example" }],
    cc: [],
    ids,
    random: cryptoRandom,
    now: 0,
  });
  return Buffer.concat([head, ...pieces]);
};

/** The bytes of the text of a mail in quoted-printable or base 64, and its type. */
const written = (mail: Buffer): { readonly type: string; readonly bytes: string } => {
  const [head = "", body = ""] = mail.toString("latin1").split("\r\n\r\n", 2);
  const bytes = /: base64/.test(head)
    ? Buffer.from(body, "base64").toString("latin1")
    : body
        .replace(/=\r\n/g, "")
        .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return {
    type: /^Content-Type: (.*)$/m.exec(head.replace(/\r\n /g, " "))?.[1]?.trim() ?? "",
    bytes: bytes.trim(),
  };
};

describe("The characters of a reply", () => {
  it("are decoded by the name of their set, code pages of DOS and what HTML names included", async () => {
    const dos = send(
      ["Subject: =?cp850?Q?Gr=81=E1e?=", "Content-Type: text/plain; charset=cp850"],
      `Gr\x81\xe1e von ${owner}`,
    );
    const mail = await PostalMime.parse(dos);
    expect([mail.subject, mail.text?.trim()]).to.deep.equal(["Grüße", `Grüße von ${mask}`]);
    const html = '<html><head><meta charset="iso-8859-2"></head><body><p>\xb1\xe6</p></body></html>';
    expect((await PostalMime.parse(send(["Content-Type: text/html"], html))).html).to.contain("ąć");
  });

  it("keep their bytes where their set is unknown, while addresses are replaced among them", async () => {
    const text = `Gr\xfc\xdfe \x81\x93\xa4 ${owner}`;
    const expected = `Gr\xfc\xdfe \x81\x93\xa4 ${mask}`;
    const cases: readonly (readonly [readonly string[], string])[] = [
      [[], "windows-1252"],
      [["Content-Type: text/plain; charset=us-ascii"], "windows-1252"],
      [["Content-Type: text/plain; charset=cp737"], "cp737"],
      [["Content-Type: text/plain; charset=unknown-8bit"], "unknown-8bit"],
      [["Content-Type: text/plain; charset=x-made-up"], "windows-1252"],
      [["Content-Type: text/plain; charset=cp500"], "windows-1252"],
    ];
    for (const [fields, charset] of cases)
      expect(written(send([...fields, "Content-Transfer-Encoding: 8bit"], text)), charset).to.deep.equal({
        type: `text/plain; charset=${charset}`,
        bytes: expected,
      });
    const latin1 = await PostalMime.parse(send([], "Gr\xfc\xdfe"));
    expect(latin1.text?.trim()).to.equal("Grüße");
  });

  it("are UTF-8 where they are that, named or not", () => {
    const utf8 = Buffer.from("Grüße").toString("latin1");
    for (const fields of [[], ["Content-Type: text/plain; charset=x-made-up"]])
      expect(written(send(fields, utf8)).type).to.match(/charset=utf-8$/);
  });
});
