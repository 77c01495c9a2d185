import type { FastifyInstance } from "fastify";
import { type ProfileAnswer, updateProfile } from "../../core/account/profileEndpoints.ts";
import type { User } from "../../core/session/user.ts";
import { perMinute } from "../http/limits.ts";
import { type AuthGuard, routeSignedIn } from "../http/route.ts";
import { getUser, toUser } from "../session/user.ts";
import type { Database } from "../store/database.ts";
import type { createChangeAddress } from "./changeAddress.ts";
import type { createRequestAddress } from "./requestAddress.ts";

export interface ProfileRouteDeps {
  readonly database: Database;
  readonly authGuard: AuthGuard;
  readonly requestAddress: ReturnType<typeof createRequestAddress>;
  readonly changeAddress: ReturnType<typeof createChangeAddress>;
}

const toProfileAnswer = (user: User): ProfileAnswer => ({ email: user.email, user });

/** Registers PUT /account/profile: request a code for a new address, then confirm it (AC4). */
export const profileRoutes =
  ({ database, authGuard, requestAddress, changeAddress }: ProfileRouteDeps) =>
  (fastify: FastifyInstance): void =>
    routeSignedIn(
      fastify,
      authGuard,
      updateProfile,
      async ({ auth, body, recordAnswer }): Promise<ProfileAnswer> => {
        const { email, code, twoFactorCode, moveMasks: movesMasks = true } = body;
        if (email === undefined) {
          const user = await getUser(database.db, auth.userId);
          return toProfileAnswer(toUser(user));
        }
        if (code === undefined) {
          await requestAddress(auth.userId, email);
          return { message: "Enter the code that we sent to your new address.", pendingEmail: email };
        }
        const proof = { email, code, twoFactorCode, movesMasks };
        const recordUser = async (...[db, user]: Parameters<Parameters<typeof changeAddress>[2]>) => {
          await recordAnswer(db, toProfileAnswer(user));
          return user;
        };
        return toProfileAnswer(await changeAddress(auth.userId, proof, recordUser));
      },
      { perMinute: perMinute.signIn },
    );
