import type { Db } from "../../platform/store/database.ts";
import { type CodeRow, findCodes } from "../codes/codeQueries.ts";
import type { PushFacts } from "../pushDevices/announcePush.ts";

/** Returns the code that a notification is about; undefined without one, and once it was used or has expired. */
export const findPushedCode = async (
  db: Db,
  userId: string,
  { codeId, maskId }: Pick<PushFacts, "codeId" | "maskId">,
  now: number,
): Promise<CodeRow | undefined> => {
  if (codeId === undefined || maskId === undefined) return undefined;
  return (await findCodes(db, { userId, maskId }, now)).find(({ id }) => id === codeId);
};
