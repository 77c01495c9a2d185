import { expect } from "chai";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { findOwnerHosts, findOwnerNames } from "../../../../server/features/replies/rewrite/ownerMarks.ts";
import { readReplyParts, UnreadableMail } from "../../../../server/features/replies/rewrite/replyParts.ts";
import { RevealingReply, writeReply } from "../../../../server/features/replies/rewrite/writeReply.ts";
import { createThreadIds } from "../../../../server/features/replies/threadIds.ts";
import { readHeaderBlock } from "../../../../server/mime/headerBlock.ts";
import { encodings, forms, owner, places, replyWith } from "./replyShapes.ts";

const shapes = 300;
const maskDomain = "masks.example";
const ids = createThreadIds(new Uint8Array(32).fill(1), maskDomain)("u1");

/** Returns the reply as it leaves; null when it is refused. */
const send = (content: Buffer): Buffer | null => {
  const header = readHeaderBlock(content);
  if (!header) throw new Error("no header");
  const mail = { content, header };
  try {
    const { head, pieces } = writeReply(mail, readReplyParts(mail), {
      maskEmail: "shop-1@masks.example",
      description: "",
      maskDomain,
      ownerAddresses: [owner.address],
      ownerNames: findOwnerNames(mail, [owner.address]),
      ownerHosts: findOwnerHosts(mail, [owner.address]),
      correspondents: new Map(),
      to: [{ name: "Bob", address: "bob@shop.example" }],
      cc: [],
      ids,
      random: cryptoRandom,
      now: 0,
    });
    return Buffer.concat([head, ...pieces]);
  } catch (error) {
    if (error instanceof RevealingReply || error instanceof UnreadableMail) return null;
    throw error;
  }
};

const unquoted = (text: string): string =>
  text
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** What every reader, and every curious person with a decoder, may find in a mail. */
const readings = async (content: Buffer): Promise<string> => {
  const raw = content.toString("latin1");
  const mail = await PostalMime.parse(content);
  const parts = mail.attachments.flatMap(({ content: part, ...fields }) => {
    const bytes = typeof part === "string" ? Buffer.from(part) : Buffer.from(new Uint8Array(part));
    return [JSON.stringify(fields), bytes.toString("utf8"), bytes.toString("utf16le")];
  });
  const inBase64 = (raw.match(/(?:[A-Za-z0-9+/]{4,76}={0,2}(?:\r\n|$))+/gm) ?? []).map((block) =>
    Buffer.from(block, "base64").toString("utf8"),
  );
  const words = JSON.stringify([mail.headers, mail.from, mail.to, mail.subject]);
  const all = [raw, unquoted(raw), words, mail.text ?? "", mail.html ?? "", ...parts, ...inBase64].join("\n");
  return [all, all.replace(/<[^<>]*>/g, "")]
    .map((text) =>
      [1, 2, 3]
        .reduce(
          (one) =>
            one
              .replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
                String.fromCharCode(Number.parseInt(hex, 16)),
              )
              .replace(/&amp;/gi, "&")
              .replace(/&commat;|&#0*64;|&#x0*40;|\\u0040|\\'40/gi, "@")
              .replace(/&period;|&#0*46;/gi, ".")
              .replace(/&shy;|[\u00ad\u200b\u2060]/gi, ""),
          text,
        )
        .normalize("NFKC")
        .toLowerCase()
        .replace(/[\s>]+/g, " "),
    )
    .join("\n");
};

describe("A reply in any shape", () => {
  it(`shows nothing of its owner in ${shapes} shapes: places, encodings and writings of the address`, async () => {
    const refused: string[] = [];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(places)),
        fc.constantFrom(...Object.keys(forms)),
        fc.constantFrom(...Object.keys(encodings)),
        async (place, form, encoding) => {
          const [write, address, coding] = [places[place], forms[form], encodings[encoding]];
          if (!write || address === undefined || !coding) throw new Error("no such shape");
          const sent = send(replyWith(write, address, coding));
          if (!sent) {
            refused.push(`${place}, ${form}, ${encoding}`);
            return;
          }
          const found = await readings(sent);
          expect(found, `${place}, ${form}, ${encoding}\n${sent}`).not.to.match(
            /lovelace|home\W{0,3}(?:dot\W*)?example/,
          );
          expect(found).to.contain("yes");
        },
      ),
      { seed: 2026, numRuns: shapes },
    );
    const surprising = refused.filter((one) => !/^(?:fragment of a mail|mail to be fetched)/.test(one));
    expect(surprising.join("\n"), "refused").to.equal("");
  });

  it("is sent with what an honest owner writes: their name, their provider's name, addresses of others", async () => {
    const words = [
      "Best wishes, Ada Lovelace",
      "I am with home.example, a fine provider; see https://home.example/prices",
      "ask carol@home.example or mary-ada.lovelace@home.example",
      "ada.lovelace is my name elsewhere",
    ];
    const text = words.join("\r\n");
    const page = `<p>${words.map((one) => one.replace(/https?:\S+/, (url) => `<a href="${url}">${url}</a>`)).join("<br>\r\n")}</p>`;
    for (const [type, body] of [
      ["text/plain", text],
      ["text/html", page],
      ["text/markdown", text],
    ] as const) {
      const place = () => ({ fields: [`Content-Type: ${type}`], text: body });
      const sent = send(replyWith(place, "", encodings["base 64"] ?? ["", String]));
      expect(sent, type).not.to.equal(null);
      const { text: shown = "", html = "", attachments } = await PostalMime.parse(sent ?? "");
      const files = attachments.map(({ content }) =>
        Buffer.from(new Uint8Array(content as ArrayBuffer)).toString(),
      );
      const all = [shown, html, ...files].join("\n");
      for (const one of words) expect(all, type).to.contain(one.replace(/see https.*/, "see "));
      expect(all).to.contain("https://home.example/prices");
    }
  });

  it("keeps the bytes of files that show nothing, and a name of theirs that does not either", async () => {
    const files: readonly (readonly [string, string, Buffer])[] = [
      ["application/pdf", "Offer 2026 (final).pdf", Buffer.from([0x25, 0x50, 0x44, 0x46, 0, 1, 2, 255])],
      ["text/csv", "Preise für März.csv", Buffer.from("a;b\n1;2\n")],
      ["text/html", "page.html", Buffer.from("<html><script>let a = 1;</script></html>\n")],
      ["application/octet-stream", "x.bin", Buffer.from([0, 10, 13, 10, 46, 10])],
    ];
    for (const [type, name, bytes] of files) {
      const disposition = `Content-Disposition: attachment; filename*=utf-8''${encodeURIComponent(name)}`;
      const place = () => ({
        fields: [`Content-Type: ${type}`, disposition],
        text: bytes.toString("latin1"),
        charset: "latin1" as const,
      });
      const sent = send(replyWith(place, "", encodings["base 64"] ?? ["", String]));
      const [file] = (await PostalMime.parse(sent ?? "")).attachments;
      expect([file?.filename, file?.mimeType]).to.deep.equal([name, type]);
      expect(Buffer.from(new Uint8Array(file?.content as ArrayBuffer)).equals(bytes), name).to.equal(true);
    }
  });

  it("is sent in each place, with at most the two that cannot be read refused", () => {
    for (const [place, write] of Object.entries(places)) {
      const isRefused = send(replyWith(write, owner.address, encodings["base 64"] ?? ["", String])) === null;
      expect(isRefused, place).to.equal(/^(?:fragment of a mail|mail to be fetched)$/.test(place));
    }
  });
});
