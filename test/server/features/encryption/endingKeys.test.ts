import { expect } from "chai";
import { generateKey } from "openpgp";
import { dayMs, hourMs } from "../../../../core/kernel/durations.ts";
import { putDestinationKey } from "../../../../server/features/destinations/destinationKeyQueries.ts";
import { createEndingKeys } from "../../../../server/features/encryption/endingKeys.ts";
import { upsertPublicKey } from "../../../../server/features/encryption/publicKeyQueries.ts";
import { checkPublicKey } from "../../../../server/platform/openpgp/checkPublicKey.ts";
import { createVirtualClock, type VirtualClock } from "../../../fakes/virtualClock.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { addMask, addOwner, type Owner } from "../../support/owners.ts";
import { createTestContext } from "../../support/serverContext.ts";
import { until } from "../../support/until.ts";

describe("The end of a key in use", () => {
  onEachDatabase(({ database }) => {
    let owner: Owner;
    let destinationId: string;
    let clock: VirtualClock;
    let stop: () => void;

    beforeEach(async () => {
      owner = await addOwner(database().db);
      await addMask(database().db, owner);
      const row = await database()
        .db.selectFrom("destinations")
        .select("id")
        .where("user_id", "=", owner.id)
        .executeTakeFirstOrThrow();
      destinationId = row.id;
      clock = createVirtualClock();
    });
    afterEach(() => stop());

    /** Makes a key that ends after days. */
    const keyFor = async (days: number) => {
      const { publicKey } = await generateKey({
        type: "curve25519",
        userIDs: [{ name: "Ada" }],
        date: new Date(clock.now() - 1_000),
        keyExpirationTime: days * 24 * 3_600,
      });
      const key = await checkPublicKey(publicKey, new Date(clock.now()));
      if ("problem" in key) throw new Error(key.problem);
      return key;
    };
    const start = (): void => {
      const both = [1, 2].map(() =>
        createEndingKeys(createTestContext({ database: database(), clock })).start(),
      );
      stop = () => {
        for (const one of both) one();
      };
    };
    const notices = () =>
      database()
        .db.selectFrom("notifications")
        .where("user_id", "!=", bystander.id)
        .select(["message", "created_at"])
        .orderBy("id")
        .execute();
    const messages = async (): Promise<readonly string[]> => (await notices()).map(({ message }) => message);
    /** Lets time pass by hours. */
    const told = (count: number) =>
      until(`${count} are told`, async () => {
        await clock.advance(hourMs);
        return (await messages()).length === count;
      });

    it("is told a month and again three days before, once each by several processes, with what happens then", async () => {
      const key = await keyFor(40);
      await upsertPublicKey(database().db, owner.id, { ...key, now: clock.now() });
      start();
      await told(1);
      await clock.advance(20 * dayMs);
      await told(2);
      const end = new Date(key.expires ?? 0).toISOString().slice(0, 10);
      const message = `The key ${key.fingerprint.slice(-8)} that your mail is encrypted to ends on ${end}. From then on nothing is forwarded and senders retry later, until you extend the key or set up a new one in Settings.`;
      expect(await messages()).to.deep.equal([message, message]);
      const daysLeft = (await notices()).map((one) => ((key.expires ?? 0) - Number(one.created_at)) / dayMs);
      expect(daysLeft[0]).to.be.within(20, 30);
      expect(daysLeft[1]).to.be.within(0, 3);
    });

    it("is told of keys from before ends were known, and not of keys that never end or have ended", async () => {
      const { db } = database();
      const [soon, ended] = [await keyFor(20), await keyFor(1)];
      const endless = await keyFor(0);
      expect(endless.expires).to.equal(null);
      await clock.advance(2 * dayMs);
      for (const { publicKey, fingerprint } of [soon, ended, endless])
        await putDestinationKey(
          db,
          { userId: owner.id, destinationId },
          { publicKey, fingerprint, expires: 0 },
          0,
        );
      start();
      await told(1);
      expect(await messages()).to.deep.equal([
        `The key ${soon.fingerprint.slice(-8)} that mail to ${owner.email} is encrypted to ends on ${new Date(soon.expires ?? 0).toISOString().slice(0, 10)}. From then on it is encrypted to your other keys alone. Extend the key or add a new one in Settings.`,
      ]);
      const ends = await db
        .selectFrom("destination_keys")
        .where("user_id", "!=", bystander.id)
        .select(["fingerprint", "expires_at"])
        .execute();
      const endOf = new Map(ends.map((row) => [row.fingerprint, row.expires_at]));
      expect(endOf.get(soon.fingerprint)).to.equal(soon.expires);
      expect(endOf.get(endless.fingerprint)).to.equal(null);
    });

    it("is told again of a key that was extended for a while", async () => {
      const { db } = database();
      const [first, extended] = [await keyFor(20), await keyFor(60)];
      await upsertPublicKey(db, owner.id, { ...first, now: clock.now() });
      start();
      await told(1);
      await upsertPublicKey(db, owner.id, { ...extended, now: clock.now() });
      expect(await messages()).to.have.length(1);
      await clock.advance(31 * dayMs);
      await told(2);
    });
  });
});
