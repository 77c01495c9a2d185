import { expect } from "chai";
import {
  claimAnnouncement,
  countReceivedInMonth,
  endOfMonth,
  monthOf,
  takeMonthlyQuota,
} from "../../../server/delivery/usageQueries.ts";
import type { Db } from "../../../server/store/database.ts";
import { onEachDatabase } from "../support/databases.ts";
import { addOwner } from "../support/owners.ts";

const month = "2026-11";

describe("The mail of a month", () => {
  it("is counted by calendar month in UTC", () => {
    expect(monthOf(Date.parse("2026-11-30T23:59:59.999Z"))).to.equal("2026-11");
    expect(monthOf(Date.parse("2026-12-01T00:00:00Z"))).to.equal("2026-12");
    expect(endOfMonth(Date.parse("2026-12-05T10:00:00Z"))).to.equal(Date.parse("2027-01-01T00:00:00Z"));
  });

  onEachDatabase(({ database, another }) => {
    const take = (db: Db, userId: string, count = 1) =>
      takeMonthlyQuota(db, { userId, month, count, forwarded: count, limit: 100 });

    it("lets exactly 100 of 150 pass where two processes take them at the same time (D34)", async () => {
      const { id } = await addOwner(database().db);
      const second = await another();
      const tries = Array.from({ length: 150 }, (_, index) => take((index % 2 ? database() : second).db, id));
      const taken = (await Promise.all(tries)).filter((usage) => usage !== null);
      expect(taken).to.have.lengthOf(100);
      expect(taken.map(({ received }) => received).sort((a, b) => a - b)).to.deep.equal(
        Array.from({ length: 100 }, (_, index) => index + 1),
      );
      expect(await countReceivedInMonth(database().db, id, month)).to.equal(100);
    });

    it("takes all of what is asked or nothing of it", async () => {
      const { id } = await addOwner(database().db);
      await take(database().db, id, 99);
      expect(await take(database().db, id, 2)).to.equal(null);
      expect(await countReceivedInMonth(database().db, id, month)).to.equal(99);
      expect(await take(database().db, id, 1)).to.deep.equal({ received: 100, announced: 0 });
      expect(await take(database().db, id, 101)).to.equal(null);
    });

    it("is a user's own, and begins anew each month", async () => {
      const [one, other] = [await addOwner(database().db), await addOwner(database().db)];
      await take(database().db, one.id, 100);
      expect(await take(database().db, other.id)).to.deep.equal({ received: 1, announced: 0 });
      const next = { userId: one.id, month: "2026-12", count: 1, forwarded: 1, limit: 100 };
      expect(await takeMonthlyQuota(database().db, next)).to.deep.equal({ received: 1, announced: 0 });
    });

    it("is announced once for each share, whoever is first", async () => {
      const { id } = await addOwner(database().db);
      await take(database().db, id, 80);
      const second = await another();
      const claim = (db: Db, share: number) => claimAnnouncement(db, { userId: id, month, share });
      const claims = await Promise.all([
        claim(database().db, 80),
        claim(second.db, 80),
        claim(database().db, 80),
      ]);
      expect(claims.filter(Boolean)).to.have.lengthOf(1);
      expect(await claim(second.db, 100)).to.equal(true);
      expect(await claim(second.db, 80)).to.equal(false);
    });
  });
});
