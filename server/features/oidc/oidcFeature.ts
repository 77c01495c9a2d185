import type { CreateFeature } from "../../context/feature.ts";
import { createRequestCode } from "../session/signIn/requestCode.ts";
import { createBackChannelLogout } from "./backChannelLogout.ts";
import { oidcRoutes } from "./oidcRoutes.ts";
import { Provider } from "./provider.ts";
import { createAdmitIdentity, createOpenTicket } from "./signOn.ts";
import { measureSignOn, type SignOnOutcome } from "./signOnMetrics.ts";

/** Single sign-on with an identity provider (OpenID Connect); nothing where none is set up. */
export const oidcFeature: CreateFeature = (context) => {
  const { config, clock } = context;
  const { oidc, publicUrl } = config;
  if (oidc === null) return {};
  const provider = new Provider({ oidc, publicUrl, clock });
  const requestCode = createRequestCode(context);
  const deps = { ...context, oidc, requestCode };
  let counted: (outcome: SignOnOutcome) => void = () => {};
  return {
    measure: (registry) => {
      counted = measureSignOn(registry);
    },
    routes: [
      oidcRoutes({
        ...context,
        provider,
        admit: createAdmitIdentity(deps),
        openTicket: createOpenTicket(deps),
        requestCode,
        logOut: createBackChannelLogout(provider, context),
        count: (outcome) => counted(outcome),
      }),
    ],
  };
};
