import { expect } from "chai";
import fc from "fast-check";
import { isLeft, isRight } from "fp-ts/lib/Either.js";
import type { ImportedMask } from "../../../core/account/importSources.ts";
import { readImport } from "../../../core/account/readImport.ts";

const read = (text: string) => {
  const outcome = readImport(text);
  if (isLeft(outcome)) throw new Error(outcome.left);
  return outcome.right;
};
const masks = (text: string): readonly ImportedMask[] =>
  read(text).rows.flatMap((row) => (row.kind === "mask" ? [row.mask] : []));

describe("A list of masks", () => {
  it("of SimpleLogin is read: note, whether it is on, and its mailboxes", () => {
    const csv =
      'alias,note,enabled,mailboxes\r\nshop.x1@slmail.example,"Corner Shop, the ""good"" one",True,ada@example.org second@example.org\r\nnews@slmail.example,,False,ada@example.org\r\n';
    expect(read(csv).source).to.equal("SimpleLogin");
    expect(masks(csv)).to.deep.equal([
      {
        address: "shop.x1@slmail.example",
        description: 'Corner Shop, the "good" one',
        forwardTo: "ada@example.org",
        isActive: true,
        own: { fields: {}, rules: [], destinations: ["ada@example.org", "second@example.org"], leftOut: [] },
      },
      {
        address: "news@slmail.example",
        description: "news@slmail.example",
        forwardTo: "ada@example.org",
        isActive: false,
      },
    ]);
  });

  it("of SimpleLogin is read without mailboxes, and from its data file", () => {
    expect(masks("alias,note,enabled\nx@slmail.example,Shop,true")[0]).to.include({ forwardTo: null });
    const data = { aliases: [{ email: "x@slmail.example", enabled: false, note: null, name: "Shop" }] };
    expect(read(JSON.stringify(data)).source).to.equal("SimpleLogin");
    expect(masks(JSON.stringify(data))).to.deep.equal([
      { address: "x@slmail.example", description: "Shop", forwardTo: null, isActive: false },
    ]);
  });

  it("of addy.io is read, and deleted addresses are skipped with a reason", () => {
    const csv = [
      "id,user_id,aliasable_id,aliasable_type,local_part,extension,domain,email,active,description,emails_forwarded,created_at,updated_at,deleted_at",
      "1,2,,,shop,,ada.anonaddy.example,shop@ada.anonaddy.example,1,Corner Shop,3,2024-01-01 10:00:00,2024-01-01 10:00:00,",
      "2,2,,,old,,ada.anonaddy.example,old@ada.anonaddy.example,0,,0,2024-01-01 10:00:00,2024-01-01 10:00:00,2024-02-01 10:00:00",
    ].join("\n");
    expect(read(csv).source).to.equal("addy.io");
    expect(read(csv).rows).to.deep.equal([
      {
        at: 2,
        kind: "mask",
        mask: {
          address: "shop@ada.anonaddy.example",
          description: "Corner Shop",
          forwardTo: null,
          isActive: true,
        },
      },
      { at: 3, kind: "problem", address: "old", message: "It was deleted there." },
    ]);
  });

  it("of Firefox Relay is read: the description, or else where the address was created or used", () => {
    const list = [
      { full_address: "a1@mozmail.example", enabled: true, description: "Shop", generated_for: "" },
      { full_address: "b2@mozmail.example", enabled: false, description: "", generated_for: "news.example" },
      { full_address: "c3@mozmail.example", enabled: true, description: "", generated_for: "", used_on: "" },
    ];
    expect(read(JSON.stringify(list)).source).to.equal("Firefox Relay");
    expect(
      masks(JSON.stringify(list)).map(({ description, isActive }) => [description, isActive]),
    ).to.deep.equal([
      ["Shop", true],
      ["news.example", false],
      ["c3@mozmail.example", true],
    ]);
  });

  it("of this product is read, as CSV and as JSON", () => {
    const csv =
      "mask,description,forward_to,active,spam_filter,created\nx@masks.example,Shop,ada@example.org,false,true,2026-11-01T10:00:00.000Z\n";
    const json = JSON.stringify({
      format: "bauta-export",
      masks: [
        {
          maskEmail: "x@masks.example",
          description: "Shop",
          forwardTo: "ada@example.org",
          active: false,
          settings: { spamFilter: true },
        },
      ],
    });
    const expected = {
      address: "x@masks.example",
      description: "Shop",
      forwardTo: "ada@example.org",
      isActive: false,
      own: { fields: { spamFilter: true }, rules: [], leftOut: [] },
    };
    for (const text of [csv, json]) {
      expect(read(text).source).to.equal("Bauta");
      expect(masks(text)).to.deep.equal([expected]);
    }
  });

  it("has descriptions on one line, cut to 200 characters", () => {
    const [mask] = masks(`alias,note,enabled\nx@y.example,"${"a\n".repeat(150)}",true`);
    expect(mask?.description).to.have.length(200);
    expect(mask?.description).to.match(/^(a )+…?$|^[a ]+…$/);
  });

  for (const [what, text, sentence] of [
    ["empty", "", /no masks in this file/],
    ["another table", "name,price\nchair,3", /not a list of masks that can be imported/],
    ["a letter", "Dear Ada", /not a list of masks that can be imported/],
    ["half a document", '{"masks":[{"email":"a@y.exa', /damaged or incomplete/],
    ["an empty list", "[]", /no masks in this file/],
    ["a number", "42", /not a list of masks that can be imported/],
    ["too many rows", `alias,note,enabled\n${"x@y.example,,true\n".repeat(10_001)}`, /at most 10,000 masks/],
    ["too much text", "x".repeat(20_000_001), /too long/],
  ] as const)
    it(`that is ${what} is refused with a message`, () => {
      const outcome = readImport(text);
      expect(isLeft(outcome) && outcome.left).to.match(sentence);
    });

  it("is read or refused without an exception, for any text", () => {
    const cell = fc.string({ unit: "binary", maxLength: 30 });
    const columns = fc.shuffledSubarray([
      "alias",
      "note",
      "enabled",
      "email",
      "active",
      "local_part",
      "full_address",
    ]);
    fc.assert(
      fc.property(columns, fc.array(fc.array(cell, { maxLength: 8 })), (head, rows) => {
        const outcome = readImport([head, ...rows].map((row) => row.join(",")).join("\n"));
        if (isRight(outcome))
          for (const row of outcome.right.rows)
            if (row.kind === "mask") expect(row.mask.description.length).to.be.within(1, 200);
      }),
    );
    fc.assert(fc.property(fc.json(), (json) => void readImport(json)));
  });
});
