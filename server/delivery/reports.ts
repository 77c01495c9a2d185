import type { Clock } from "../../core/ports/clock.ts";
import type { Database } from "../store/database.ts";
import { isRemembered, markBounced } from "../store/queueOutcomes.ts";
import { answerOf } from "./answer.ts";
import { readFailureReport } from "./deliveryReport.ts";
import { tellOwner } from "./failureNotice.ts";

/** What servers beyond the next hop report of mails that they had taken. */
export interface Reports {
  /** Whether there is such a mail of ours to report of. */
  readonly expects: (id: string) => Promise<boolean>;
  /** Takes what was sent to the return path of a mail: its owner is told once when it reports a failure. */
  readonly take: (id: string, content: Uint8Array) => Promise<void>;
}

export const makeReports = (database: Database, clock: Pick<Clock, "now">): Reports => ({
  expects: (id) => isRemembered(database.db, id),
  take: async (id, content) => {
    const failure = readFailureReport(content);
    if (!failure) return;
    const answer = answerOf(failure.answer);
    const now = clock.now();
    await database.transaction(async (db) => {
      const mail = await markBounced(db, id, answer, now);
      if (mail) await tellOwner(db, mail, { reason: "refused", answer }, now);
    });
  },
});
