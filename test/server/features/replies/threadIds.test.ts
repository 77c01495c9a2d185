import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { createThreadIds } from "../../../../server/features/replies/threadIds.ts";

describe("The ids of a thread through a mask", () => {
  const key = randomBytes(32);
  const idsOf = createThreadIds(key, "masks.example");
  const outside = "<order-1@shop.example>";
  const own = "<reply-1@laptop.home.example>";
  const withDomain = (id: string, domain: string): string => id.replace(/@[^>]+/, `@${domain}`);

  for (const spelling of ["masks.example", "MASKS.Example", "masks.example."])
    it(`come back where a server writes the domain ${spelling}`, () => {
      const { toOwner, toOutside } = idsOf("ada");
      expect(toOutside(withDomain(toOwner(outside), spelling))).to.equal(outside);
      expect(toOwner(withDomain(toOutside(own), spelling))).to.equal(own);
    });

  it("come back after a restart, and where the domain is configured in capitals", () => {
    expect(createThreadIds(key, "Masks.Example")("ada").toOwner(idsOf("ada").toOutside(own))).to.equal(own);
  });

  it("do not come back for another user, at another domain, or changed by a letter", () => {
    const sent = idsOf("ada").toOutside(own);
    for (const [user, id] of [
      ["eve", sent],
      ["ada", withDomain(sent, "other.example")],
      ["ada", sent.replace(/^<./, (start) => (start === "<A" ? "<B" : "<A"))],
    ] as const)
      expect(idsOf(user).toOwner(id)).not.to.equal(own);
  });

  it("of more than 400 characters stay one thread by their hash", () => {
    const { toOutside } = idsOf("ada");
    const long = `<${"a".repeat(398)}@b>`;
    expect(toOutside(long)).to.equal(toOutside(long)).and.to.have.length.below(100);
    expect(toOutside(long)).not.to.equal(toOutside(long.replace("<a", "<b")));
  });
});
