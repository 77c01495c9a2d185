import { expect } from "chai";
import fc from "fast-check";
import addressparser from "nodemailer/lib/addressparser";
import { addressParser, decodeWords } from "postal-mime";
import { parseAuthor } from "../../../server/mime/author.ts";
import { expectLinear } from "../../support/linearTime.ts";

const word = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`;

describe("The author of a mail", () => {
  it("is the one address in From, with its name, in every form that honest programs write", () => {
    for (const [value, name, address] of [
      ["orders@shop.example", "", "orders@shop.example"],
      [" <orders@shop.example> ", "", "orders@shop.example"],
      ["orders@shop.example;", "", "orders@shop.example"],
      ["Acme, Inc. <orders@shop.example>", "Acme, Inc.", "orders@shop.example"],
      ['"Shop, Acme" <orders@shop.example>', "Shop, Acme", "orders@shop.example"],
      ["orders@shop.example (Acme Shop)", "Acme Shop", "orders@shop.example"],
      ["orders@shop.example <orders@shop.example>", "orders@shop.example", "orders@shop.example"],
      ["Acme orders@shop.example", "Acme", "orders@shop.example"],
      ["Support: Acme <orders@shop.example>", "Support: Acme", "orders@shop.example"],
      ["Team: A <a@shop.example>;", "Team: A", "a@shop.example"],
      [`${word("Żółw ")} ${word("株")} <a@shop.example>`, "Żółw 株", "a@shop.example"],
      ['"foo..bar"@docomo.example', "", '"foo..bar"@docomo.example'],
      ['<"foo bar"@docomo.example>', "", '"foo bar"@docomo.example'],
      ['"foo bar"@docomo.example', "", '"foo bar"@docomo.example'],
      ["foo..bar.@docomo.example", "", "foo..bar.@docomo.example"],
      ["Phone <foo@docomo.example.>", "Phone", "foo@docomo.example"],
      ["foo@docomo.example.", "", "foo@docomo.example"],
      ["root <root@[192.0.2.1]>", "root", "root@[192.0.2.1]"],
      ["Żółw <żółw@müller.example>", "Żółw", "żółw@müller.example"],
    ] as const)
      expect(parseAuthor(value), value).to.deep.equal({ kind: "one", sender: { name, address } });
  });

  it("is nobody where no address stands in From", () => {
    for (const [value, name] of [
      ["", ""],
      ["<>", ""],
      ["undisclosed:;", "undisclosed"],
      ["root", "root"],
      ["MAILER-DAEMON (Mail Delivery System)", "MAILER-DAEMON"],
    ] as const)
      expect(parseAuthor(value), value).to.deep.equal({ kind: "none", name });
  });

  it("is not clear where a reader or a program could take another address for it", () => {
    const [victim, attacker] = ["admin@bank.test", "eve@attack.test"];
    for (const value of [
      `<${victim}>, <${attacker}>`,
      `<${attacker}>; <${victim}>`,
      `${word(victim)},<${attacker}>`,
      `${word(`Help <${victim}>`)},<${attacker}>`,
      `"${victim}", <${attacker}>`,
      `Help: ${victim}, ${attacker};`,
      `"${victim}": <${attacker}>, b@attack.test;`,
      `<${victim}>${attacker}`,
      `<${victim}> <${attacker}>`,
      `<${victim}<${attacker}>`,
      `${victim} ${attacker}`,
      `${victim}(<${attacker}>`,
      `"${victim} <${attacker}>`,
      `<${victim}(.attack.test)>`,
      `<@attack.test,@any.test:${victim}>`,
      `"${victim}"@attack.test`,
      `<"${victim}"@attack.test>`,
      `"${victim}" ${attacker}`,
      word(victim),
      word(`Help <${victim}>`),
      `"${victim}"`,
      `<${word("admin")}@bank.test>`,
      "admin@ba\u200bnk.test",
      `\uff20${word(" ")}, <${attacker}>`,
      `<${victim}\\, <${attacker}>`,
      `<${victim}`,
      `(${victim}`,
      `<">;${victim}`,
      `${victim} <>Bob`,
      `(\\)<${victim}>)<${attacker}>`,
      `:${victim}(;)<${attacker}>`,
      `:";"<${attacker}>`,
      `<${attacker}>:"${victim}"`,
      `<${attacker}>:]"${victim}"`,
      `<a(b>, ${victim}`,
    ])
      expect(parseAuthor(value), value).to.deep.equal({ kind: "ambiguous" });
  });

  it("is nobody else to the parser of the sender check and to that of mail programs, whatever stands in From", () => {
    const addresses = ["a@b.test", "eve@attack.test", "x@y.test"];
    const piece = fc.oneof(
      fc.constantFrom(...addresses, ...addresses.map((one) => `<${one}>`), ...addresses.map(word)),
      fc.constantFrom(
        '"',
        "(",
        ")",
        "<",
        ">",
        ",",
        ";",
        ":",
        "\\",
        " ",
        "@",
        "Bob",
        "=?",
        "[",
        "]",
        "\t",
        "é",
      ),
    );
    let accepted = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const value = pieces.join("");
        const author = parseAuthor(value);
        if (author.kind !== "one") return;
        accepted += 1;
        const { address } = author.sender;
        const byChecks = addressparser(value.trim(), { flatten: true }).map((one) => one.address ?? "");
        const byPrograms = addressParser(value, { flatten: true }).map((one) => one.address ?? "");
        for (const read of [byChecks, byPrograms])
          expect(
            read.filter((one) => decodeWords(one).includes("@") && one !== address),
            value,
          ).to.deep.equal([]);
      }),
      { numRuns: 20_000, seed: 2026 },
    );
    expect(accepted).to.be.above(500);
  });

  it("is read in time linear in the length of From", () => {
    for (const piece of [
      "a:",
      "a,",
      '"',
      '\\"',
      "(",
      "(a)",
      "<",
      "<a>",
      "a@b ",
      " ",
      "=?utf-8?Q?a?=",
      "=?",
      "@",
    ])
      expectLinear(piece, 20_000, (times) => parseAuthor(piece.repeat(times)));
  });
});
