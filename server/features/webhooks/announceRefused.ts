import type { Clock } from "../../../core/ports/clock.ts";
import { createStrangersHourlyLimit } from "../../platform/ops/hourlyLimit.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { GroupCommit } from "../../platform/store/groupCommit.ts";
import type { ReceivedLog } from "../../relay/receive/receivedLog.ts";
import { refusalDetail } from "../mailLog/logDetail.ts";
import { announce, type Occurrence } from "./announce.ts";
import { refusedOccurrence } from "./announceMails.ts";
import { refusalsPerHour } from "./webhookLimits.ts";

/** Adds to a log that refused mail is announced to webhooks, without waiting for it. */
export const alsoAnnounceRefused = (
  log: ReceivedLog,
  {
    group,
    seal,
    clock,
  }: {
    readonly group: GroupCommit;
    readonly seal: Pick<Seal, "seal">;
    readonly clock: Pick<Clock, "now">;
  },
): ReceivedLog => {
  const mayAnnounce = createStrangersHourlyLimit(clock.now, refusalsPerHour);
  const submit = group.kind<Occurrence, null>(
    async (db, occurrences) => {
      await announce(db, seal, occurrences, clock.now());
      return occurrences.map(() => null);
    },
    { weightOf: () => 1, canWait: true },
  );
  return {
    prepare: log.prepare,
    refused: (routes, mail, reply) => {
      log.refused(routes, mail, reply);
      for (const route of routes)
        if (route.webhooks !== "none" && !route.isNew && mayAnnounce(route.userId, mail.network))
          submit(refusedOccurrence(route, mail, refusalDetail(route, mail, reply).cause)).catch(() => {});
    },
  };
};
