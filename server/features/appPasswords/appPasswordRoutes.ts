import type { FastifyInstance } from "fastify";
import {
  deleteAppPassword,
  listAppPasswords,
  postAppPassword,
  type SubmissionServer,
} from "../../../core/appPasswords/appPasswordEndpoints.ts";
import { perMinute } from "../../platform/http/limits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import type { UserAppPasswords } from "./userAppPasswords.ts";

export interface AppPasswordRouteDeps {
  readonly passwords: UserAppPasswords;
  /** Where mail programs send their mail at the moment. */
  readonly submissionServer: () => SubmissionServer;
  readonly authGuard: AuthGuard;
}

/** Registers the endpoints of app passwords, each limited to the signed-in user's own. */
export const appPasswordRoutes =
  ({ passwords, submissionServer, authGuard }: AppPasswordRouteDeps) =>
  (fastify: FastifyInstance): void => {
    routeSignedIn(fastify, authGuard, listAppPasswords, async ({ auth }) => ({
      passwords: await passwords.list(auth.userId),
      server: submissionServer(),
    }));
    routeSignedIn(
      fastify,
      authGuard,
      postAppPassword,
      ({ auth, body, recordAnswer }) => passwords.create(auth.userId, body.name, recordAnswer),
      { perMinute: perMinute.signIn },
    );
    routeSignedIn(fastify, authGuard, deleteAppPassword, ({ auth, params, recordAnswer }) =>
      passwords.revoke(auth.userId, params.id, recordAnswer),
    );
  };
