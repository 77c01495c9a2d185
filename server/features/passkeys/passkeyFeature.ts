import type { CreateFeature } from "../../context/feature.ts";
import { createChallenges } from "./challenges.ts";
import { createCheckPasskey } from "./checkPasskey.ts";
import { createNotifyPasskey } from "./passkeyNotice.ts";
import { passkeyRoutes, passkeySignInRoutes } from "./passkeyRoutes.ts";
import { createRefusedPasskeys } from "./refusedPasskeys.ts";
import { relyingPartyOf } from "./relyingParty.ts";
import { createSignInWithPasskey } from "./signInWithPasskey.ts";

/** Passkeys: the sign-in with them, and what users do with theirs. */
export const passkeysFeature: CreateFeature = (context) => {
  const { config, session } = context;
  const shared = {
    ...context,
    party: relyingPartyOf(config.publicUrl, config.brand),
    challenges: createChallenges(context),
    notifyPasskey: createNotifyPasskey(context),
  };
  const checkPasskey = createCheckPasskey({ ...shared, refused: createRefusedPasskeys(context) });
  const deps = {
    ...shared,
    checkPasskey,
    onlyProvider: config.oidc?.only ? config.oidc.name : null,
    signIn: createSignInWithPasskey({
      ...shared,
      checkPasskey,
      completeSignIn: session.completeSignIn,
    }),
  };
  return {
    routes: [passkeySignInRoutes(context, deps), passkeyRoutes(context, deps)],
  };
};
