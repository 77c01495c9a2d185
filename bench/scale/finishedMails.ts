import { cryptoRandom } from "../../adapters/system/clockAndRandom.ts";
import { dayMs } from "../../core/kernel/durations.ts";
import type { Database } from "../../server/platform/store/database.ts";
import type { RowStatement } from "../../server/platform/store/engine.ts";
import { newQueueId } from "../../server/platform/store/id.ts";
import { finishedDays, masksEach } from "./model.ts";

const ownersPerCommit = 5_000;

/** For how long the rows of finished mails are kept. */
export const finishedForMs = finishedDays * dayMs;

const insertFinished: RowStatement = {
  columns: { id: "text", user_id: "text", at: "bigint" },
  text: (rows) =>
    `insert into queue (id, user_id, mask_id, envelope_sender, recipient, content, size, status, attempts,
       next_attempt_at, leased_until, created_at, finished_at, last_answer)
     select given.id, given.user_id, null, 'shop@shop.example', 'owner@home.example', null, 75000, 'delivered', 1,
       given.at, 0, given.at, given.at, '250 2.0.0 OK'
     from ${rows}`,
};

/** Adds ten delivered mails for each owner, spread over the days for which their rows are kept. */
export const addFinishedMails = async (
  database: Database,
  owners: readonly string[],
  now: number,
): Promise<void> => {
  const each = finishedForMs / (owners.length * masksEach);
  for (let start = 0; start < owners.length; start += ownersPerCommit)
    await database.transaction(async (db) => {
      const rows = owners.slice(start, start + ownersPerCommit).flatMap((owner, n) =>
        Array.from({ length: masksEach }, (_, mail) => {
          const time = Math.floor(now - finishedForMs + ((start + n) * masksEach + mail + 1) * each);
          return [newQueueId(cryptoRandom, time), owner, time];
        }),
      );
      await database.engine.runRows(db, insertFinished, rows);
    });
};
