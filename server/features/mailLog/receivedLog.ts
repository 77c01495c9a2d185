import type { LogResult } from "../../../core/mailLog/logEntry.ts";
import { type NewLogEntry, recordEntries } from "../../delivery/mailLog/logQueries.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import type { CommittedMail } from "../../relay/decision/mailDecision.ts";
import type { MailRoute } from "../../relay/mailRoute.ts";
import type { ReceivedLog } from "../../relay/receive/receivedLog.ts";
import { detailOf, refusalDetail } from "./logDetail.ts";
import { createLogRefused, createToEntry, type LogEntryDeps } from "./refusedEntries.ts";

const isLogged = ({ log }: MailRoute): boolean => log !== "off";

/** Creates the log. Where no user has switched it on it does nothing. */
export const createReceivedLog = (deps: LogEntryDeps): ReceivedLog => {
  const logRefused = createLogRefused(deps);
  const newEntry = createToEntry(deps);
  const toEntry = ({ userId, maskId }: MailRoute, detail: object): Promise<NewLogEntry> =>
    newEntry({ userId, maskId, direction: "received" }, detail);
  return {
    prepare: async (decisions) => {
      if (!decisions.some(({ route }) => isLogged(route))) return [];
      return Promise.all(
        decisions.map(async (decided) =>
          isLogged(decided.route) ? toEntry(decided.route, detailOf(decided)).catch(() => null) : null,
        ),
      );
    },
    refused: (routes, mail, reply) => {
      for (const route of routes.filter(isLogged))
        logRefused({ userId: route.userId, maskId: route.maskId, direction: "received" }, mail.network, () =>
          refusalDetail(route, mail, reply),
        );
    },
  };
};

/** Returns the result of a committed mail. */
export const resultOf = ({ decided, forwarded, archived }: CommittedMail): LogResult => {
  if (decided.decision.block !== null) return decided.decision.block.how === "silent" ? "dropped" : "blocked";
  if (decided.held.length > 0) return "held";
  if (archived) return "archived";
  if (!forwarded) return "dropped";
  return decided.copies.length > 0 || decided.digest.length === 0 ? "queued" : "hourly";
};

/** Logs committed mails in their transaction; `entries` are in the order of the mails. */
export const recordCommitted = async (
  database: Pick<Database, "engine">,
  db: Db,
  mails: readonly CommittedMail[],
  entries: readonly (NewLogEntry | null)[],
  now: number,
): Promise<void> => {
  const logged = mails.flatMap((mail, n) => {
    const entry = entries[n];
    return entry ? [{ mail, entry }] : [];
  });
  await recordEntries(
    database,
    db,
    {
      entries: logged.map(({ mail, entry }) => ({ ...entry, result: resultOf(mail) })),
      steps: logged.flatMap(({ mail, entry: { id: entryId, userId } }) =>
        mail.answered ? [{ entryId, userId, copyId: "", state: "replied" as const, detail: null }] : [],
      ),
    },
    now,
  );
};
