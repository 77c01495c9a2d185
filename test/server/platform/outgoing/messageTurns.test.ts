import { expect } from "chai";
import { sql } from "kysely";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import type { MessageTables } from "../../../../server/platform/outgoing/messages/messageTables.ts";
import { createMessageTurns } from "../../../../server/platform/outgoing/messages/messageTurns.ts";
import { onEachDatabase } from "../../support/databases.ts";

const tables: MessageTables = {
  messages: "push_messages",
  receivers: "push_devices",
  receiver: "device_id",
  isWaiting: () => sql`1 = 1`,
  isOpen: sql`1 = 1`,
};

describe("The turns of users with messages", () => {
  onEachDatabase(({ database }) => {
    const addUsers = async (ids: readonly string[], nextAttemptAt: number): Promise<void> => {
      const { db } = database();
      await db
        .insertInto("users")
        .values(
          ids.map((id) => ({
            ...{
              id,
              email: `${id}@home.example`,
              email_key: mailboxKey(`${id}@home.example`),
              tier: "free" as const,
            },
            ...{
              key_status: "not-configured" as const,
              two_factor: 0 as const,
              mask_count: 0,
              created_at: 0,
            },
          })),
        )
        .execute();
      const device = { sealed: "", host: "push.example", kinds: "[]", masks: "[]", shows_sender: 0 } as const;
      await db
        .insertInto("push_devices")
        .values(
          ids.map((id) => ({
            ...{ ...device, id, mark: id, user_id: id, session_id: null, quiet_hours: null },
            ...{ user_agent: "", created_at: 0, last_sent_at: null },
          })),
        )
        .execute();
      await db
        .insertInto("push_messages")
        .values(
          ids.map((id) => ({
            ...{ device_id: id, user_id: id, host: "push.example", kind: "security" as const, body: "{}" },
            ...{ sealed: null, next_attempt_at: nextAttemptAt, give_up_at: 1_000_000 },
          })),
        )
        .execute();
    };
    const now = 1_000;
    const next = async () =>
      (await createMessageTurns(database().db, tables).next({ most: 5, now, running: [] }, () => true)).map(
        ({ userId }) => userId,
      );

    it("come in the first search behind any number of users whose messages wait for later", async () => {
      for (let n = 0; n < 6; n += 1)
        await addUsers(
          Array.from({ length: 200 }, (_, m) => `later-${n}-${m}`),
          now + 1,
        );
      expect(await next()).to.deep.equal([]);
      await addUsers(["the-last"], now);
      expect(await next()).to.deep.equal(["the-last"]);
    });
  });
});
