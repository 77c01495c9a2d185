import { expect } from "chai";
import { nameAndAddress } from "../../../core/mail/nameAndAddress.ts";

describe("Somebody in a text", () => {
  it("has a name and an address, or what is known of both", () => {
    const address = "ada@example.org";
    expect(nameAndAddress({ name: "Ada", address })).to.equal("Ada (ada@example.org)");
    expect(nameAndAddress({ name: "Ada", address: "" })).to.equal("Ada");
    expect(nameAndAddress({ name: "", address })).to.equal(address);
    expect(nameAndAddress({ name: address, address })).to.equal(address);
  });
});
