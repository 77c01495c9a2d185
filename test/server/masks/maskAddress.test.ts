import { expect } from "chai";
import fc from "fast-check";
import { cryptoRandom } from "../../../adapters/system/clockAndRandom.ts";
import { isEmailAddress } from "../../../core/mail/emailAddress.ts";
import { CustomPrefix } from "../../../core/masks/mask.ts";
import { generateAddress, reserveAddress } from "../../../server/masks/maskAddress.ts";
import { sqliteStore } from "../support/stores.ts";

const alphabet = "bcdfghjkmnpqrstvwxyz23456789";

describe("The address of a mask", () => {
  it("can receive mail with every prefix that the validation accepts", () => {
    const prefix = fc.string({ unit: fc.constantFrom(..."aZ9_.-"), minLength: 1, maxLength: 16 });
    fc.assert(
      fc.property(
        prefix.filter((text) => CustomPrefix.is(text)),
        (text) => {
          const address = generateAddress(cryptoRandom, "masks.example.org", text);
          expect(isEmailAddress(address), address).to.equal(true);
        },
      ),
    );
  });

  it("uses each of its 28 characters equally often", () => {
    const rounds = 2_800;
    const counts = new Map<string, number>();
    for (let round = 0; round < rounds; round++)
      for (const character of generateAddress(cryptoRandom, "", null).slice(0, 10))
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
    const first = await reserveAddress(database.db, at, "m.test", null);
    const second = await reserveAddress(database.db, at, "m.test", null);
    expect([first, second]).to.deep.equal(["bbbbbbbbbb@m.test", "cccccccccc@m.test"]);
    await database.close();
  });
});
