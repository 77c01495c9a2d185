import type { FastifyInstance } from "fastify";
import type { Updateable } from "kysely";
import {
  type ProfileAnswer,
  type ProfileUpdate,
  updateProfile,
} from "../../../core/account/profileEndpoints.ts";
import type { User } from "../../../core/session/user.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { fieldError } from "../../platform/errors/useCaseError.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { routePreparedWrite } from "../../platform/http/route.ts";
import type { Db, Write } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import type { UsersTable } from "../../platform/store/tables.ts";
import { getUser } from "../../platform/store/users.ts";
import { deleteHiddenCodes } from "../codes/codeQueries.ts";
import { findPublicKey } from "../encryption/publicKeyQueries.ts";
import { deleteLastMails } from "../lastMails/lastMailQueries.ts";
import { toUser } from "../session/user.ts";
import type { createChangeAddress } from "./changeAddress.ts";
import type { createRequestAddress } from "./requestAddress.ts";

export interface ProfileRouteDeps extends Pick<FeatureContext, "clock" | "authGuard"> {
  readonly requestAddress: ReturnType<typeof createRequestAddress>;
  readonly changeAddress: ReturnType<typeof createChangeAddress>;
}

const toProfileAnswer = (user: User): ProfileAnswer => ({ email: user.email, user });

const noKey = "Set up a key first: the last emails are kept only if they can be encrypted.";

const switchesIn = ({
  calendarsThroughMask,
  maskTags,
  heldNotices,
  keepLastMails,
  showCodes,
}: ProfileUpdate): Updateable<UsersTable> => ({
  ...(calendarsThroughMask === undefined ? {} : { calendars_through_mask: calendarsThroughMask ? 1 : 0 }),
  ...(maskTags === undefined ? {} : { mask_tags: maskTags ? 1 : 0 }),
  ...(heldNotices === undefined ? {} : { held_notices: heldNotices ? 1 : 0 }),
  ...(keepLastMails === undefined ? {} : { keep_last_mails: keepLastMails ? 1 : 0 }),
  ...(showCodes === undefined ? {} : { show_codes: showCodes ? 1 : 0 }),
});

const settingsIn = ({
  senderShown,
  actionLinks,
  unsubscribe,
  keyOffer,
  maskFormat,
  maskListSettings,
  ...switches
}: ProfileUpdate): Updateable<UsersTable> => ({
  ...(senderShown === undefined ? {} : { sender_shown: senderShown }),
  ...(actionLinks === undefined ? {} : { action_links: actionLinks }),
  ...(unsubscribe === undefined ? {} : { unsubscribe }),
  ...(keyOffer === undefined ? {} : { key_offer: keyOffer }),
  ...(maskFormat === undefined ? {} : { mask_format: maskFormat && JSON.stringify(maskFormat) }),
  ...(maskListSettings === undefined ? {} : { mask_list_settings: JSON.stringify(maskListSettings) }),
  ...switchesIn(switches),
});

/** Deletes what a setting that is switched off has kept. */
const deleteUnwanted = async (
  tx: Db,
  userId: string,
  settings: Updateable<UsersTable>,
  now: number,
): Promise<void> => {
  if (settings.keep_last_mails === 0) await deleteLastMails(tx, userId);
  if (settings.show_codes === 0) await deleteHiddenCodes(tx, userId, now);
};

/** Registers PUT /account/profile: request a code for a new address, then confirm it (AC4). */
export const profileRoutes =
  ({ clock, authGuard, requestAddress, changeAddress }: ProfileRouteDeps) =>
  (fastify: FastifyInstance): void => {
    const changeSettings = async (
      tx: Db,
      userId: string,
      settings: Updateable<UsersTable>,
    ): Promise<ProfileAnswer> => {
      if (Object.keys(settings).length > 0) {
        if (settings.keep_last_mails === 1 && !(await findPublicKey(tx, userId)))
          throw fieldError("conflict", "keepLastMails", noKey);
        await tx.updateTable("users").set(settings).where("id", "=", userId).execute();
        await deleteUnwanted(tx, userId, settings, clock.now());
        const change = { userId, resource: "account", resourceId: null, action: "updated" };
        await appendEvent(tx, change, clock.now());
      }
      return toProfileAnswer(toUser(await getUser(tx, userId)));
    };

    routePreparedWrite(
      fastify,
      authGuard,
      updateProfile,
      async ({ auth, body }): Promise<Write<ProfileAnswer>> => {
        const { email, code, twoFactorCode, moveMasks: movesMasks = true } = body;
        if (body.showCodes === true) await authGuard.assertRecentlyProven(auth);
        if (email === undefined) return (tx) => changeSettings(tx, auth.userId, settingsIn(body));
        if (code === undefined) {
          await authGuard.assertRecentlyProven(auth);
          const request = await requestAddress(auth.userId, email);
          return async (tx) => {
            await request(tx);
            return { message: "Enter the code that was sent to your new address.", pendingEmail: email };
          };
        }
        const proof = { email, code, twoFactorCode, movesMasks };
        const change = await changeAddress(auth.userId, proof);
        return async (tx) => toProfileAnswer(await change(tx));
      },
      { perMinute: perMinute.signIn },
    );
  };
