import { lastMailLimits } from "../../../core/lastMails/lastMailEndpoints.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";
import { findAccountKey, type SealingPool } from "../../delivery/mailLog/sealDetail.ts";
import { isInMemory } from "../../delivery/outgoingCopy.ts";
import type { MailContent } from "../../platform/spool/mailContent.ts";
import type { Database } from "../../platform/store/database.ts";
import { newQueueId } from "../../platform/store/id.ts";
import type { MailRecord } from "../../relay/mailPart.ts";
import type { MailRoute } from "../../relay/mailRoute.ts";
import { type NewLastMail, recordLastMails } from "./lastMailQueries.ts";

/**
 * Encrypts a mail for each route whose user keeps the last mails and has a key; it is left out where that fails. Never
 * rejects, and does nothing without such a user.
 */
export type PrepareLastMails = (
  content: MailContent,
  routes: readonly Pick<MailRoute, "userId" | "maskId" | "keepsLastMails">[],
) => Promise<readonly NewLastMail[]>;

export interface KeepLastMailsDeps {
  readonly database: Pick<Database, "engine">;
  readonly pool: Pick<SealingPool, "run">;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
}

/** Returns the first bytes of a mail, as many as are kept. */
const readStart = async (content: MailContent): Promise<Buffer> => {
  const { bytes } = lastMailLimits;
  if (isInMemory(content) || content.head.length >= bytes) return content.head.subarray(0, bytes);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content.chunks()) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= bytes) break;
  }
  return Buffer.concat(chunks).subarray(0, bytes);
};

/** Creates the function that encrypts mails in worker threads. */
const createPrepareLastMails = ({ database, pool, clock, random }: KeepLastMailsDeps): PrepareLastMails => {
  const encrypt = async (userId: string, start: Buffer): Promise<Uint8Array | null> => {
    const [key] = await database.engine.readCached<{ readonly public_key: string }>(findAccountKey, [userId]);
    return key ? pool.run({ content: start, publicKey: key.public_key, boundary: null }, userId) : null;
  };
  return async (content, routes) => {
    const keeping = routes.filter(({ keepsLastMails }) => keepsLastMails);
    if (keeping.length === 0) return [];
    const receivedAt = clock.now();
    const prepare = async (start: Buffer, { userId, maskId }: (typeof keeping)[number]) => {
      const sealed = await encrypt(userId, start);
      const { size } = content;
      return sealed
        ? [{ id: newQueueId(random, receivedAt), userId, maskId, receivedAt, size, content: sealed }]
        : [];
    };
    try {
      const start = await readStart(content);
      return (await Promise.all(keeping.map((route) => prepare(start, route).catch(() => [])))).flat();
    } catch {
      return [];
    }
  };
};

/** Creates what keeps the last mails of those who want that, in the transaction of each mail. */
export const createLastMailRecord = (deps: KeepLastMailsDeps): MailRecord<readonly NewLastMail[]> => {
  const prepareLastMails = createPrepareLastMails(deps);
  return {
    prepare: ({ content }, decisions) =>
      prepareLastMails(
        content,
        decisions.map(({ route }) => route),
      ),
    weightOf: (mails) => mails.reduce((sum, { content }) => sum + content.length, 0),
    // Masks of one mail have the same list.
    store: ({ database, db }, _, prepared) => recordLastMails(database, db, [...new Set(prepared)].flat()),
  };
};
