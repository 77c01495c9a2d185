import type { MailboxKey } from "../../../core/mail/emailAddress.ts";
import { type Random, randomHex } from "../../../core/ports/random.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { type KeyedHash, sameHash } from "../../platform/ops/keyedHash.ts";
import { createWrongCodes, type WrongCodes } from "../signInCodes/wrongCodes.ts";
import { createCompleteSignIn } from "./completeSignIn.ts";
import { createIdentities } from "./identities/identities.ts";
import { createSessions } from "./sessions.ts";
import { createSessionTokens } from "./sessionToken.ts";
import { createConsumeFactor, createCountFactorTry } from "./twoFactor/secondFactor.ts";
import { createNotifyTwoFactor } from "./twoFactor/twoFactorNotice.ts";

const idBytes = 16;

/** Browsers in which the owner of a mailbox has signed in before; the cookie lets nobody in. */
interface KnownBrowsers {
  /** Returns the value of the cookie for a mailbox. */
  readonly issue: (emailKey: MailboxKey) => string;
  /** Returns the id of the browser; null unless the mailbox has signed in with it. */
  readonly read: (cookie: string | undefined, emailKey: MailboxKey) => string | null;
}

const createKnownBrowsers = (hash: KeyedHash, random: Random): KnownBrowsers => {
  const sign = (id: string, emailKey: MailboxKey): string => hash("known-browser", id, emailKey);
  return {
    issue: (emailKey) => {
      const id = randomHex(random, idBytes);
      return `${id}.${sign(id, emailKey)}`;
    },
    read: (cookie, emailKey) => {
      const [id = "", signature = ""] = cookie?.split(".") ?? [];
      return id !== "" && sameHash(signature, sign(id, emailKey)) ? id : null;
    },
  };
};

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
