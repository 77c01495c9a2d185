import { accountDataRoutes } from "../account/accountDataRoutes.ts";
import { makeChangeAddress } from "../account/changeAddress.ts";
import { makeDeleteAccount } from "../account/deleteAccount.ts";
import { profileRoutes } from "../account/profileRoutes.ts";
import { makeRequestAddress } from "../account/requestAddress.ts";
import { billingRoutes } from "../billing/billingRoutes.ts";
import { makeGivePaidPlan } from "../billing/givePaidPlan.ts";
import { webhookRoute } from "../billing/webhookRoute.ts";
import { accountRoutes } from "../identity/accountRoutes.ts";
import { makeAdmit } from "../identity/admit.ts";
import { loginRoutes } from "../identity/loginRoutes.ts";
import { makeRefresh } from "../identity/refresh.ts";
import { makeRequestCode } from "../identity/requestCode.ts";
import { sessionListRoutes } from "../identity/sessionListRoutes.ts";
import { sessionRoutes } from "../identity/sessionRoutes.ts";
import { makeSignUp } from "../identity/signUp.ts";
import { makeVerifyCode } from "../identity/verifyCode.ts";
import { secondFactorRoutes } from "../twoFactor/secondFactorRoutes.ts";
import { twoFactorRoutes } from "../twoFactor/twoFactorRoutes.ts";
import { makeUserTwoFactor } from "../twoFactor/userTwoFactor.ts";
import { makeVerifySecondFactor } from "../twoFactor/verifySecondFactor.ts";
import type { Ground } from "./ground.ts";

/** How people sign in, what their account is, and how they leave. */
export const identityRoutes = (ground: Ground) => {
  const { everybodys, billing, sessions } = ground;
  const identity = { ...ground, admit: makeAdmit(ground) };
  return [
    loginRoutes({
      ...ground,
      requestCode: makeRequestCode(ground),
      verifyCode: makeVerifyCode(identity),
      signUp: makeSignUp({
        ...identity,
        checkPayment: billing?.signUpPayment ?? null,
        givePaidPlan: makeGivePaidPlan(everybodys),
      }),
    }),
    secondFactorRoutes({ ...ground, verifySecondFactor: makeVerifySecondFactor(ground) }),
    twoFactorRoutes({ ...ground, twoFactor: makeUserTwoFactor(ground) }),
    sessionRoutes({ ...ground, refresh: makeRefresh(sessions, ground) }),
    sessionListRoutes(ground),
    accountRoutes(ground),
    accountDataRoutes({ ...ground, deleteAccount: makeDeleteAccount(ground) }),
    profileRoutes({
      ...ground,
      requestAddress: makeRequestAddress(ground),
      changeAddress: makeChangeAddress(ground),
    }),
    billingRoutes(ground),
    ...(billing ? [webhookRoute(billing)] : []),
  ];
};
