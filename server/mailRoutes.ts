import type { FastifyInstance } from "fastify";
import { logRoutes } from "./account/logRoutes.ts";
import { archiveRoutes } from "./archive/archiveRoutes.ts";
import { createUserArchive } from "./archive/userArchive.ts";
import { breachRoutes } from "./breaches/breachRoutes.ts";
import { contentAccessRoutes } from "./contentAccess/contentAccessRoutes.ts";
import { createUserContentAccess } from "./contentAccess/userContentAccess.ts";
import { domainRoutes } from "./domains/domainRoutes.ts";
import { createUserDomains } from "./domains/userDomains.ts";
import { checkPublicKey } from "./encryption/checkPublicKey.ts";
import { keyRoutes } from "./encryption/keyRoutes.ts";
import { createUserKeys } from "./encryption/userKeys.ts";
import { webKeyDirectory } from "./encryption/webKeyDirectory.ts";
import { heldLinkRoutes } from "./held/heldLinkRoutes.ts";
import { heldRoutes } from "./held/heldRoutes.ts";
import { createUserHeldMails } from "./held/userHeldMails.ts";
import { createUserMaskSenders } from "./held/userMaskSenders.ts";
import { readCategories } from "./insights/figures.ts";
import { insightsRoutes } from "./insights/insightsRoutes.ts";
import { countNewMailsWithin } from "./insights/newMails.ts";
import { createUserInsights } from "./insights/userInsights.ts";
import { lastMailRoutes } from "./lastMails/lastMailRoutes.ts";
import { accountRuleRoutes } from "./masks/accountRuleRoutes.ts";
import { bulkRoutes } from "./masks/bulkRoutes.ts";
import { confirmationRoutes } from "./masks/confirmationRoutes.ts";
import { destinationRoutes } from "./masks/destinationRoutes.ts";
import { labelRoutes } from "./masks/labelRoutes.ts";
import type { MaskDeps } from "./masks/maskDeps.ts";
import { maskRoutes } from "./masks/maskRoutes.ts";
import { trashRoutes } from "./masks/trashRoutes.ts";
import { createUserMasks } from "./masks/userMasks.ts";
import { createUserTrash } from "./masks/userTrash.ts";
import { notificationRoutes } from "./notifications/notificationRoutes.ts";
import { correspondentRoutes } from "./replies/correspondentRoutes.ts";
import { createUserCorrespondents } from "./replies/correspondents.ts";
import { refusalHelpRoute } from "./replies/refusalHelpRoute.ts";
import { createReverseAddresses } from "./replies/reverseAddresses.ts";
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
    heldRoutes({
      heldMails,
      maskSenders: createUserMaskSenders({ database, senderLists, clock, feed }),
      authGuard,
    }),
    refusalHelpRoute(sender),
    breachRoutes({ database, authGuard, ranges: config.breachRanges }),
    heldLinkRoutes({ database, seal, clock, hash, sender, heldMails }),
    archiveRoutes({ archive: createUserArchive({ database, clock, feed }), authGuard }),
    logRoutes({ database, clock, feed, authGuard }),
    lastMailRoutes({ database, clock, authGuard }),
  ];
};
