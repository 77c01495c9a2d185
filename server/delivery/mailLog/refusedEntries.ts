import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";
import { createStrangersHourlyLimit } from "../../platform/ops/hourlyLimit.ts";
import type { Database } from "../../platform/store/database.ts";
import type { GroupCommit } from "../../platform/store/groupCommit.ts";
import { newQueueId } from "../../platform/store/id.ts";
import { type NewLogEntry, recordEntries } from "./logQueries.ts";
import type { SealDetail } from "./sealDetail.ts";

export interface LogEntryDeps {
  readonly database: Pick<Database, "engine">;
  readonly group: GroupCommit;
  readonly seal: SealDetail;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
}

/** The owner of an entry, its mask and its direction. */
type EntrySubject = Pick<NewLogEntry, "userId" | "maskId" | "direction">;

/** Prepares the entry of a mail that comes or is sent now. */
export const createToEntry =
  ({ seal, clock, random }: Pick<LogEntryDeps, "seal" | "clock" | "random">) =>
  async ({ userId, maskId, direction }: EntrySubject, detail: object): Promise<NewLogEntry> => {
    const at = clock.now();
    return {
      id: newQueueId(random, at),
      userId,
      maskId,
      direction,
      at,
      detail: await seal(userId, detail),
    };
  };

/** Refused mail costs its sender nothing, so no more of it is logged for a user in an hour, in all and of one network. */
export const refusalsPerHour = { most: 100, ofNetwork: 25 } as const;
/**
 * Logs a refused mail without waiting for it; at most 100 an hour for a user, 25 of them of one network. `network` is null
 * where it is the user's own or not known. Never throws.
 */
export type LogRefused = (subject: EntrySubject, network: string | null, detail: () => object) => void;

/** Creates the function that logs refused mail. */
export const createLogRefused = (deps: LogEntryDeps): LogRefused => {
  const { database, group, clock } = deps;
  const mayLog = createStrangersHourlyLimit(clock.now, refusalsPerHour);
  const toEntry = createToEntry(deps);
  const submit = group.kind<NewLogEntry, null>(
    async (db, entries) => {
      const refused = entries.map((entry) => ({ ...entry, result: "rejected" as const }));
      await recordEntries(database, db, { entries: refused, steps: [] }, clock.now());
      return entries.map(() => null);
    },
    { weightOf: () => 1, canWait: true },
  );
  return (subject, network, detail) => {
    if (mayLog(subject.userId, network))
      toEntry(subject, detail())
        .then(submit)
        .catch(() => {});
  };
};
