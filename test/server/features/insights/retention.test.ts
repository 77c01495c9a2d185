import { expect } from "chai";
import { dayMs } from "../../../../core/kernel/durations.ts";
import type { Tier } from "../../../../core/tiers/tier.ts";
import { addCounts, type CountKind } from "../../../../server/features/insights/countQueries.ts";
import { addRecentMails } from "../../../../server/features/insights/recentMailQueries.ts";
import { deleteExpiredFigures } from "../../../../server/features/insights/retention.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { addMask, addOwner, type Owner, type TestMask } from "../../support/owners.ts";

const now = Date.parse("2026-11-21T12:00:00Z");

describe("Data deleted by retention", () => {
  onEachDatabase((use) => {
    const have = async (tier: Tier, kind: CountKind, periods: readonly string[]): Promise<Owner> => {
      const { db, engine } = use.database();
      const owner = await addOwner(db, tier);
      const mask = await addMask(db, owner);
      const counts = periods.flatMap((period) =>
        [null, mask.id].map((maskId) => ({ userId: owner.id, maskId, kind, period, key: "k", n: 1 })),
      );
      await addCounts(db, engine, counts, now);
      return owner;
    };
    const left = async ({ id }: Owner): Promise<readonly string[]> => {
      const { db } = use.database();
      const rows = [];
      for (const table of ["account_counts", "mask_counts"] as const)
        rows.push(
          ...(await db
            .selectFrom(table)
            .select("period")
            .where("user_id", "=", id)
            .orderBy("period")
            .execute()),
        );
      return rows.map(({ period }) => period);
    };
    const twice = (...periods: string[]): string[] => [...periods, ...periods];

    it("includes figures older than the plan's history: 7 days, 30 days, 1 year, 2 years, unlimited", async () => {
      const free = await have("free", "flow", [
        "2026-10",
        "2026-11",
        "2026-11-14",
        "2026-11-15",
        "2026-11-21",
      ]);
      const basic = await have("basic", "sender", ["2026-10-22", "2026-10-23", "2026-11-21"]);
      const pro = await have("pro", "tag", ["2025-11", "2025-12", "2026-11", "2025-11-21", "2026-11-15"]);
      const premium = await have("pro_premium", "rule", ["2024-11", "2024-12", "2026-11"]);
      const business = await have("business", "flow", ["2020-01", "2026-11"]);
      await deleteExpiredFigures(use.database(), now);
      expect(await left(free)).to.deep.equal(twice("2026-11-15", "2026-11-21"));
      expect(await left(basic)).to.deep.equal(twice("2026-10-23", "2026-11-21"));
      expect(await left(pro)).to.deep.equal(twice("2025-12", "2026-11", "2026-11-15"));
      expect(await left(premium)).to.deep.equal(twice("2024-12", "2026-11"));
      expect(await left(business)).to.deep.equal(twice("2020-01", "2026-11"));
    });

    it("includes nothing within 30 days of a plan change, so that a failed payment costs no history", async () => {
      const { db } = use.database();
      const owner = await have("free", "flow", ["2026-01"]);
      const changed = (at: number) =>
        db.updateTable("users").where("id", "!=", bystander.id).set({ plan_changed_at: at }).execute();
      await changed(now - 29 * dayMs);
      await deleteExpiredFigures(use.database(), now);
      expect(await left(owner)).to.deep.equal(twice("2026-01"));
      await changed(now - 30 * dayMs);
      await deleteExpiredFigures(use.database(), now);
      expect(await left(owner)).to.deep.equal([]);
    });

    it("includes daily chart figures after 31 days and monthly figures after the history ends", async () => {
      const days = await have("business", "day", ["2026-10-21", "2026-10-22", "2026-11-21"]);
      const months = await have("business", "month", ["2026-10", "2026-11"]);
      await deleteExpiredFigures(use.database(), now);
      expect(await left(days)).to.deep.equal(twice("2026-10-22", "2026-11-21"));
      expect(await left(months)).to.deep.equal(twice("2026-11"));
    });

    const remember = async (owner: Owner, mask: TestMask, at: number, mails = 1): Promise<void> => {
      const { db, engine } = use.database();
      const mail = {
        userId: owner.id,
        maskId: mask.id,
        senderDomain: "shop.example",
        category: "promotional",
        outcome: "forwarded",
        threatLevel: null,
        reason: null,
        at,
      } as const;
      await addRecentMails(
        db,
        engine,
        Array.from({ length: mails }, () => mail),
      );
    };
    const remembered = async (): Promise<readonly (string | null)[]> =>
      (
        await use
          .database()
          .db.selectFrom("recent_mails")
          .where("user_id", "!=", bystander.id)
          .select("category")
          .execute()
      ).map(({ category }) => category);

    it("includes mails older than the plan's history, and all but the newest hundred", async () => {
      const { db } = use.database();
      const owner = await addOwner(db, "free");
      const mask = await addMask(db, owner);
      await remember(owner, mask, now - 8 * dayMs);
      await remember(owner, mask, now - 6 * dayMs);
      await deleteExpiredFigures(use.database(), now);
      expect(await remembered()).to.have.lengthOf(1);
      await remember(owner, mask, now, 250);
      expect(await remembered()).to.have.lengthOf(100);
    });

    it("includes data derived from content when the plan no longer allows access", async () => {
      const { db, engine } = use.database();
      const owner = await addOwner(db, "pro");
      const mask = await addMask(db, owner);
      await db
        .insertInto("content_access")
        .values({ user_id: owner.id, enabled: 1, external_model: null, features: "{}", updated_at: 0 })
        .execute();
      await remember(owner, mask, now);
      const one = { userId: owner.id, maskId: null, period: "2026-11-20", n: 1 };
      await addCounts(
        db,
        engine,
        [
          { ...one, kind: "category", key: "promotional" },
          { ...one, kind: "sender", key: "shop.example" },
        ],
        now,
      );
      await deleteExpiredFigures(use.database(), now);
      expect(await remembered()).to.deep.equal(["promotional"]);
      await db.updateTable("users").where("id", "!=", bystander.id).set({ tier: "basic" }).execute();
      await deleteExpiredFigures(use.database(), now);
      expect(await remembered()).to.deep.equal([null]);
      const kinds = await db
        .selectFrom("account_counts")
        .where("user_id", "!=", bystander.id)
        .select("kind")
        .execute();
      expect(kinds).to.deep.equal([{ kind: "sender" }]);
    });
  });
});
