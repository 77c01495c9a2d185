import { expect } from "chai";
import { readProviderFields, searchedBytes } from "../../../../server/features/mailbox/mailboxHeader.ts";

const own = "me@provider.example";

const recipientsOf = (lines: readonly string[], field: string | null = null) =>
  readProviderFields(Buffer.from(`${lines.join("\r\n")}\r\n\r\nHello\r\n`), { field, own }).recipients;

const senderOf = (...lines: readonly string[]) =>
  readProviderFields(Buffer.from(`${lines.join("\r\n")}\r\n\r\nHello\r\n`), { field: null, own }).sender;

describe("The recipients of a mail in a mailbox", () => {
  it("are named by the field that a provider's server writes", () => {
    for (const name of ["X-Original-To", "Envelope-To", "X-Envelope-To", "Delivered-To", "delivered-to"])
      expect(recipientsOf([`${name}: <shop@masks.example>`, "To: other@masks.example"]), name).to.deep.equal([
        ["shop@masks.example"],
      ]);
    expect(recipientsOf(["To: shop@masks.example"])).to.deep.equal([]);
  });

  it("are several in one field, or in fields one below the other", () => {
    expect(
      recipientsOf(["Envelope-To: a@masks.example,\r\n b@masks.example, A@masks.example"]),
    ).to.deep.equal([["A@masks.example", "b@masks.example"]]);
    expect(
      recipientsOf([
        "X-Envelope-To: a@masks.example",
        "X-Envelope-To: b@masks.example",
        "Received: by mx.provider.example",
        "X-Envelope-To: forged@masks.example",
      ]),
    ).to.deep.equal([["a@masks.example", "b@masks.example"]]);
  });

  it("are those of the topmost field: one of the sender's stands below", () => {
    expect(
      recipientsOf(["X-Original-To: a@masks.example", "Received: x", "X-Original-To: forged@masks.example"]),
    ).to.deep.equal([["a@masks.example"]]);
  });

  it("are those of the envelope before the mailbox that they were put into, which is no mask", () => {
    expect(
      recipientsOf(["Delivered-To: me@Provider.example", "X-Original-To: a@masks.example"]),
    ).to.deep.equal([["a@masks.example"]]);
    expect(recipientsOf(["Delivered-To: box@masks.example", "X-Original-To: a@masks.example"])).to.deep.equal(
      [["a@masks.example"], ["box@masks.example"]],
    );
  });

  it("are named by the field of the operator alone, where there is one", () => {
    const lines = ["Delivered-To: a@masks.example", "X-Delivered-To: b@masks.example"];
    expect(recipientsOf(lines, "x-delivered-to")).to.deep.equal([["b@masks.example"]]);
    expect(recipientsOf(lines, "x-forwarded-to")).to.deep.equal([]);
  });

  it("are not searched beyond the top of a mail, nor in what is no address", () => {
    expect(
      recipientsOf([`X-Long: ${"x".repeat(searchedBytes)}`, "Delivered-To: a@masks.example"]),
    ).to.deep.equal([]);
    expect(recipientsOf(["Delivered-To: nobody, <>, a@masks.example>, @, \u0000"])).to.deep.equal([]);
    const many = Array.from({ length: 5_000 }, (_, n) => `n${n}@masks.example`);
    expect(recipientsOf([`Delivered-To: ${many.join(",")}`])[0]).to.have.lengthOf(100);
  });
});

describe("The sender of a mail in a mailbox", () => {
  it("is the one of the envelope, where the provider has kept it", () => {
    expect(senderOf("Return-Path: <bounces@shop.example>", "From: a@b.example")).to.equal(
      "bounces@shop.example",
    );
    expect(senderOf("Return-Path: <>", "From: a@b.example")).to.equal("");
    expect(senderOf("From: a@b.example")).to.equal(null);
    expect(senderOf("Return-Path: nonsense", "From: a@b.example")).to.equal(null);
  });
});
