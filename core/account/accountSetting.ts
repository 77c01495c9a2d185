import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { mapState, type State } from "../kernel/state.ts";
import { SenderShown } from "../mail/forwardedFrom.ts";
import { type MaskFormat, readMaskFormat, usualFormat } from "../masks/maskFormat.ts";
import type { Account } from "../session/user.ts";
import { type ProfileUpdate, updateProfile } from "./profileEndpoints.ts";

/** One setting of the account, which a change saves at once. */
export interface AccountSetting<A> {
  /** null until the account is loaded, and where the server does not have the setting. */
  readonly value$: State<A | null>;
  readonly choose: (value: A) => TE.TaskEither<Problem, void>;
}

export interface AccountSettingDeps {
  readonly call: Call;
  readonly account$: State<Account | null>;
  readonly refreshAccount: () => TE.TaskEither<Problem, void>;
}

interface AccountSettingOptions<A> {
  readonly read: (account: Account) => A | null;
  readonly toUpdate: (value: A) => ProfileUpdate;
  /** The message that the user reads when it was not saved, and the server gives no reason. */
  readonly failed: string;
}

/** Returns the function that creates a setting: it is read with the account and saved with the profile. */
export const accountSetting =
  <A>({ read, toUpdate, failed }: AccountSettingOptions<A>) =>
  ({ call, account$, refreshAccount }: AccountSettingDeps): AccountSetting<A> => ({
    value$: mapState(account$, (account) => account && read(account)),
    choose: (value) =>
      pipe(
        call(updateProfile)({ body: toUpdate(value) }),
        TE.mapLeft(problemOf({ page: failed })),
        TE.chain(() => refreshAccount()),
      ),
  });

/**
 * The form in which senders of mail that arrives from now on are shown. A form that only newer versions know is read as the usual
 * one.
 */
export const createSenderDisplay = accountSetting<SenderShown>({
  read: ({ settings }) => (SenderShown.is(settings?.senderShown) ? settings.senderShown : "full"),
  toUpdate: (senderShown) => ({ senderShown }),
  failed: "Failed to change how senders are shown",
});

/** The format of the addresses of the account's new masks, unless another one is chosen for one mask. */
export const createNewMaskFormat = accountSetting<MaskFormat>({
  read: ({ settings }) => readMaskFormat(settings?.maskFormat) ?? usualFormat,
  toUpdate: (maskFormat) => ({ maskFormat }),
  failed: "Failed to change the addresses of new masks",
});

/** The switch for taking mail with a tag behind the name of a mask; null where the server does not say. */
export const createTagSetting = accountSetting<boolean>({
  read: ({ settings }) => settings?.maskTags ?? null,
  toUpdate: (maskTags) => ({ maskTags }),
  failed: "Failed to change whether tags are taken",
});

/** The switch for a mail about newly held mail, once a day at most; null where the server sends none. */
export const createHeldNoticeSetting = accountSetting<boolean>({
  read: ({ settings }) => settings?.heldNotices ?? null,
  toUpdate: (heldNotices) => ({ heldNotices }),
  failed: "Failed to change the notices of held mail",
});

/** The switch for answers to invitations in forwarded mail that go through the mask; null where the server does not say. */
export const createCalendarSetting = accountSetting<boolean>({
  read: ({ settings }) => settings?.calendarsThroughMask ?? null,
  toUpdate: (calendarsThroughMask) => ({ calendarsThroughMask }),
  failed: "Failed to change the answers to invitations",
});

/** The switch for codes in the mail of all masks; null where the server finds none. */
export const createCodeSetting = accountSetting<boolean>({
  read: ({ settings }) => settings?.showCodes ?? null,
  toUpdate: (showCodes) => ({ showCodes }),
  failed: "Failed to change whether codes are shown",
});
