import type { MailCommit, MailRecord, StoredDecision, StoredEffect } from "../../relay/mailPart.ts";
import { addDigestMail } from "./digestQueries.ts";

const collect = async (
  { db, now, random }: MailCommit,
  { decided: { route, digest }, network }: StoredDecision,
): Promise<StoredEffect> => {
  const { userId, maskId } = route;
  for (const copy of digest) await addDigestMail(db, { userId, maskId, network, ...copy }, { now, random });
  return {};
};

/** Collects the copies that go with the mails of an hour or a day, in the transaction of their mail. */
export const digestRecord: MailRecord = {
  keep: (commit, mail) => (mail.decided.digest.length > 0 ? collect(commit, mail) : undefined),
};
