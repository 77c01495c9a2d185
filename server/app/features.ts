import type { CreateFeature, Feature, SessionHttp } from "../context/feature.ts";
import type { ServerContext } from "../context/serverContext.ts";
import { accountFeature } from "../features/account/accountFeature.ts";
import { actionLinksFeature } from "../features/actionLinks/actionLinkFeature.ts";
import { addyFeature } from "../features/addy/addyFeature.ts";
import { apiTokensFeature } from "../features/apiTokens/apiTokenFeature.ts";
import { createFindTokenCaller } from "../features/apiTokens/findTokenCaller.ts";
import { appPasswordsFeature } from "../features/appPasswords/appPasswordFeature.ts";
import { archiveFeature } from "../features/archive/archiveFeature.ts";
import { billingFeature } from "../features/billing/billingFeature.ts";
import { createBillingServices } from "../features/billing/billingServices.ts";
import { breachesFeature } from "../features/breaches/breachFeature.ts";
import { bulkFeature } from "../features/bulk/bulkFeature.ts";
import { codesFeature } from "../features/codes/codeFeature.ts";
import { contentAccessFeature } from "../features/contentAccess/contentAccessFeature.ts";
import { correspondentsFeature } from "../features/correspondents/correspondentFeature.ts";
import { destinationsFeature } from "../features/destinations/destinationFeature.ts";
import { digestFeature } from "../features/digest/digestFeature.ts";
import { domainsFeature } from "../features/domains/domainFeature.ts";
import { createMasksByMail } from "../features/domains/masksByMail.ts";
import { encryptionFeature } from "../features/encryption/encryptionFeature.ts";
import { heldFeature } from "../features/held/heldFeature.ts";
import { createInsightServices } from "../features/insights/insightServices.ts";
import { insightsFeature } from "../features/insights/insightsFeature.ts";
import { labelsFeature } from "../features/labels/labelFeature.ts";
import { lastMailsFeature } from "../features/lastMails/lastMailFeature.ts";
import { mailLogFeature } from "../features/mailLog/mailLogFeature.ts";
import { masksFeature } from "../features/masks/maskFeature.ts";
import { createMaskServices } from "../features/masks/maskServices.ts";
import { notificationsFeature } from "../features/notifications/notificationFeature.ts";
import { oidcFeature } from "../features/oidc/oidcFeature.ts";
import { operatorFeature } from "../features/operator/operatorFeature.ts";
import { passkeysFeature } from "../features/passkeys/passkeyFeature.ts";
import { pushFeature } from "../features/push/pushFeature.ts";
import { repliesFeature } from "../features/replies/replyFeature.ts";
import { createReplyServices, type ReplyServices } from "../features/replies/replyServices.ts";
import { reportsFeature } from "../features/reports/reportFeature.ts";
import { rulesFeature } from "../features/rules/ruleFeature.ts";
import { sendersFeature } from "../features/senders/senderFeature.ts";
import { sessionFeature } from "../features/session/sessionFeature.ts";
import { createSessionServices, type SessionServices } from "../features/session/sessionServices.ts";
import { signInCodesFeature } from "../features/signInCodes/signInCodeFeature.ts";
import { simpleLoginFeature } from "../features/simplelogin/simpleLoginFeature.ts";
import { trashFeature } from "../features/trash/trashFeature.ts";
import { unsubscribeFeature } from "../features/unsubscribe/unsubscribeFeature.ts";
import { webhooksFeature } from "../features/webhooks/webhookFeature.ts";
import { createSessionHttp } from "./sessionHttp.ts";

/** All features, in the order in which their jobs start and their parts of mail are folded. */
const features: readonly CreateFeature[] = [
  sessionFeature,
  oidcFeature,
  signInCodesFeature,
  accountFeature,
  appPasswordsFeature,
  apiTokensFeature,
  passkeysFeature,
  billingFeature,
  // Its notifications lock the owner before other records lock rows of masks.
  heldFeature,
  // The fields that leave a list are written before those of answers, and both before the links of a mask.
  unsubscribeFeature,
  repliesFeature,
  // Answers and reports look at the addresses of mail before masks do.
  reportsFeature,
  masksFeature,
  actionLinksFeature,
  trashFeature,
  bulkFeature,
  destinationsFeature,
  labelsFeature,
  rulesFeature,
  sendersFeature,
  domainsFeature,
  encryptionFeature,
  insightsFeature,
  contentAccessFeature,
  correspondentsFeature,
  breachesFeature,
  archiveFeature,
  mailLogFeature,
  lastMailsFeature,
  codesFeature,
  digestFeature,
  // Archive and digest lock what is kept before a notification locks its owner.
  notificationsFeature,
  webhooksFeature,
  pushFeature,
  simpleLoginFeature,
  addyFeature,
  operatorFeature,
];

/** The features of a server, and what sessions offer to its HTTP server. */
export interface Features {
  readonly all: readonly Feature[];
  readonly session: SessionServices;
  readonly cookies: SessionHttp["cookies"];
  /** Proves the sessions and tokens of requests. */
  readonly authGuard: SessionHttp["authGuard"];
  readonly takesPayments: boolean;
  readonly replies: ReplyServices;
}

/** Creates all features. */
export const createServerFeatures = async (context: ServerContext): Promise<Features> => {
  const session = createSessionServices(context);
  const sessionHttp = createSessionHttp(context, {
    findSession: session.sessions.authenticate,
    findTokenCaller: createFindTokenCaller(context),
  });
  const billing = await createBillingServices(context);
  const given = {
    ...context,
    ...sessionHttp,
    session,
    billing,
    masks: createMaskServices(context),
    masksByMail: createMasksByMail(context),
    replies: createReplyServices(context),
    insights: createInsightServices(context),
  };
  return {
    all: features.map((createFeature) => createFeature(given)),
    session,
    cookies: sessionHttp.cookies,
    authGuard: sessionHttp.authGuard,
    takesPayments: billing.payments !== null,
    replies: given.replies,
  };
};
