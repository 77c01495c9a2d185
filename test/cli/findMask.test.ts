import { expect } from "chai";
import { findMask } from "../../cli/masks.ts";
import type { Mask } from "../../core/masks/mask.ts";

const mask = (id: string, maskEmail: string): Mask => ({ id, maskEmail }) as Mask;

describe("A mask that is named on the command line", () => {
  const shop = mask("k7wq2aaa", "shop@a.example");
  const other = mask("k7wq9bbb", "Shop@b.example");
  const news = mask("news1234", "k7wq9bbb@a.example");
  const masks = [shop, other, news];

  it("is found by its address, its local part or the beginning of its id, in any case", () => {
    expect(findMask(masks, "SHOP@A.example")).to.equal(shop);
    expect(findMask(masks, "k7wq2")).to.equal(shop);
    expect(findMask([shop, news], "Shop")).to.equal(shop);
    expect(findMask(masks, "NEWS")).to.equal(news);
  });

  it("is the one that is named whole, before those whose id begins with the name", () => {
    expect(findMask(masks, "k7wq9bbb")).to.equal(other);
  });

  it("is asked for again when the name fits several, with their addresses and ids", () => {
    for (const name of ["shop", "k7wq"])
      expect(() => findMask(masks, name)).to.throw(
        [`"${name}" fits several masks:`, "  shop@a.example  k7wq2aaa", "  Shop@b.example  k7wq9bbb"].join(
          "\n",
        ),
      );
    expect(() => findMask(masks, "x")).to.throw('There is no mask "x".');
  });
});
