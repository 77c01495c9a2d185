import type { CreateFeature } from "../../context/feature.ts";
import { toPart } from "../../platform/ops/lifecycle.ts";
import { refusalHelpRoute } from "./refusalHelpRoutes.ts";
import { createReplyPart } from "./replyPart.ts";
import { replyRoutes } from "./replyRoutes.ts";
import { pruneSentMessageIds } from "./sentMessageIds.ts";
import { createSendWrittenMail } from "./writtenMail.ts";

/** Mail from masks: answers of owners, what they write in the app, and what was refused before. */
export const repliesFeature: CreateFeature = (context) => {
  const { authGuard, config, sender } = context;
  const { replies, outgoing, threads } = context.replies;
  const sendWritten = createSendWrittenMail({ ...context, maskDomain: config.maskDomain, outgoing });
  return {
    routes: [
      refusalHelpRoute(sender),
      replyRoutes({ authGuard, sendAgain: outgoing.sendAgain, sendWritten }),
    ],
    mail: createReplyPart(replies),
    jobs: [toPart("threads of replies", () => threads.stop)],
    prune: { pruneSentMessageIds },
  };
};
