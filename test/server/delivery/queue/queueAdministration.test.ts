import { expect } from "chai";
import { listDomainQueues } from "../../../../server/delivery/queue/queueAdministration.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { queueMail } from "../../support/runningDelivery.ts";

describe("The queue by recipient domain", () => {
  onEachDatabase(({ database }) => {
    const queue = async (
      recipient: string,
      at: number,
      changes: Record<string, unknown> = {},
    ): Promise<void> => {
      const id = await queueMail(database().db, { recipient }, at);
      if (Object.keys(changes).length > 0)
        await database().db.updateTable("queue").set(changes).where("id", "=", id).execute();
    };

    it("counts mails by their state, the domain whose mail waits longest first", async () => {
      await queue("a@new.example", 3_000);
      await queue("a@Slow.example", 1_000, { next_attempt_at: 9_000, last_answer: "451 4.7.1 later" });
      await queue("b@slow.example", 2_000, { lease: "process" });
      await queue("c@slow.example", 2_000, { status: "held" });
      await queue("a@gone.example", 500, { status: "failed", last_answer: "550 5.1.1" });
      await queue("a@done.example", 500, { status: "delivered" });
      const domains = await listDomainQueues(database(), { now: 5_000, limit: 10 });
      expect(domains).to.deep.equal([
        {
          domain: "slow.example",
          sending: 1,
          due: 0,
          deferred: 1,
          held: 1,
          failed: 0,
          oldest: 1_000,
          answer: "451 4.7.1 later",
        },
        {
          domain: "new.example",
          sending: 0,
          due: 1,
          deferred: 0,
          held: 0,
          failed: 0,
          oldest: 3_000,
          answer: null,
        },
        {
          domain: "gone.example",
          sending: 0,
          due: 0,
          deferred: 0,
          held: 0,
          failed: 1,
          oldest: null,
          answer: null,
        },
      ]);
      const waiting = await listDomainQueues(database(), { now: 5_000, limit: 1, waitingOnly: true });
      expect(waiting.map(({ domain, held }) => [domain, held])).to.deep.equal([["slow.example", 0]]);
    });
  });
});
