import type { CreateFeature } from "../../context/feature.ts";
import type { CookieJar } from "../../platform/http/cookieJar.ts";
import { pruneSignOn } from "./identities/identityQueries.ts";
import { identityRoutes } from "./identities/identityRoutes.ts";
import { openSessionRoutes } from "./openSessionRoutes.ts";
import { createProofByCode } from "./recentProof/proofByCode.ts";
import { proofRoutes } from "./recentProof/proofRoutes.ts";
import { createRefresh } from "./refreshSession.ts";
import type { sessionCookies } from "./sessionCookies.ts";
import { pruneSessions } from "./sessionQueries.ts";
import { sessionRoutes } from "./sessionRoutes.ts";
import { pruneInvitations } from "./signIn/invitationQueries.ts";
import { createRequestCode } from "./signIn/requestCode.ts";
import { createOpenSignInLink } from "./signIn/signInLink.ts";
import { secondFactorRoutes, signInRoutes } from "./signIn/signInRoutes.ts";
import { createSignUp } from "./signIn/signUp.ts";
import { createVerifyCode } from "./signIn/verifyCode.ts";
import { pruneFactorTickets, pruneTwoFactorOffers } from "./twoFactor/twoFactorQueries.ts";
import { twoFactorRoutes } from "./twoFactor/twoFactorRoutes.ts";
import { createVerifySecondFactor } from "./twoFactor/verifySecondFactor.ts";

/** The sign-in with its second factor, and the sessions of a user. */
export const sessionFeature: CreateFeature = (context) => {
  const { config, session, billing } = context;
  const shared = { ...context, ...session };
  const policy = config.signUp;
  return {
    routes: [
      signInRoutes(context, {
        requestCode: createRequestCode(context),
        verifyCode: createVerifyCode({ ...shared, policy }),
        openLink: createOpenSignInLink({ ...shared, policy }),
        signUp: createSignUp({
          ...shared,
          policy,
          operators: config.operators,
          defaultTier: billing.defaultTier,
          checkPayment: billing.payments?.signUpPayment ?? null,
          applyPaidPlan: billing.applyPaidPlan,
        }),
      }),
      secondFactorRoutes(context, createVerifySecondFactor(shared)),
      twoFactorRoutes(shared),
      sessionRoutes(context, createRefresh(context, session)),
      openSessionRoutes(context),
      identityRoutes(context),
      proofRoutes({ ...context, proof: createProofByCode(shared) }),
    ],
    prune: { pruneSessions, pruneInvitations, pruneFactorTickets, pruneTwoFactorOffers, pruneSignOn },
  };
};

declare module "../../context/feature.ts" {
  interface SessionHttp {
    readonly cookies: Readonly<Record<keyof typeof sessionCookies, CookieJar>>;
  }
}
