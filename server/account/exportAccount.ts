import { type AccountExport, exportFormat } from "../../core/accountData/accountExport.ts";
import { knownUser } from "../identity/knownUser.ts";
import { userOf } from "../identity/user.ts";
import { maskAnswer } from "../masks/maskAnswer.ts";
import type { Db } from "../store/database.ts";
import { masksOf } from "../store/masks.ts";
import { newestNotifications } from "../store/notifications.ts";
import { addressesOfUser, destinationsOf, usageByMonth } from "../store/userData.ts";

const iso = (time: number): string => new Date(time).toISOString();

/** Reads everything that is kept of a user. */
export const readExport = async (db: Db, userId: string, now: number): Promise<AccountExport> => {
  const user = await knownUser(db, userId);
  const addresses = await addressesOfUser(db, userId);
  const { rows } = await newestNotifications(db, userId, { after: 0, limit: null });
  return {
    format: exportFormat,
    version: 1,
    exportedAt: iso(now),
    account: userOf(user),
    masks: (await masksOf(db, userId)).map((row) => ({
      ...maskAnswer(row),
      addresses: addresses.filter(({ maskId }) => maskId === row.id).map(({ email }) => email),
    })),
    destinations: (await destinationsOf(db, userId)).map(({ email, confirmed_at, created_at }) => ({
      email,
      confirmedAt: confirmed_at === null ? null : iso(confirmed_at),
      created: iso(created_at),
    })),
    usage: await usageByMonth(db, userId),
    notifications: rows.map(({ message, type, created_at, read_at }) => ({
      message,
      type,
      created: iso(created_at),
      read: read_at !== null,
    })),
  };
};
