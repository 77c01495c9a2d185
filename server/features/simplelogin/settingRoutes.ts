import { isNameOf, isSameDomain } from "../../../core/mail/domainName.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { fieldError } from "../../platform/errors/useCaseError.ts";
import { type CompatibleRoute, signedIn, write } from "../../platform/http/compatibleApi.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import type { Db } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { getUser } from "../../platform/store/users.ts";
import { findDomainsForNewMasks } from "../masks/addressRight.ts";
import { chosenFormat } from "../masks/maskAddress.ts";
import {
  getSetting,
  getSettingDomains,
  ownSettingsIn,
  patchSetting,
  type Setting,
  toSetting,
} from "./contract/settingEndpoints.ts";

/** Returns the routes of the calls about the account's settings. */
export const settingRoutes = (
  context: Pick<ServerContext, "database" | "clock" | "config">,
): readonly CompatibleRoute[] => {
  const { database, clock } = context;
  const { maskDomain } = context.config;

  const read = async (db: Db, userId: string): Promise<Setting> => {
    const user = await getUser(db, userId);
    return toSetting({
      maskFormat: chosenFormat(user).maskFormat,
      heldNotices: user.held_notices === 1,
      senderShown: user.sender_shown,
      maskDomain,
    });
  };

  return [
    signedIn(getSetting, {}, ({ auth }) => read(database.db, auth.userId)),
    write(patchSetting, { perMinute: perMinute.signIn }, async ({ tx, auth: { userId }, body }) => {
      const domain = body.random_alias_default_domain;
      if (domain !== undefined && !isNameOf(domain, maskDomain))
        throw fieldError(
          "invalid",
          "random_alias_default_domain",
          `Addresses are generated at ${maskDomain}. Name another domain when you create a mask.`,
        );
      const { maskFormat, heldNotices, senderShown } = ownSettingsIn(body);
      const columns = {
        ...(maskFormat && { mask_format: JSON.stringify(maskFormat) }),
        ...(heldNotices !== undefined && { held_notices: heldNotices ? 1 : 0 }),
        ...(senderShown && { sender_shown: senderShown }),
      };
      if (Object.keys(columns).length > 0) {
        await tx.updateTable("users").set(columns).where("id", "=", userId).execute();
        const change = { userId, resource: "account", resourceId: null, action: "updated" };
        await appendEvent(tx, change, clock.now());
      }
      return read(tx, userId);
    }),
    signedIn(getSettingDomains, {}, async ({ auth }) => {
      const own = await findDomainsForNewMasks(database.db, auth.userId, clock.now());
      const all = [
        { domain: maskDomain, is_custom: false },
        ...own.map(({ name }) => ({ domain: name, is_custom: true })),
      ];
      const only = auth.token?.domain ?? null;
      return only === null ? all : all.filter(({ domain }) => isSameDomain(domain, only));
    }),
  ];
};
