import type { CreateFeature } from "../feature.ts";
import { createChallenges, prunePasskeyChallenges } from "./challenges.ts";
import { createNotifyPasskey } from "./passkeyNotice.ts";
import { passkeyRoutes, passkeySignInRoutes } from "./passkeyRoutes.ts";
import { createRefusedPasskeys } from "./refusedPasskeys.ts";
import { relyingPartyOf } from "./relyingParty.ts";
import { createSignInWithPasskey } from "./signInWithPasskey.ts";
import { createUserPasskeys } from "./userPasskeys.ts";

/** Passkeys: the sign-in with them, and what users do with theirs. */
export const passkeysFeature: CreateFeature = (context) => {
  const { config, session } = context;
  const shared = {
    ...context,
    party: relyingPartyOf(config.publicUrl, config.brand),
    challenges: createChallenges(context),
    notifyPasskey: createNotifyPasskey(context),
  };
  const deps = {
    ...shared,
    onlyProvider: config.oidc?.only ? config.oidc.name : null,
    passkeys: createUserPasskeys(shared),
    signIn: createSignInWithPasskey({
      ...shared,
      refused: createRefusedPasskeys(context),
      completeSignIn: session.completeSignIn,
    }),
  };
  return {
    routes: [passkeySignInRoutes(context, deps), passkeyRoutes(context, deps)],
    prune: [prunePasskeyChallenges],
  };
};
