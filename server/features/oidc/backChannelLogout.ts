import { ticketLifetimeMs } from "../../../core/session/oneTimeCode.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import {
  deleteSignOnTickets,
  listIdentitySessions,
  recordIdentityEnd,
  useLogoutToken,
} from "../session/identities/identityQueries.ts";
import { endSession } from "../session/sessions.ts";
import type { Provider } from "./provider.ts";
import { SignOnRefusal } from "./signOnRefusal.ts";

/**
 * Creates the function that ends, in all processes, the sessions that the provider says have ended (OpenID Connect
 * Back-Channel Logout 1.0). A token works once. Rejects with a refusal when it is not to be believed.
 */
export const createBackChannelLogout =
  (
    provider: Pick<Provider, "readLogout">,
    { database, hash, clock, feed }: Pick<ServerContext, "database" | "hash" | "clock" | "feed">,
  ) =>
  async (token: string): Promise<number> => {
    const claims = await provider.readLogout(token);
    const { issuer, id, expiresAt } = claims;
    const ended = await database.transaction(async (db) => {
      if (!(await useLogoutToken(db, hash("logout-token", issuer, id), expiresAt)))
        throw new SignOnRefusal("refused", "logout: replayed");
      await deleteSignOnTickets(db, claims);
      const until = clock.now() + ticketLifetimeMs;
      await recordIdentityEnd(db, { ended: claims, hash, until });
      const begun = await listIdentitySessions(db, claims);
      for (const session of begun) await endSession(db, { ...session, now: clock.now() });
      return begun.length;
    });
    feed.wake();
    return ended;
  };
