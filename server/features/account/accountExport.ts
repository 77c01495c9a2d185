import { type AccountExport, exportFormat } from "../../../core/account/accountDataEndpoints.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import type { Db } from "../../platform/store/database.ts";
import { getUser } from "../../platform/store/users.ts";
import { type DestinationKeyRow, listDestinationKeyRows } from "../destinations/destinationKeyQueries.ts";
import { findDestinations } from "../destinations/destinationQueries.ts";
import { findDomains, toDomain } from "../domains/domainQueries.ts";
import { listHeldMails } from "../held/heldQueries.ts";
import { toHeldMail } from "../held/userHeldMails.ts";
import { readLabels } from "../labels/maskLabels.ts";
import { readLog } from "../mailLog/logRoutes.ts";
import { chosenListSettings } from "../masks/list/listSettings.ts";
import { chosenFormat } from "../masks/maskAddress.ts";
import { findMasks, toMask } from "../masks/maskQueries.ts";
import { findNewestNotifications } from "../notifications/notificationQueries.ts";
import { listPasskeyRows } from "../passkeys/passkeyQueries.ts";
import { listPushDevicesOf } from "../push/userPushDevices.ts";
import { readAccountRules } from "../rules/accountRules.ts";
import { toUser } from "../session/user.ts";
import { listMaskAddresses, listUsageByMonth } from "./userDataQueries.ts";

const iso = (time: number): string => new Date(time).toISOString();

/** The keys of a destination, the oldest first. */
const keysOf = ([first, ...further]: readonly DestinationKeyRow[]) => ({
  ...(first && { publicKey: first.public_key }),
  ...(further.length > 0 && { furtherKeys: further.map((key) => key.public_key) }),
});

/** Reads all stored data of a user. */
export const readAccountExport = async (
  db: Db,
  {
    seal,
    senderLists,
    config: { maskDomain },
  }: Pick<ServerContext, "seal" | "senderLists"> & { readonly config: { readonly maskDomain: string } },
  userId: string,
  now: number,
): Promise<AccountExport> => {
  const user = await getUser(db, userId);
  const addresses = await listMaskAddresses(db, userId);
  const accountRules = await readAccountRules(db, userId);
  const keys = await listDestinationKeyRows(db, userId);
  const { rows } = await findNewestNotifications(db, userId, { after: 0, limit: null });
  return {
    format: exportFormat,
    version: 1,
    exportedAt: iso(now),
    account: toUser(user),
    masks: (await findMasks(db, userId)).map((row) => ({
      ...toMask(row, senderLists),
      addresses: addresses.filter(({ maskId }) => maskId === row.id).map(({ email }) => email),
    })),
    destinations: (await findDestinations(db, userId)).map((row) => ({
      email: row.email,
      confirmedAt: row.confirmed_at === null ? null : iso(row.confirmed_at),
      created: iso(row.created_at),
      ...(row.name !== "" && { name: row.name }),
      ...(row.is_default === 1 && { isDefault: true }),
      ...keysOf(keys.filter((key) => key.destination_id === row.id)),
    })),
    labels: await readLabels(db, userId),
    accountRules: { before: accountRules.before.rules, after: accountRules.after.rules },
    domains: (await findDomains(db, userId)).map((row) => toDomain(row, { maskDomain })),
    passkeys: (await listPasskeyRows(db, userId)).map(({ name, created_at, last_used_at }) => ({
      name,
      created: iso(Number(created_at)),
      lastUsed: last_used_at === null ? null : iso(Number(last_used_at)),
    })),
    pushDevices: await listPushDevicesOf(db, userId),
    settings: {
      senderShown: user.sender_shown,
      actionLinks: user.action_links,
      unsubscribe: user.unsubscribe,
      calendarsThroughMask: user.calendars_through_mask === 1,
      maskTags: user.mask_tags === 1,
      heldNotices: user.held_notices === 1,
      log: user.mail_log,
      keepLastMails: user.keep_last_mails === 1,
      showCodes: user.show_codes === 1,
      ...chosenFormat(user),
      ...chosenListSettings(user),
    },
    usage: await listUsageByMonth(db, userId),
    notifications: rows.map(({ message, type, created_at, read_at }) => ({
      message,
      type,
      created: iso(created_at),
      read: read_at !== null,
    })),
    held: (await listHeldMails(db, seal, userId, { maskId: undefined, before: undefined, limit: null })).map(
      toHeldMail,
    ),
    log: await readLog(db, userId, { limit: null }),
  };
};
