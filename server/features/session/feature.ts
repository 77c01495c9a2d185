import type { CreateFeature } from "../feature.ts";
import { openSessionRoutes } from "./openSessionRoutes.ts";
import { pruneSessions } from "./sessionQueries.ts";
import { createRefresh, sessionRoutes } from "./sessionRoutes.ts";
import { pruneInvitations } from "./signIn/invitationQueries.ts";
import { createRequestCode } from "./signIn/requestCode.ts";
import { secondFactorRoutes, signInRoutes } from "./signIn/signInRoutes.ts";
import { createSignUp } from "./signIn/signUp.ts";
import { createVerifyCode } from "./signIn/verifyCode.ts";
import { pruneFactorTickets, pruneTwoFactorOffers } from "./twoFactor/twoFactorQueries.ts";
import { twoFactorRoutes } from "./twoFactor/twoFactorRoutes.ts";
import { createUserTwoFactor } from "./twoFactor/userTwoFactor.ts";
import { createVerifySecondFactor } from "./twoFactor/verifySecondFactor.ts";

/** The sign-in with its second factor, and the sessions of a user. */
export const sessionFeature: CreateFeature = (context) => {
  const { config, session, billing } = context;
  const shared = { ...context, ...session };
  const policy = config.signUp;
  return {
    routes: [
      signInRoutes({
        ...session,
        requestCode: createRequestCode(context),
        verifyCode: createVerifyCode({ ...shared, policy }),
        signUp: createSignUp({
          ...shared,
          policy,
          operators: config.operators,
          defaultTier: billing.defaultTier,
          checkPayment: billing.payments?.signUpPayment ?? null,
          applyPaidPlan: billing.applyPaidPlan,
        }),
      }),
      secondFactorRoutes({ ...session, verifySecondFactor: createVerifySecondFactor(shared) }),
      twoFactorRoutes({
        ...session,
        twoFactor: createUserTwoFactor({ ...shared, brand: config.brand }),
      }),
      sessionRoutes({ ...session, refresh: createRefresh(session.sessions, shared) }),
      openSessionRoutes(shared),
    ],
    prune: [pruneSessions, pruneInvitations, pruneFactorTickets, pruneTwoFactorOffers],
  };
};
