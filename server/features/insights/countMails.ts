import type { Clock } from "../../../core/ports/clock.ts";
import type { Database } from "../../platform/store/database.ts";
import type { GroupCommit } from "../../platform/store/groupCommit.ts";
import type { Authentication } from "../../proof/evidence.ts";
import { type CommittedMail, toOutcome } from "../../relay/decision/mailDecision.ts";
import type { MailCommit, MailRecord } from "../../relay/mailPart.ts";
import { findUsersWithConsent } from "../contentAccess/consentQueries.ts";
import { addCounts, type Count } from "./countQueries.ts";
import { periodOf } from "./history.ts";
import type { MailFacts } from "./mailFacts.ts";
import { recordNewMails } from "./newMails.ts";
import type { RecordVerdict, SampleSenders } from "./sampleSenders.ts";
import { announceUsage } from "./usageNotice.ts";

const verdictsOf = (authentication: Authentication): readonly string[] =>
  Object.entries(authentication).map(([check, result]) => `${check}=${result}`);

const flowOf = ({ decided, forwarded, archived, answered }: CommittedMail): readonly string[] => [
  "received",
  ...(forwarded ? ["forwarded"] : []),
  ...(decided.held.length === 0 ? [] : ["held"]),
  ...(decided.block === null ? [] : ["blocked"]),
  ...(decided.block !== null && decided.spam?.rating === "spam" ? ["spam"] : []),
  ...(archived ? ["archived"] : []),
  ...(answered ? ["answered"] : []),
  ...(decided.removedTrackers > 0 ? ["cleaned"] : []),
];

const toFacts = (mail: CommittedMail, now: number): MailFacts => {
  const { route, decision, block, category, senderDomain, spam, evidence } = mail.decided;
  const authentication = spam?.authentication ?? evidence?.authentication;
  const { applied, tags } = decision;
  return {
    userId: route.userId,
    maskId: route.maskId,
    period: periodOf(route.historyMs, now),
    flow: flowOf(mail),
    outcome: toOutcome(mail),
    senderDomain,
    category,
    tags,
    actions: applied.flatMap(({ actions }) => actions),
    types: applied.map(({ type }) => type),
    rules: applied.map(({ id }) => id),
    threatLevel: block?.threatLevel ?? null,
    reason: block?.reason ?? null,
    verdicts: authentication ? verdictsOf(authentication) : [],
  };
};

const countMails = async (
  { database, db, now }: MailCommit,
  mails: readonly CommittedMail[],
): Promise<void> => {
  const classified = mails.filter(({ decided }) => decided.category !== null);
  const owners = [...new Set(classified.map(({ decided }) => decided.route.userId))];
  const allowed = await findUsersWithConsent(db, owners, now);
  const facts = mails.map((mail) => toFacts(mail, now));
  // An owner may have withdrawn consent while the mail was processed.
  const known = facts.map((one) =>
    one.category === null || allowed.has(one.userId) ? one : { ...one, category: null },
  );
  await recordNewMails(database, db, known, now);
};

/** Creates what counts mails for the insights, and tells owners of the share of the month that is used. */
export const createInsightsRecord = (sampleSenders: SampleSenders): MailRecord => ({
  store: async (commit, mails) => {
    await countMails(commit, mails);
    for (const reached of commit.reached)
      await announceUsage(commit.database, commit.db, reached, commit.now);
  },
  stored: sampleSenders,
});

/** Creates the function that counts a sender check which finished after its mail was counted. */
export const createRecordVerdict = (
  { engine }: Pick<Database, "engine">,
  group: GroupCommit,
  clock: Pick<Clock, "now">,
): RecordVerdict => {
  const submit = group.kind<readonly Count[], null>(
    async (db, verdicts) => {
      await addCounts(db, engine, verdicts.flat(), clock.now());
      return verdicts.map(() => null);
    },
    { weightOf: () => 1, canWait: true },
  );
  return async ({ userId, maskId, historyMs }, authentication) => {
    const count = { userId, kind: "verdict", period: periodOf(historyMs, clock.now()), n: 1 } as const;
    await submit(
      verdictsOf(authentication).flatMap((key) =>
        [null, maskId].map((id) => ({ ...count, maskId: id, key })),
      ),
    );
  };
};
