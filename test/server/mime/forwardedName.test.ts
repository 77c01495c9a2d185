import { expect } from "chai";
import fc from "fast-check";
import { forwardedName, namesAnotherAddress } from "../../../server/mime/forwardedName.ts";
import { expectLinear } from "../../support/linearTime.ts";

describe("The sender's name on a forwarded mail", () => {
  it("is the sender's name and address, with the @ spelled out", () => {
    expect(forwardedName({ name: "Acme Shop", address: "orders@shop.example" })).to.equal(
      "Acme Shop - orders at shop.example",
    );
  });

  it("is the address alone where there is no name, or where the name only repeats the address", () => {
    expect(forwardedName({ name: "", address: "orders@shop.example" })).to.equal("orders at shop.example");
    expect(forwardedName({ name: "Orders@Shop.example", address: "orders@shop.example" })).to.equal(
      "orders at shop.example",
    );
  });

  it("is the name alone where there is no address, and a placeholder where there is neither", () => {
    expect(forwardedName({ name: "Acme Shop", address: "" })).to.equal("Acme Shop");
    expect(forwardedName({ name: " ", address: "" })).to.equal("Unknown sender");
  });

  it("contains no second address, no line break and no characters that reverse the text direction", () => {
    expect(forwardedName({ name: "help@evil.example\r\nBcc: x", address: "evil@evil.example" })).to.equal(
      "help at evil.example Bcc: x - evil at evil.example",
    );
    expect(forwardedName({ name: "moc.knab\u202e\u2066 \u200fx", address: "a@b.example" })).to.equal(
      "moc.knab x - a at b.example",
    );
  });

  it("keeps other scripts and emoji, and shortens a name over 70 characters, as readers count them", () => {
    expect(forwardedName({ name: "Żółw 🐢 株式会社", address: "a@b.example" })).to.equal(
      "Żółw 🐢 株式会社 - a at b.example",
    );
    const [name] = forwardedName({ name: "🐢".repeat(500), address: "a@b.example" }).split(" - ");
    expect(name).to.equal(`${"🐢".repeat(69)}…`);
    expect(forwardedName({ name: "👨‍👩‍👧".repeat(100), address: "a@b.example" })).to.match(
      /^(?:👨‍👩‍👧){10,69}… - /u,
    );
    const exact = "é".repeat(70);
    expect(forwardedName({ name: exact, address: "" })).to.equal(exact);
    expect(forwardedName({ name: `a${"\u0301".repeat(5_000)}`, address: "" }).length).to.be.below(300);
  });

  it("is shown with the mask's description, or as the address alone, and marked in each case", () => {
    const shop = { name: "Acme Shop", address: "orders@shop.example" };
    const described = { shown: "mask", description: "Shoes @ Acme" } as const;
    expect(forwardedName(shop, false, described)).to.equal("Acme Shop (Shoes at Acme)");
    expect(forwardedName(shop, true, described)).to.equal("[unverified] Acme Shop (Shoes at Acme)");
    expect(forwardedName({ ...shop, name: "" }, false, described)).to.equal(
      "orders at shop.example (Shoes at Acme)",
    );
    const address = { shown: "address", description: "Shoes" } as const;
    expect(forwardedName(shop, false, address)).to.equal("orders at shop.example");
    expect(forwardedName(shop, true, address)).to.equal("[unverified] orders at shop.example");
    expect(forwardedName({ name: "", address: "" }, false, described)).to.match(/^Unknown sender/);
  });

  it("names somebody else where it contains an address of another domain, however it is written", () => {
    const address = "eve@attack.example";
    for (const name of [
      "help@bank.example",
      "Help <help@bank.example>",
      "Help - help at bank.example",
      "help＠bank.example",
      "help (at) bank.example",
      "help @ bank.example via a list",
    ])
      expect(namesAnotherAddress({ name, address }), name).to.equal(true);
    expect(namesAnotherAddress({ name: "", address: '"help@bank.example"@attack.example' })).to.equal(true);
    for (const name of [
      "",
      "Eve",
      "eve@attack.example",
      "eve@mail.attack.example",
      "Eve at news.attack.example",
      "Shop @ Home",
      "Meet us at 9.30",
    ])
      expect(namesAnotherAddress({ name, address }), name).to.equal(false);
  });

  it("is one printable line without an @, for any header", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (name, address) => {
        const shown = forwardedName({ name, address });
        expect(shown).not.to.match(/[@\p{Cc}\p{Surrogate}]/u);
        expect(shown.trim()).to.equal(shown).and.not.equal("");
        expect(shown.length).to.be.lessThan(1_000);
      }),
    );
  });

  it("never shows an address or a host of another domain, in whatever characters it is written", () => {
    const address = "x@evil.test";
    const texts = [
      "service at bank.test",
      "service@bank.test",
      "Bank Service <service@bank.test>",
      "Service (at) bank.test",
      "[at] bank.test",
      "bank.com",
      "Login at www.bank.co.uk",
      "service at mail.bank.test - Bank",
      "service at bank (dot) com",
      "service at bank dot test",
      "service at bank . test",
    ];
    type Mutate = (text: string, at: number) => string;
    const insert =
      (piece: string): Mutate =>
      (text, at) =>
        Array.from(text).toSpliced(at, 0, piece).join("");
    const replaceAll =
      (from: string, to: string): Mutate =>
      (text) =>
        text.replaceAll(from, to);
    const map =
      (toOther: (letter: string) => string): Mutate =>
      (text) =>
        Array.from(text, toOther).join("");
    const shifted = (first: number) => (letter: string) =>
      /[a-z]/.test(letter) ? String.fromCodePoint(first + letter.charCodeAt(0) - 0x61) : letter;
    const mutations: readonly Mutate[] = [
      ...[
        "\u200b",
        "\u200c",
        "\u200d",
        "\u00ad",
        "\u2060",
        "\ufeff",
        "\u034f",
        "\u180e",
        "\u3164",
        "\ufe0f",
      ].map(insert),
      ...["\u202e", "\u202d", "\u2066", "\u2069", "\u200e", "\u200f", "\u061c", "\u{e0061}", "\ufff9"].map(
        insert,
      ),
      ...["\u0301", "\u0336", "\u0323", "\u20dd"].map(
        (mark): Mutate =>
          (text, at) =>
            insert(mark)(text, Math.max(1, at)),
      ),
      ...["\u0430", "\u0251", "\u03b1", "\uff41", "\u24d0"].map((letter) => replaceAll("a", letter)),
      ...["\u0435", "\u212f", "\uff45"].map((letter) => replaceAll("e", letter)),
      ...["\u0455", "\uff53"].map((letter) => replaceAll("s", letter)),
      ...["\u0442", "\u03c4", "\u1d1b", "\uff54"].map((letter) => replaceAll("t", letter)),
      ...["\u043e", "\u03bf", "\u0585"].map((letter) => replaceAll("o", letter)),
      ...["\uff0e", "\u2024", "\ua4f8", "\u3002", "\uff61", "\u0660"].map((dot) => replaceAll(".", dot)),
      ...["\uff20", "\ufe6b"].map((sign) => replaceAll("@", sign)),
      ...["\u00a0", "\u2003", "\u202f", "\u3000", "\t", "\u2009"].map((space) => replaceAll(" ", space)),
      ...[0x1d41a, 0x1d44e, 0x1d5ba, 0x1d68a, 0xff41, 0x24d0].map((first) => map(shifted(first))),
      (text) => text.toUpperCase(),
      (text) => `Your bank, ${text}`,
      (text) => `${text}, your bank`,
      (text) => `${text} ${"\u200b".repeat(60)}`,
    ];
    const foreignHost = /b.{0,3}a.{0,3}n.{0,3}k/iu;
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.array(fc.tuple(fc.constantFrom(...mutations), fc.nat(20)), { maxLength: 3 }),
        fc.constantFrom("full", "mask"),
        (text, changes, shown) => {
          const name = changes.reduce((changed, [mutate, at]) => mutate(changed, at), text);
          const style = { shown, description: "Shoes" } as const;
          const seen = forwardedName({ name, address }, false, style).normalize("NFKD");
          expect(seen, JSON.stringify(name)).to.equal(
            shown === "full" ? "x at evil.test" : "x at evil.test (Shoes)",
          );
          expect(seen).not.to.match(foreignHost);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it("keeps honest names letter for letter, in any script", () => {
    const honest = [
      "Ada Lovelace",
      "O'Brien, Conan",
      "Dr. Jörg Bär",
      "J. R. R. Tolkien",
      "J.R.R. Tolkien",
      "Prof. Dr.-Ing. Müller-Lüdenscheidt",
      "Acme, Inc.",
      "Acme GmbH & Co. KG",
      "Shop @ Home".replace("@", "at"),
      "Node.js Weekly",
      "Anna at Work",
      "The U.S. Embassy",
      "St. Gallen Tourismus",
      "AT&T",
      "Yahoo!",
      "1&1 Kundenservice",
      "3M",
      "C++ Users Group",
      "Gal·la Placídia",
      "Vincent van 't Hoff",
      "Łukasz Żółw",
      "Nguyễn Văn Đức",
      "Søren Kierkegård",
      "Þórður Guðmundsson",
      "İbrahim Şahin",
      "Ελένη Παπαδοπούλου",
      "Александр Сергеевич Пушкин",
      "А. С. Пушкин",
      "А.С. Пушкин",
      "ООО Ромашка",
      "Олександр Ґудзь",
      "Ђорђе Петровић",
      "محمد بن سلمان",
      "می‌خواهم کتاب",
      "דוד בן־גוריון",
      "नरेन्द्र मोदी",
      "क्‍ष राम",
      "শেখ হাসিনা",
      "ஏ. ஆர். ரகுமான்",
      "ශ්‍රී ලංකා",
      "สมชาย ใจดี",
      "ស៊ីន សុីសាមុត",
      "ထွန်းထွန်း",
      "გიორგი მარგველაშვილი",
      "Արամ Խաչատրյան",
      "አበበ ቢቂላ",
      "株式会社アクメ",
      "葛\u{e0100}城市役所",
      "山田　太郎".replace("　", " "),
      "김철수",
      "王小明",
      "Żółw 🐢",
      "👨‍👩‍👧 Family",
      "❤️ Club",
      "1️⃣ First",
      "🏴󠁧󠁢󠁥󠁮󠁧󠁿 England",
      "Eve (attack.example)",
      "Attack.example",
      "news.attack.example",
      "Meet us at 9.30",
      "50.5 % off",
    ];
    expect(honest.length).to.be.at.least(40);
    for (const name of honest)
      expect(forwardedName({ name, address: "eve@attack.example" })).to.equal(
        `${name} - eve at attack.example`,
      );
    for (const [name, address, shown] of [
      ["Müller.de", "info@müller.de", "Müller.de - info at müller.de"],
      ["Müller.de", "info@xn--mller-kva.de", "Müller.de - info at xn--mller-kva.de"],
      ["Booking.com", "noreply@mail.booking.com", "Booking.com - noreply at mail.booking.com"],
      ["банк.рф", "info@банк.рф", "банк.рф - info at банк.рф"],
    ] as const)
      expect(forwardedName({ name, address })).to.equal(shown);
  });

  it("shows a domain that imitates another in its letters as DNS has it, and no name that imitates too", () => {
    const address = "x@b\u0430nk.com";
    const shown = "x at xn--bnk-6cd.com";
    expect(forwardedName({ name: "", address })).to.equal(shown);
    for (const name of ["bank.com", "b\u0430nk.com", "bank\ua4f8com"])
      expect(forwardedName({ name, address })).to.equal(shown);
  });

  it("is found in time linear in the length of what the sender writes", () => {
    for (const piece of [
      "a",
      "at ",
      "at@",
      "a.",
      "@a.",
      "\u0430",
      "a\u0301",
      "\u200d",
      "(at)",
      " dot ",
      "[.]",
      "👨‍👩‍👧",
      "\u{1f3f4}\u{e0061}",
    ])
      expectLinear(piece, 20_000, (times) =>
        forwardedName({ name: piece.repeat(times), address: "x@evil.test" }),
      );
  });
});
