import { accountFeature } from "../features/account/feature.ts";
import { actionLinksFeature } from "../features/actionLinks/feature.ts";
import { addyFeature } from "../features/addy/feature.ts";
import { apiTokensFeature } from "../features/apiTokens/feature.ts";
import { createFindTokenCaller } from "../features/apiTokens/findTokenCaller.ts";
import { appPasswordsFeature } from "../features/appPasswords/feature.ts";
import { archiveFeature } from "../features/archive/feature.ts";
import { createBillingServices } from "../features/billing/billingServices.ts";
import { billingFeature } from "../features/billing/feature.ts";
import { breachesFeature } from "../features/breaches/feature.ts";
import { bulkFeature } from "../features/bulk/feature.ts";
import { codesFeature } from "../features/codes/feature.ts";
import { complaintsFeature } from "../features/complaints/feature.ts";
import { contentAccessFeature } from "../features/contentAccess/feature.ts";
import { correspondentsFeature } from "../features/correspondents/feature.ts";
import { destinationsFeature } from "../features/destinations/feature.ts";
import { digestFeature } from "../features/digest/feature.ts";
import { domainsFeature } from "../features/domains/feature.ts";
import { encryptionFeature } from "../features/encryption/feature.ts";
import type { CreateFeature, Feature, SessionHttp } from "../features/feature.ts";
import { heldFeature } from "../features/held/feature.ts";
import { insightsFeature } from "../features/insights/feature.ts";
import { createInsightServices } from "../features/insights/insightServices.ts";
import { labelsFeature } from "../features/labels/feature.ts";
import { lastMailsFeature } from "../features/lastMails/feature.ts";
import { mailLogFeature } from "../features/mailLog/feature.ts";
import { masksFeature } from "../features/masks/feature.ts";
import { notificationsFeature } from "../features/notifications/feature.ts";
import { oidcFeature } from "../features/oidc/feature.ts";
import { operatorFeature } from "../features/operator/feature.ts";
import { passkeysFeature } from "../features/passkeys/feature.ts";
import { receiverReportsFeature } from "../features/receiverReports/feature.ts";
import { rulesFeature } from "../features/rules/feature.ts";
import { sendersFeature } from "../features/senders/feature.ts";
import type { ServerContext } from "../features/serverContext.ts";
import { sessionFeature } from "../features/session/feature.ts";
import { createSessionServices, type SessionServices } from "../features/session/sessionServices.ts";
import { simpleLoginFeature } from "../features/simplelogin/feature.ts";
import { tlsReportsFeature } from "../features/tlsReports/feature.ts";
import { trashFeature } from "../features/trash/feature.ts";
import { unsubscribeFeature } from "../features/unsubscribe/feature.ts";
import { webhooksFeature } from "../features/webhooks/feature.ts";
import { createSessionHttp } from "./sessionHttp.ts";

/** All features, in the order in which their jobs start. */
const features: readonly CreateFeature[] = [
  sessionFeature,
  oidcFeature,
  codesFeature,
  accountFeature,
  appPasswordsFeature,
  apiTokensFeature,
  passkeysFeature,
  billingFeature,
  masksFeature,
  trashFeature,
  bulkFeature,
  actionLinksFeature,
  unsubscribeFeature,
  destinationsFeature,
  labelsFeature,
  rulesFeature,
  sendersFeature,
  domainsFeature,
  encryptionFeature,
  notificationsFeature,
  insightsFeature,
  contentAccessFeature,
  correspondentsFeature,
  heldFeature,
  breachesFeature,
  archiveFeature,
  mailLogFeature,
  lastMailsFeature,
  digestFeature,
  webhooksFeature,
  simpleLoginFeature,
  addyFeature,
  operatorFeature,
  receiverReportsFeature,
  complaintsFeature,
  tlsReportsFeature,
];

/** The features of a server, and what sessions offer to its HTTP server. */
export interface Features {
  readonly all: readonly Feature[];
  readonly session: SessionServices;
  readonly cookies: SessionHttp["cookies"];
  /** Proves the sessions and tokens of requests. */
  readonly authGuard: SessionHttp["authGuard"];
  readonly takesPayments: boolean;
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
    insights: createInsightServices(context),
  };
  return {
    all: features.map((createFeature) => createFeature(given)),
    session,
    cookies: sessionHttp.cookies,
    authGuard: sessionHttp.authGuard,
    takesPayments: billing.payments !== null,
  };
};
