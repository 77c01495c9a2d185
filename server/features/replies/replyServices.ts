import type { ServerContext } from "../../context/serverContext.ts";
import { createSentLog } from "../../delivery/mailLog/sentLog.ts";
import type { WorkerPool } from "../../platform/workers/workerPool.ts";
import type { SmtpReply } from "../../smtp/smtpReplies.ts";
import { createReplies, type Replies } from "./replies.ts";
import { type ReplyTask, type ReplyTaskResult, replyThreads } from "./rewrite/replyWriter.ts";
import type { OutgoingMail } from "./submitMail.ts";

/** The offers of replies to other features. */
export interface ReplyServices {
  readonly replies: Replies;
  /** Sends mail of users from their masks. */
  readonly outgoing: OutgoingMail;
  /** Returns the reply that refuses a mail, after it was counted; null for a mail that is sent. */
  readonly countReply: (refusal: SmtpReply | null) => SmtpReply | null;
  /** The threads that write replies. */
  readonly threads: Pick<WorkerPool<ReplyTask, ReplyTaskResult>, "stop">;
}

/** Creates the sending of mail from masks: replies, and the mail of programs. */
export const createReplyServices = (context: ServerContext): ReplyServices => {
  const { config, relay, feed } = context;
  const threads = relay.openThreads<ReplyTask, ReplyTaskResult>(replyThreads);
  const replies = createReplies({
    ...context,
    ...relay,
    maskDomain: config.maskDomain,
    publicUrl: config.publicUrl,
    repliesPerDay: config.repliesPerDay,
    pool: threads,
    changes$: feed.changes$,
    sentLog: createSentLog({ ...context, group: relay.group, seal: relay.sealDetail }),
  });
  const countReply = (refusal: SmtpReply | null): SmtpReply | null => {
    relay.metrics.countReply(refusal ? "refused" : "sent");
    return refusal;
  };
  return {
    replies,
    outgoing: {
      findOwn: replies.findOwn,
      findTagged: replies.findTagged,
      sendAgain: replies.sendAgain,
      submit: (userId, content, recipients) =>
        relay.wholeMails.use(content, async (readAll) =>
          countReply(await replies.submit({ userId, content: await readAll(), recipients })),
        ),
    },
    countReply,
    threads,
  };
};

declare module "../../context/feature.ts" {
  interface FeatureContext {
    readonly replies: ReplyServices;
  }
}
