import type { FastifyInstance } from "fastify";
import { archiveRoutes } from "../features/archive/archiveRoutes.ts";
import { createUserArchive } from "../features/archive/userArchive.ts";
import { breachRoutes } from "../features/breaches/breachRoutes.ts";
import { bulkRoutes } from "../features/bulk/bulkRoutes.ts";
import { contentAccessRoutes } from "../features/contentAccess/contentAccessRoutes.ts";
import { createUserContentAccess } from "../features/contentAccess/userContentAccess.ts";
import { correspondentRoutes } from "../features/correspondents/correspondentRoutes.ts";
import { createUserCorrespondents } from "../features/correspondents/correspondents.ts";
import { createReverseAddresses } from "../features/correspondents/reverseAddresses.ts";
import { confirmationRoutes } from "../features/destinations/confirmationRoutes.ts";
import { destinationRoutes } from "../features/destinations/destinationRoutes.ts";
import { domainRoutes } from "../features/domains/domainRoutes.ts";
import { createUserDomains } from "../features/domains/userDomains.ts";
import { checkPublicKey } from "../features/encryption/checkPublicKey.ts";
import { keyRoutes } from "../features/encryption/keyRoutes.ts";
import { createUserKeys } from "../features/encryption/userKeys.ts";
import { webKeyDirectory } from "../features/encryption/webKeyDirectory.ts";
import { heldLinkRoutes } from "../features/held/heldLinkRoutes.ts";
import { heldRoutes } from "../features/held/heldRoutes.ts";
import { createUserHeldMails } from "../features/held/userHeldMails.ts";
import { readCategories } from "../features/insights/figures.ts";
import { insightsRoutes } from "../features/insights/insightsRoutes.ts";
import { countNewMailsWithin } from "../features/insights/newMails.ts";
import { createUserInsights } from "../features/insights/userInsights.ts";
import { labelRoutes } from "../features/labels/labelRoutes.ts";
import { lastMailRoutes } from "../features/lastMails/lastMailRoutes.ts";
import { logRoutes } from "../features/mailLog/logRoutes.ts";
import type { MaskDeps } from "../features/maskDeps.ts";
import { maskRoutes } from "../features/masks/maskRoutes.ts";
import { createUserMasks } from "../features/masks/userMasks.ts";
import { notificationRoutes } from "../features/notifications/notificationRoutes.ts";
import { accountRuleRoutes } from "../features/rules/accountRuleRoutes.ts";
import { senderRoutes } from "../features/senders/senderRoutes.ts";
import { createUserMaskSenders } from "../features/senders/userMaskSenders.ts";
import { trashRoutes } from "../features/trash/trashRoutes.ts";
import { createUserTrash } from "../features/trash/userTrash.ts";
import { refusalHelpRoute } from "../relay/replies/refusalHelpRoute.ts";
import type { HttpAppDeps, Services } from "./services.ts";

type Routes = (fastify: FastifyInstance) => void;

/** Creates the access to content that users agree to. */
export const createContentAccess = ({ config: { aiModel }, database, clock, feed }: HttpAppDeps) =>
  createUserContentAccess({
    database,
    clock,
    feed,
    externalModel: aiModel && new URL(aiModel.url).host,
    countNewMails: (db) => countNewMailsWithin(database, db),
  });

/** Creates the routes of masks, their rules and their mail. */
export const createMailRoutes = (deps: HttpAppDeps, services: Services): readonly Routes[] => {
  const { config, secrets, database, clock, random, feed, delivery, patterns } = deps;
  const { hash, seal, sender, authGuard, notifications, senderLists } = services;
  const { maskDomain } = config;
  const maskDeps: MaskDeps = {
    database,
    clock,
    random,
    hash,
    senderLists,
    sender,
    feed,
    delivery,
    patterns,
  };
  const heldMails = createUserHeldMails({ database, seal, senderLists, clock, random, feed, delivery });
  return [
    maskRoutes({ masks: createUserMasks(maskDeps, services.listMasks, readCategories), authGuard }),
    trashRoutes({ trash: createUserTrash(maskDeps), authGuard }),
    bulkRoutes({ deps: maskDeps, authGuard }),
    destinationRoutes({ deps: maskDeps, authGuard, checkPublicKey }),
    labelRoutes({ deps: maskDeps, authGuard }),
    accountRuleRoutes({ deps: maskDeps, authGuard }),
    domainRoutes({
      domains: createUserDomains({
        database,
        clock,
        random,
        seal,
        feed,
        options: { maskDomain },
        subdomains: config.subdomains,
        signs: config.dkim === "on",
        checkDomain: deps.checkDomain,
        checkSubdomainName: deps.checkSubdomainName,
      }),
      authGuard,
    }),
    confirmationRoutes(maskDeps),
    keyRoutes({ keys: createUserKeys({ database, clock, feed }), authGuard }),
    webKeyDirectory({ database, maskDomain }),
    notificationRoutes({ notifications, authGuard }),
    insightsRoutes({ insights: createUserInsights({ database, clock, feed }), authGuard }),
    contentAccessRoutes({
      access: createContentAccess(deps),
      authGuard,
    }),
    correspondentRoutes({
      correspondents: createUserCorrespondents({
        database,
        reverseAddresses: createReverseAddresses({ secrets, random, clock, database }),
        senderLists,
        maskDomain,
        clock,
        feed,
      }),
      authGuard,
    }),
    heldRoutes({ heldMails, authGuard }),
    senderRoutes({ maskSenders: createUserMaskSenders({ database, senderLists, clock, feed }), authGuard }),
    refusalHelpRoute(sender),
    breachRoutes({ database, authGuard, ranges: config.breachRanges }),
    heldLinkRoutes({ database, seal, clock, hash, sender, heldMails }),
    archiveRoutes({ archive: createUserArchive({ database, clock, feed }), authGuard }),
    logRoutes({ database, clock, feed, authGuard }),
    lastMailRoutes({ database, clock, authGuard }),
  ];
};
