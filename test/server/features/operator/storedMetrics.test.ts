import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { addStoredMetrics } from "../../../../server/features/operator/storedMetrics.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { addOwner } from "../../support/owners.ts";
import { createTestClock } from "../../support/testClock.ts";

const rows = 4_100;
const rowsOfInsert = 100;
const minuteMs = 60_000;

describe("What the metrics count in the store", () => {
  onEachDatabase(({ database }) => {
    it("has the age of the oldest waiting mail, however many wait for other times", async () => {
      const { db } = database();
      const clock = createTestClock(undefined, { stands: true });
      const mails = Array.from({ length: rows }, (_, n) => ({
        id: `mail${n}`,
        envelope_sender: "",
        recipient: "someone@home.example",
        size: 1,
        status: "waiting" as const,
        attempts: 1,
        next_attempt_at: clock.now() + n,
        leased_until: 0,
        // The last to be tried again is the oldest.
        created_at: clock.now() - (n === rows - 1 ? 2 * minuteMs : minuteMs),
      }));
      for (let n = 0; n < rows; n += rowsOfInsert)
        await db
          .insertInto("queue")
          .values(mails.slice(n, n + rowsOfInsert))
          .execute();
      const registry = new Registry();
      const refresh = addStoredMetrics(registry, { database: database(), clock });
      await refresh();
      const text = await registry.metrics();
      expect(text).to.contain("bauta_oldest_waiting_mail_seconds 120\n");
      expect(text).to.contain(`bauta_mails{status="waiting"} ${rows}\n`);
    });

    it("is counted again only after a pause, which begins anew when the clock is set back", async () => {
      const registry = new Registry();
      const clock = createTestClock(undefined, { stands: true });
      const refresh = addStoredMetrics(registry, { database: database(), clock });
      const users = async (): Promise<string> => {
        await refresh();
        return /bauta_users \d+/.exec(await registry.metrics())?.[0] ?? "";
      };
      // The bystander is counted too.
      expect(await users()).to.equal("bauta_users 1");
      await addOwner(database().db);
      expect(await users()).to.equal("bauta_users 1");
      clock.advance(-60 * minuteMs);
      expect(await users()).to.equal("bauta_users 2");
      await addOwner(database().db);
      clock.advance(60 * minuteMs);
      expect(await users()).to.equal("bauta_users 3");
    });
  });
});
