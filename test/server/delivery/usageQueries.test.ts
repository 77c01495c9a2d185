import { expect } from "chai";
import {
  claimAnnouncement,
  countReceivedInMonth,
  endOfMonth,
  monthOf,
} from "../../../server/delivery/usageQueries.ts";
import type { Database, Db } from "../../../server/platform/store/database.ts";
import type { MailDecision } from "../../../server/relay/decision/mailDecision.ts";
import { takeQuotas } from "../../../server/relay/limits/monthlyQuota.ts";
import { onEachDatabase } from "../support/databases.ts";
import { addOwner } from "../support/owners.ts";

const month = "2026-11";

describe("The mail count of a month", () => {
  it("follows calendar months in UTC", () => {
    expect(monthOf(Date.parse("2026-11-30T23:59:59.999Z"))).to.equal("2026-11");
    expect(monthOf(Date.parse("2026-12-01T00:00:00Z"))).to.equal("2026-12");
    expect(endOfMonth(Date.parse("2026-12-05T10:00:00Z"))).to.equal(Date.parse("2027-01-01T00:00:00Z"));
  });

  onEachDatabase(({ database, another }) => {
    /** Counts mails of a user in their own transaction; returns null when the limit refuses them. */
    const take = async (on: Database, userId: string, count = 1, of = month): Promise<number | null> => {
      const plan = {
        route: { userId, emailsPerMonth: 100, historyMs: null },
        decision: { block: null },
        copies: [],
        digest: [],
      } as unknown as MailDecision;
      const mails = Array.from({ length: count }, () => ({ month: of, decisions: [plan] }));
      const refused = new Error("not taken");
      return on
        .transaction(async (db) => {
          const taken = await takeQuotas(on, db, mails);
          if (!taken.isWithinLimits) throw refused;
          return taken.received.get(userId) ?? 0;
        })
        .catch((error: unknown) => {
          if (error === refused) return null;
          throw error;
        });
    };

    it("allows exactly 100 of 150 mails when two processes count at the same time (D34)", async () => {
      const { id } = await addOwner(database().db);
      // Only one process uses a SQLite file.
      const second = database().engine.name === "sqlite" ? database() : await another();
      const tries = Array.from({ length: 150 }, (_, index) => take(index % 2 ? database() : second, id));
      const taken = (await Promise.all(tries)).filter((received) => received !== null);
      expect(taken).to.have.lengthOf(100);
      expect(taken.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 100 }, (_, index) => index + 1));
      expect(await countReceivedInMonth(database().engine, id, month)).to.equal(100);
    });

    it("counts all requested mails or none of them", async () => {
      const { id } = await addOwner(database().db);
      await take(database(), id, 99);
      expect(await take(database(), id, 2)).to.equal(null);
      expect(await countReceivedInMonth(database().engine, id, month)).to.equal(99);
      expect(await take(database(), id, 1)).to.equal(100);
      expect(await take(database(), id, 101)).to.equal(null);
    });

    it("is separate for each user, and starts at 0 each month", async () => {
      const [one, other] = [await addOwner(database().db), await addOwner(database().db)];
      await take(database(), one.id, 100);
      expect(await take(database(), other.id)).to.equal(1);
      expect(await take(database(), one.id, 1, "2026-12")).to.equal(1);
    });

    it("causes one notification for each threshold, also with two processes", async () => {
      const { id } = await addOwner(database().db);
      await take(database(), id, 79);
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
