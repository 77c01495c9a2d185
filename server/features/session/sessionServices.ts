import type { ServerContext } from "../../context/serverContext.ts";
import { createWrongCodes, type WrongCodes } from "../codes/wrongCodes.ts";
import { createCompleteSignIn } from "./completeSignIn.ts";
import { createIdentities } from "./identities/identities.ts";
import { createSessions } from "./sessions.ts";
import { createSessionTokens } from "./sessionToken.ts";
import { createKnownBrowsers } from "./signIn/knownBrowser.ts";
import { createConsumeFactor, createCountFactorTry } from "./twoFactor/secondFactor.ts";
import { createNotifyTwoFactor } from "./twoFactor/twoFactorNotice.ts";

/** Creates what the sign-in and the endpoints of signed-in users share. */
export const createSessionServices = (context: ServerContext) => {
  const { secrets, seal, hash, clock, random, sender } = context;
  const tokens = createSessionTokens(secrets.signing);
  const sessions = createSessions(context, tokens);
  const wrongCodes: WrongCodes = createWrongCodes(context);
  return {
    tokens,
    sessions,
    identities: createIdentities(context),
    browsers: createKnownBrowsers(hash, random),
    wrongCodes,
    completeSignIn: createCompleteSignIn({ sessions, hash, clock, random }),
    notifyTwoFactor: createNotifyTwoFactor({ clock, random, sender }),
    consumeFactor: createConsumeFactor({ hash, seal, wrongCodes }),
    countFactorTry: createCountFactorTry({ wrongCodes }),
  };
};

/** The services that the sign-in and the endpoints of signed-in users share. */
export type SessionServices = ReturnType<typeof createSessionServices>;

declare module "../../context/feature.ts" {
  interface FeatureContext {
    readonly session: SessionServices;
  }
}
