import type { ServerContext } from "../context/serverContext.ts";
import { createMasksByMail } from "../features/domains/masksByMail.ts";
import { mayUseAddress } from "../features/masks/addressRight.ts";
import { expireMask } from "../features/masks/expireMask.ts";
import { findMailRoute } from "../features/masks/findMailRoute.ts";
import { createNoticeOffMail } from "../features/masks/offMailNotice.ts";
import { notifyBounce } from "../features/notifications/failureNotice.ts";
import type { TaggedCorrespondent } from "../features/replies/knownRecipients.ts";
import { createCountLateBounces } from "../features/replies/lateBounces.ts";
import { createComplaints } from "../features/reports/complaints/complaints.ts";
import { type ReadReport, reportThreads } from "../features/reports/received/readReport.ts";
import { createReceiverReports } from "../features/reports/receiveReport.ts";
import type { RawMail } from "../mime/rawMail.ts";
import { createInstallationShares, reportShare } from "../relay/limits/installationShares.ts";
import { createNewMaskShare } from "../relay/limits/newMaskShare.ts";
import type { MailRoute } from "../relay/mailRoute.ts";
import type { Features } from "./features.ts";

/** Finds the mask of an address; one whose date has come expires first. */
const createFindMask =
  ({ database, clock, config: { maskDomain } }: ServerContext) =>
  async (address: string): Promise<MailRoute | null> => {
    const route = await findMailRoute(database.engine, address);
    if (route && !(await mayUseAddress(database.db, { userId: route.userId, email: address }, maskDomain)))
      return null;
    const now = clock.now();
    if (!route?.active || route.expiresAt === null || route.expiresAt > now) return route;
    await database.transaction((db) => expireMask(db, route, "its date has come", now));
    return findMailRoute(database.engine, address);
  };

/** Returns what recipients need of features. */
export const recipientsOf = (context: ServerContext, { replies: { replies, countReply } }: Features) => {
  const { config, relay, database, clock, log, hash } = context;
  const { maskDomain } = config;
  const masksByMail = createMasksByMail(context);
  return {
    masksByMail,
    findMaskOf: createFindMask(context),
    mayMakeMask: createNewMaskShare(context.rates),
    noticeOffMail: createNoticeOffMail({ database, clock }),
    findOwnAnswers: replies.findOwnAnswers,
    notifyBounce,
    complaints: createComplaints({ database, clock, log, onNotified: () => relay.onQueued(false) }),
    countLateBounces: createCountLateBounces({ database, hash, clock, prepareStep: relay.prepareStep }),
    receiverReports: createReceiverReports({
      ...relay,
      maskDomain,
      masksByMail,
      pool: relay.openThreads<Uint8Array, ReadReport>(reportThreads),
      shares: createInstallationShares(relay, "reports of receivers", reportShare),
    }),
    replies: {
      find: replies.find,
      namesOwner: replies.namesOwner,
      receive: (
        { content, envelope }: RawMail,
        localParts: readonly string[],
        tagged: readonly TaggedCorrespondent[],
      ) =>
        relay.wholeMails.use(content, async (readAll) => {
          const { head, size } = content;
          const evidence = await relay.judgeOwner({ head, size, readAll }, envelope);
          const refusal = await replies.receive({
            content: await readAll(),
            envelope,
            localParts,
            tagged,
            evidence,
          });
          return refusal === "stranger" ? refusal : countReply(refusal);
        }),
    },
  };
};
