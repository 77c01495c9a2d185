import { toBuffer } from "../../../server/delivery/outgoingCopy.ts";
import type { BodyReader } from "../../../server/delivery/queue/bodyStore.ts";
import { findQueuedCopy } from "../../../server/delivery/queue/queuedContent.ts";
import { rowBodies } from "../../../server/delivery/queue/rowBodies.ts";
import type { TransportMail } from "../../../server/delivery/transport.ts";
import type { Db } from "../../../server/platform/store/database.ts";
import { refuseBystanderInMail } from "../../support/bystanderMarker.ts";
import { bystander } from "./bystander.ts";

/** Returns the queued mails, oldest first, each with its whole content; a finished mail has empty content. */
export const readQueue = async (db: Db, bodies: BodyReader = rowBodies) => {
  const rows = await db
    .selectFrom("queue")
    .where("user_id", "is distinct from", bystander.id)
    .selectAll()
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return Promise.all(
    rows.map(async (row) => {
      const mail = { id: row.id, bodyId: row.body_id, bodyHead: row.body_head, size: row.size };
      const read = await findQueuedCopy(db, bodies, mail);
      const content = read ? await toBuffer(read()) : Buffer.alloc(0);
      refuseBystanderInMail("a mail in the queue", content);
      return { ...row, content };
    }),
  );
};

/** Adds the content to a mail as a transport expects it. */
export const withContent = <A>(mail: A, content: Uint8Array): A & Pick<TransportMail, "size" | "chunks"> => ({
  ...mail,
  size: content.length,
  chunks: () => [Buffer.from(content)],
});
