import type { FastifyInstance } from "fastify";
import type { User } from "../../core/account/user.ts";
import { type ProfileAnswer, updateProfile } from "../../core/profile/profileEndpoints.ts";
import { perMinute } from "../http/limits.ts";
import { type Door, routeSignedIn } from "../http/route.ts";
import { knownUser } from "../identity/knownUser.ts";
import { userOf } from "../identity/user.ts";
import type { Database } from "../store/database.ts";
import type { makeChangeAddress } from "./changeAddress.ts";
import type { makeRequestAddress } from "./requestAddress.ts";

export interface ProfileRouteParts {
  readonly database: Database;
  readonly door: Door;
  readonly requestAddress: ReturnType<typeof makeRequestAddress>;
  readonly changeAddress: ReturnType<typeof makeChangeAddress>;
}

const answerOf = (user: User): ProfileAnswer => ({ email: user.email, user });

/** PUT /account/profile: a new address in two steps, its code between them (AC4). */
export const profileRoutes =
  ({ database, door, requestAddress, changeAddress }: ProfileRouteParts) =>
  (fastify: FastifyInstance): void =>
    routeSignedIn(
      fastify,
      door,
      updateProfile,
      async ({ caller, body, keep }): Promise<ProfileAnswer> => {
        const { email, code, twoFactorCode, moveMasks: movesMasks = true } = body;
        if (email === undefined) {
          const user = await knownUser(database.db, caller.userId);
          return answerOf(userOf(user));
        }
        if (code === undefined) {
          await requestAddress(caller.userId, email);
          return { message: "Enter the code that we sent to your new address.", pendingEmail: email };
        }
        const proof = { email, code, twoFactorCode, movesMasks };
        const keepUser = async (...[db, user]: Parameters<Parameters<typeof changeAddress>[2]>) => {
          await keep(db, answerOf(user));
          return user;
        };
        return answerOf(await changeAddress(caller.userId, proof, keepUser));
      },
      { perMinute: perMinute.signIn },
    );
