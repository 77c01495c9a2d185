import { expect } from "chai";
import fc from "fast-check";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { isEmailAddress, localPartOf } from "../../../../core/mail/emailAddress.ts";
import { CustomPrefix } from "../../../../core/masks/mask.ts";
import type { MaskFormat } from "../../../../core/masks/maskFormat.ts";
import { addressWords } from "../../../../server/features/masks/addressWords.ts";
import { generateAddress, reserveAddress } from "../../../../server/features/masks/maskAddress.ts";
import { sqliteStore } from "../../support/stores.ts";

const alphabet = "bcdfghjkmnpqrstvwxyz23456789";

const plain = { prefix: null, format: undefined };

const someFormat: fc.Arbitrary<MaskFormat> = fc.oneof(
  fc.record({ kind: fc.constant("letters" as const), length: fc.integer({ min: 9, max: 32 }) }),
  fc.record({ kind: fc.constant("words" as const), length: fc.integer({ min: 4, max: 5 }) }),
  fc.record({ kind: fc.constant("uuid" as const) }),
);

/** Random bits of the random part of an address. */
const bitsOf = (format: MaskFormat): number => {
  if (format.kind === "uuid") return 122;
  return format.length * Math.log2(format.kind === "words" ? addressWords.length : alphabet.length);
};

const patternOf: Readonly<Record<MaskFormat["kind"], RegExp>> = {
  letters: /^[bcdfghjkmnpqrstvwxyz2-9]+$/,
  words: /^[a-z]{3,8}(-[a-z]{3,8}){3,4}$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
};

describe("The address of a mask", () => {
  it("can receive mail with every prefix that the validation accepts", () => {
    const prefix = fc.string({ unit: fc.constantFrom(..."aZ9_.-"), minLength: 1, maxLength: 16 });
    fc.assert(
      fc.property(
        prefix.filter((text) => CustomPrefix.is(text)),
        (text) => {
          const address = generateAddress(cryptoRandom, "masks.example.org", {
            prefix: text,
            format: undefined,
          });
          expect(isEmailAddress(address), address).to.equal(true);
        },
      ),
    );
  });

  it("is valid, of its format, unique and within 64 octets in every format, with every prefix", () => {
    const known = new Set<string>();
    const prefix = fc.string({ unit: fc.constantFrom(..."aZ9_.-"), minLength: 1, maxLength: 16 });
    const somePrefix = fc.option(prefix.filter((text) => CustomPrefix.is(text)));
    fc.assert(
      fc.property(someFormat, somePrefix, (format, text) => {
        const address = generateAddress(cryptoRandom, "masks.example.org", { prefix: text, format });
        expect(isEmailAddress(address), address).to.equal(true);
        const local = localPartOf(address);
        expect(local.length).to.be.at.most(64);
        const begin = text === null ? "" : `${text.toLowerCase()}.`;
        expect(local.slice(0, begin.length)).to.equal(begin);
        const chance = local.slice(begin.length);
        expect(chance).to.match(patternOf[format.kind]);
        if (format.kind !== "uuid")
          expect(format.kind === "words" ? chance.split("-") : chance).to.have.length(format.length);
        expect(known.has(address), address).to.equal(false);
        known.add(address);
      }),
      { numRuns: 1_000 },
    );
  });

  it("has at least 40 random bits behind a known prefix, also without a chosen format", () => {
    const local = localPartOf(
      generateAddress(cryptoRandom, "masks.example", { prefix: "shop", format: undefined }),
    );
    expect((local.length - "shop.".length) * Math.log2(alphabet.length)).to.be.at.least(40);
  });

  it("has at least 40 random bits in every format", () => {
    expect(new Set(addressWords).size).to.equal(2_048);
    fc.assert(fc.property(someFormat, (format) => bitsOf(format) >= 40));
  });

  it("uses each word equally often", () => {
    const counts = new Map<string, number>();
    for (let round = 0; round < 20_480; round++)
      for (const word of generateAddress(cryptoRandom, "", {
        prefix: null,
        format: { kind: "words", length: 4 },
      })
        .slice(0, -1)
        .split("-"))
        counts.set(word, (counts.get(word) ?? 0) + 1);
    expect(counts.size).to.equal(2_048);
    // 40 are expected of each; the deviation is 6.3.
    expect(Math.max(...counts.values())).to.be.below(100);
  });

  it("uses each of its 28 characters equally often", () => {
    const rounds = 2_800;
    const counts = new Map<string, number>();
    for (let round = 0; round < rounds; round++)
      for (const character of generateAddress(cryptoRandom, "", plain).slice(0, 10))
        counts.set(character, (counts.get(character) ?? 0) + 1);
    expect([...counts.keys()].toSorted().join("")).to.equal([...alphabet].toSorted().join(""));
    for (const count of counts.values()) expect(count).to.be.within(800, 1_200);
  });

  it("is generated again when it was assigned before", async () => {
    const database = await sqliteStore.open();
    let drawings = 0;
    const random = {
      fraction: () => 0,
      bytes: (count: number) => new Uint8Array(count).fill(drawings++ < 3 ? 0 : 1),
    };
    const at = { random, now: 1 };
    const first = await reserveAddress(database.db, at, "m.test", plain);
    const second = await reserveAddress(database.db, at, "m.test", plain);
    expect([first, second]).to.deep.equal(["bbbbbbbbbb@m.test", "cccccccccc@m.test"]);
    await database.close();
  });
});
