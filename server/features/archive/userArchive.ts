import type { ArchivedMail, ArchivePage } from "../../../core/archive/archiveEndpoints.ts";
import { bytesOf, limitsOf, parseTier } from "../../../core/tiers/tier.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { readArchivedBytes } from "../../delivery/queue/keptBytes.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { isId } from "../../platform/store/id.ts";
import { findUser } from "../../platform/store/users.ts";
import {
  type ArchivedMailRow,
  deleteArchivedMailRow,
  listArchivedMails,
  openArchivedMail,
} from "./archiveQueries.ts";

const pageSize = 200;

const toArchivedMail = ({ createdAt, expiresAt, ...row }: ArchivedMailRow): ArchivedMail => ({
  ...row,
  archived: new Date(createdAt).toISOString(),
  ...(expiresAt !== null && { until: new Date(expiresAt).toISOString() }),
});

const mailNotFound = (): UseCaseError =>
  new UseCaseError("missing", "This email is no longer in your archive.");

/** Returns the newest mails of a user's archive before a position, and how much of the plan's storage they use (D32). */
export const listArchive = async (
  db: Db,
  userId: string,
  { maskId, before }: { readonly maskId?: string | undefined; readonly before?: string | undefined },
): Promise<ArchivePage> => {
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
};

/** Returns the content of a mail. Rejects with 404 when it is not in the user's archive. */
export const readArchivedMail = async (
  db: Db,
  userId: string,
  id: string,
  options: { readonly marksRead: boolean },
): Promise<Buffer> => {
  const content = isId(id) ? await openArchivedMail(db, userId, id, options) : null;
  if (!content) throw mailNotFound();
  return Buffer.from(content);
};

/** Deletes a mail. Rejects with 404 when it is not in the user's archive. */
export const removeArchivedMail = async (
  { clock }: Pick<ServerContext, "clock">,
  tx: Db,
  userId: string,
  id: string,
): Promise<void> => {
  if (!isId(id) || !(await deleteArchivedMailRow(tx, userId, id))) throw mailNotFound();
  await appendEvent(tx, { userId, resource: "archive", resourceId: id, action: "deleted" }, clock.now());
};
