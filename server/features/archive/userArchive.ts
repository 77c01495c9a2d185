import type { ArchivedMail, ArchivePage } from "../../../core/archive/archiveEndpoints.ts";
import { bytesOf, limitsOf, parseTier } from "../../../core/tiers/tier.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { readArchivedBytes } from "../../delivery/queue/keptBytes.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { isId } from "../../platform/store/id.ts";
import type { RecordAnswer } from "../../platform/store/recordAnswer.ts";
import { findUser } from "../../platform/store/users.ts";
import {
  type ArchivedMailRow,
  deleteArchivedMailRow,
  listArchivedMails,
  openArchivedMail,
} from "./archiveQueries.ts";

/** A user's archive (D32). */
export interface UserArchive {
  /** Returns the newest mails before a position, and how much of the plan's storage they use. */
  readonly list: (
    userId: string,
    page: { readonly maskId?: string | undefined; readonly before?: string | undefined },
  ) => Promise<ArchivePage>;
  /** Returns the content of a mail. Rejects with 404 when it is not in the user's archive. */
  readonly read: (userId: string, id: string, options: { readonly marksRead: boolean }) => Promise<Buffer>;
  /** Deletes a mail. Rejects with 404 when it is not in the user's archive. */
  readonly remove: (userId: string, id: string, recordAnswer: RecordAnswer<void>) => Promise<void>;
}

const pageSize = 200;

const toArchivedMail = ({ createdAt, expiresAt, ...row }: ArchivedMailRow): ArchivedMail => ({
  ...row,
  archived: new Date(createdAt).toISOString(),
  ...(expiresAt !== null && { until: new Date(expiresAt).toISOString() }),
});

const mailNotFound = (): UseCaseError =>
  new UseCaseError("missing", "This mail is not in your archive any more.");

export const createUserArchive = ({
  database,
  clock,
  feed,
}: Pick<ServerContext, "database" | "clock" | "feed">): UserArchive => ({
  list: async (userId, { maskId, before }) => {
    const { db } = database;
    const rows = await listArchivedMails(db, userId, { maskId, before, limit: pageSize + 1 });
    const user = await findUser(db, userId);
    return {
      mails: rows.slice(0, pageSize).map(toArchivedMail),
      more: rows.length > pageSize,
      storage: {
        used: await readArchivedBytes(db, userId),
        limit: bytesOf(limitsOf[parseTier(user?.tier)].storage),
      },
    };
  },

  read: async (userId, id, options) => {
    const content = isId(id) ? await openArchivedMail(database.db, userId, id, options) : null;
    if (!content) throw mailNotFound();
    return Buffer.from(content);
  },

  remove: async (userId, id, recordAnswer) => {
    if (!isId(id)) throw mailNotFound();
    await database.transaction(async (db) => {
      if (!(await deleteArchivedMailRow(db, userId, id))) throw mailNotFound();
      const change = { resource: "archive", resourceId: id, action: "deleted" };
      await appendEvent(db, { userId, ...change }, clock.now());
      await recordAnswer(db);
    });
    feed.wake();
  },
});
