import type { FastifyInstance } from "fastify";
import { getLastMail, listLastMails } from "../../../core/lastMails/lastMailEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { routeSignedIn } from "../../platform/http/route.ts";
import { assertMask } from "../maskChanges/maskChanges.ts";
import { findLastMails, readLastMail } from "./lastMailQueries.ts";

/** Registers the endpoints of the last mails, each limited to the signed-in user's own rows. */
export const lastMailRoutes =
  ({ database: { db }, clock, authGuard }: Pick<FeatureContext, "database" | "clock" | "authGuard">) =>
  (fastify: FastifyInstance): void => {
    const limited = { perMinute: perMinute.notifications };

    routeSignedIn(
      fastify,
      authGuard,
      listLastMails,
      async ({ auth: { userId }, params: { id } }) => {
        await assertMask(db, { userId, maskId: id });
        const mails = await findLastMails(db, { userId, maskId: id }, clock.now());
        return {
          mails: mails.map((mail) => ({
            id: mail.id,
            received: new Date(mail.receivedAt).toISOString(),
            size: mail.size,
          })),
        };
      },
      limited,
    );

    routeSignedIn(
      fastify,
      authGuard,
      getLastMail,
      async ({ auth: { userId }, params: { id: maskId, mailId: id } }) => {
        const content = await readLastMail(db, { userId, maskId, id }, clock.now());
        if (!content) throw new UseCaseError("missing", "This email is no longer kept.");
        return { content: Buffer.from(content).toString("base64") };
      },
      limited,
    );
  };
