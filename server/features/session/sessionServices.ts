import { createRunOnce } from "../../platform/http/idempotency.ts";
import type { AuthGuard } from "../../platform/http/route.ts";
import { createWrongCodes, type WrongCodes } from "../codes/wrongCodes.ts";
import type { ServerContext } from "../serverContext.ts";
import { createAuthenticate, createCsrf } from "./authenticate.ts";
import { createCookies } from "./cookies.ts";
import { createSessions } from "./sessions.ts";
import { createSessionTokens } from "./sessionToken.ts";
import { createKnownBrowsers } from "./signIn/knownBrowser.ts";
import { createCompleteSignIn, createStartSession } from "./startSession.ts";
import { createConsumeFactor, createCountFactorTry } from "./twoFactor/secondFactor.ts";
import { createNotifyTwoFactor } from "./twoFactor/twoFactorNotice.ts";

/** Creates what the sign-in and the endpoints of signed-in users share. */
export const createSessionServices = (context: ServerContext) => {
  const { secrets, seal, hash, database, clock, random, feed, sender } = context;
  const cookies = createCookies(context.config.publicUrl);
  const tokens = createSessionTokens(secrets.signing);
  const sessions = createSessions({ database, tokens, hash, clock, random, feed });
  const csrf = createCsrf(hash, cookies, random);
  const browsers = createKnownBrowsers(hash, random);
  const wrongCodes: WrongCodes = createWrongCodes(context);
  const authGuard: AuthGuard = {
    authenticate: createAuthenticate(sessions, cookies, csrf),
    runOnce: createRunOnce(database, clock, seal),
  };
  return {
    authGuard,
    cookies,
    tokens,
    sessions,
    csrf,
    browsers,
    wrongCodes,
    startSession: createStartSession(cookies, csrf, browsers),
    completeSignIn: createCompleteSignIn({ sessions, hash, clock, random }),
    notifyTwoFactor: createNotifyTwoFactor({ clock, random, sender }),
    consumeFactor: createConsumeFactor({ hash, seal, wrongCodes }),
    countFactorTry: createCountFactorTry({ wrongCodes }),
  };
};

/** What the sign-in and the endpoints of signed-in users share. */
export type SessionServices = ReturnType<typeof createSessionServices>;
