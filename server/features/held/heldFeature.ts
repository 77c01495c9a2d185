import type { CreateFeature } from "../../context/feature.ts";
import { toPart } from "../../platform/ops/lifecycle.ts";
import { createResourceFeature } from "../../platform/socket/socketFeature.ts";
import { createEncryptToOwner } from "../../relay/encrypt/encryptCopies.ts";
import { pruneReports } from "./failureReportQueries.ts";
import { heldLinkRoutes } from "./heldLinkRoutes.ts";
import { createHeldLinks } from "./heldLinks.ts";
import { createHeldNoticeJob } from "./heldNotice.ts";
import { heldRoutes } from "./heldRoutes.ts";
import { createHeldRecord } from "./holdNewMail.ts";
import { pruneHeldMails } from "./pruneHeldMails.ts";

/** Mail that waits for the decision of its owner. */
export const heldFeature: CreateFeature = (context) => ({
  routes: [heldRoutes(context), heldLinkRoutes(context)],
  socket: [createResourceFeature("held")],
  mail: { records: [createHeldRecord(context.seal)] },
  jobs: [
    toPart(
      "heldNotices",
      createHeldNoticeJob({
        ...context,
        links: createHeldLinks(context.hash, context.config.publicUrl),
        encryptToOwner: createEncryptToOwner(context.findEncryption),
        onQueued: context.delivery.wake,
      }).start,
    ),
  ],
  prune: { pruneHeldMails, pruneReports },
});
