import type { CreateFeature, FeatureContext } from "../../context/feature.ts";
import { toPart } from "../../platform/ops/lifecycle.ts";
import type { RecipientKind } from "../../relay/receive/recipientKind.ts";
import { createCountLateBounces } from "./lateBounces.ts";
import { refusalHelpRoute } from "./refusalHelpRoutes.ts";
import { createReplyPart } from "./replyPart.ts";
import { createReplyRecipients, type FoundCorrespondent } from "./replyRecipients.ts";
import { replyRoutes } from "./replyRoutes.ts";
import { pruneSentMessageIds } from "./sentMessageIds.ts";
import { createSendWrittenMail } from "./writtenMail.ts";

const createRecipients = (context: FeatureContext): RecipientKind<FoundCorrespondent> => {
  const { config, relay, masks, masksByMail, database, clock, hash } = context;
  const { replies, countReply } = context.replies;
  return createReplyRecipients({
    maskDomain: config.maskDomain,
    publicUrl: config.publicUrl,
    findMask: masks.findMask,
    makesMask: async ({ localPart, domain }) =>
      typeof (await masksByMail.routeTo(localPart, domain)) === "object",
    masks: masks.recipients,
    replies,
    send: ({ content, envelope }, localParts, tagged) =>
      relay.wholeMails.use(content, async (readAll) => {
        const { head, size } = content;
        const evidence = await relay.judgeOwner({ head, size, readAll }, envelope);
        const whole = await readAll();
        const result = await replies.receive({ content: whole, envelope, localParts, tagged, evidence });
        if (result.kind === "answered") countReply(result.reply);
        return result;
      }),
    countLateBounces: createCountLateBounces({ database, hash, clock, prepareStep: relay.prepareStep }),
    judge: relay.judge,
  });
};

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
    mail: { recipients: [createRecipients(context)], ...createReplyPart(replies) },
    jobs: [toPart("threads of replies", () => threads.stop)],
    prune: { pruneSentMessageIds },
  };
};
