import { expect } from "chai";
import fc from "fast-check";
import { forwardedName, namesAnotherAddress } from "../../../core/mail/forwardedFrom.ts";

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
    expect(forwardedName({ name: "help@bank.example\r\nBcc: x", address: "evil@evil.example" })).to.equal(
      "help at bank.example Bcc: x - evil at evil.example",
    );
    expect(forwardedName({ name: "moc.knab\u202e\u2066 \u200fx", address: "a@b.example" })).to.equal(
      "moc.knab x - a at b.example",
    );
  });

  it("keeps other scripts and emoji, and shortens a name over 100 characters", () => {
    expect(forwardedName({ name: "Żółw 🐢 株式会社", address: "a@b.example" })).to.equal(
      "Żółw 🐢 株式会社 - a at b.example",
    );
    const [name] = forwardedName({ name: "🐢".repeat(500), address: "a@b.example" }).split(" - ");
    expect(Array.from(name ?? "")).to.have.lengthOf(100);
    expect(name?.endsWith("🐢…")).to.equal(true);
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
});
