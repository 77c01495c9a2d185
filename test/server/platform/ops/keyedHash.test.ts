import { expect } from "chai";
import fc from "fast-check";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { createKeyedHash, newCode, newSecret, sameHash } from "../../../../server/platform/ops/keyedHash.ts";

describe("A sign-in code", () => {
  it("is six digits and never 000000, for any random bytes", () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.uint8Array({ minLength: 4, maxLength: 4 })), (draws) => {
        const code = newCode({ bytes: () => draws.next().value, fraction: () => 0 });
        expect(code)
          .to.match(/^\d{6}$/)
          .and.not.to.equal("000000");
      }),
    );
  });

  it("is drawn again where the random value would make some codes likelier than others", () => {
    const draws = [0xffffffff, 0xfffffffe, 7];
    const bytes = () => {
      const drawn = Buffer.alloc(4);
      drawn.writeUInt32BE(draws.shift() ?? 0);
      return drawn;
    };
    expect(newCode({ bytes, fraction: () => 0 })).to.equal("000008");
    expect(draws).to.have.length(0);
  });

  it("begins with each digit equally often", () => {
    const rounds = 20_000;
    const counts = new Map<string, number>();
    for (let round = 0; round < rounds; round++) {
      const first = newCode(cryptoRandom).charAt(0);
      counts.set(first, (counts.get(first) ?? 0) + 1);
    }
    expect(counts.size).to.equal(10);
    for (const count of counts.values()) expect(count).to.be.within(rounds / 10 - 300, rounds / 10 + 300);
  });
});

describe("The hash of a secret in the store", () => {
  const hash = createKeyedHash(cryptoRandom.bytes(32));

  it("differs by secret, by purpose, by where one part ends, and by installation", () => {
    const secret = newSecret(cryptoRandom);
    const hashes = [
      hash("code", "a", secret),
      hash("ticket", "a", secret),
      hash("code", `a${secret}`),
      hash("code", "a", newSecret(cryptoRandom)),
      createKeyedHash(cryptoRandom.bytes(32))("code", "a", secret),
    ];
    expect(new Set(hashes).size).to.equal(hashes.length);
    expect(hash("code", "a", secret)).to.equal(hashes[0]);
    expect(hashes.join()).not.to.contain(secret);
  });

  it("is compared as a whole", () => {
    expect(sameHash(hash("code", "1"), hash("code", "1"))).to.equal(true);
    expect(sameHash(hash("code", "1"), hash("code", "2"))).to.equal(false);
    expect(sameHash(hash("code", "1"), "")).to.equal(false);
  });
});
