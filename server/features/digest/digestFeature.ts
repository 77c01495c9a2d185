import type { CreateFeature } from "../../context/feature.ts";
import { toPart } from "../../platform/ops/lifecycle.ts";
import type { MailCommit, MailRecord, StoredDecision, StoredEffect } from "../../relay/mailPart.ts";
import { createDigest } from "./digest.ts";
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
const digestRecord: MailRecord = {
  keep: (commit, mail) => (mail.decided.digest.length > 0 ? collect(commit, mail) : undefined),
};

/** Mail that rules collect, sent as one mail an hour or a day. */
export const digestFeature: CreateFeature = (context) => ({
  mail: { records: [digestRecord] },
  jobs: [toPart("digest", createDigest({ ...context, onQueued: context.delivery.wake }).start)],
});
