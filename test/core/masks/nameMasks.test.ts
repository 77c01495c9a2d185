import { expect } from "chai";
import fc from "fast-check";
import { nameMasks } from "../../../core/masks/nameMasks.ts";
import { createMask } from "../../fakes/productServer.ts";

const masks = [
  createMask("shop", { description: "Bookshop", maskEmail: "shop@masks.example" }),
  createMask("none", { description: "", maskEmail: "none@masks.example" }),
];

describe("A notification", () => {
  it("names a mask by its description", () => {
    expect(nameMasks("Mail to shop@masks.example is held, because a rule says so.", masks)).to.equal(
      "Mail to “Bookshop” is held, because a rule says so.",
    );
    expect(nameMasks("Mail has created the mask shop@masks.example.", masks)).to.equal(
      "Mail has created the mask “Bookshop”.",
    );
  });

  it("names a mask without a description by its address", () => {
    expect(nameMasks("Mail to none@masks.example is held.", masks)).to.equal(
      "Mail to none@masks.example is held.",
    );
  });

  it("stays as it is where it names no mask", () => {
    fc.assert(
      fc.property(fc.string(), (message) => {
        expect(nameMasks(message, masks)).to.equal(message);
      }),
    );
  });
});
