import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { Domain } from "../domains/domain.ts";
import { HeldMail } from "../held/heldMail.ts";
import { Label } from "../labels/labelEndpoints.ts";
import { ActionLinkPlace } from "../mail/actionLinkPlace.ts";
import { SenderShown } from "../mail/forwardedFrom.ts";
import { UnsubscribeMode } from "../mail/unsubscribeMode.ts";
import { LogEntry, LogMode } from "../mailLog/logEntry.ts";
import { Mask } from "../masks/mask.ts";
import { MaskFormat } from "../masks/maskFormat.ts";
import { SharedListSettings } from "../masks/sharedListSettings.ts";
import { PushDevice } from "../push/pushEndpoints.ts";
import { SecondFactor } from "../session/oneTimeCode.ts";
import { User } from "../session/user.ts";

/** The value of `format` that identifies an export. */
export const exportFormat = "bauta-export";

/**
 * A user's data: masks with rules and statistics, settings, destinations, domains and mail counts by month, a list of held mail, and the log, without the content of mail.
 * Times are ISO 8601, months are like "2026-11" in UTC.
 */
export const AccountExport = t.intersection([
  t.type({
    format: t.literal(exportFormat),
    version: t.literal(1),
    exportedAt: t.string,
    account: User,
    masks: t.array(t.intersection([Mask, t.type({ addresses: t.array(t.string) })])),
    destinations: t.array(
      t.intersection([
        t.type({ email: t.string, confirmedAt: t.union([t.string, t.null]), created: t.string }),
        /** Keys are ASCII-armored; absent means that of the account. */
        t.partial({
          name: t.string,
          isDefault: t.boolean,
          publicKey: t.string,
          furtherKeys: t.array(t.string),
        }),
      ]),
    ),
    usage: t.array(t.type({ month: t.string, received: t.number, forwarded: t.number, blocked: t.number })),
    notifications: t.array(t.type({ message: t.string, type: t.string, created: t.string, read: t.boolean })),
  }),
  t.partial({
    held: t.array(HeldMail),
    log: t.readonlyArray(LogEntry),
    labels: t.array(Label),
    /** The rules for all masks: those before and those after the rules of each mask. */
    accountRules: t.type({ before: t.array(t.unknown), after: t.array(t.unknown) }),
    settings: t.partial({
      senderShown: SenderShown,
      actionLinks: ActionLinkPlace,
      unsubscribe: UnsubscribeMode,
      calendarsThroughMask: t.boolean,
      maskTags: t.boolean,
      heldNotices: t.boolean,
      maskFormat: MaskFormat,
      maskListSettings: SharedListSettings,
      log: LogMode,
      keepLastMails: t.boolean,
      showCodes: t.boolean,
    }),
    /** Without the keys that sign their mail. */
    domains: t.readonlyArray(Domain),
    /** The names of passkeys and the times of their use, without the keys. */
    passkeys: t.readonlyArray(
      t.type({ name: t.string, created: t.string, lastUsed: t.union([t.string, t.null]) }),
    ),
    /** The devices with push notifications, without the addresses and keys of their push services. */
    pushDevices: t.readonlyArray(PushDevice),
  }),
]);
export type AccountExport = t.TypeOf<typeof AccountExport>;

/** Exports the caller's data. */
export const exportAccount = endpoint("GET", "/account/export", {
  needsRecentProof: true,
  answer: AccountExport,
});

/** Deletes the caller's account and data; `email` as the user typed it, `code` if the account has a second factor. */
export const deleteAccount = endpoint("DELETE", "/account", {
  needsRecentProof: true,
  body: t.intersection([t.type({ email: t.string }), t.partial({ code: SecondFactor })]),
});
