import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { openAnswer } from "../api/wireCodecs.ts";
import { ActionLinkPlace } from "../mail/actionLinkPlace.ts";
import { emailAddress } from "../mail/emailAddress.ts";
import { SenderShown } from "../mail/forwardedFrom.ts";
import { UnsubscribeMode } from "../mail/unsubscribeMode.ts";
import { MaskFormat } from "../masks/maskFormat.ts";
import { SharedListSettings } from "../masks/sharedListSettings.ts";
import { KeyOfferAnswer } from "../session/keyOfferAnswer.ts";
import { SecondFactor, SignInCode } from "../session/oneTimeCode.ts";
import { User } from "../session/user.ts";

/** The new address of an account. */
export const NewAddress = emailAddress({
  required: "Type your new address.",
  invalid: "Please enter a valid email address",
});

/** The changes of a profile; omitted and unknown fields stay unchanged. */
const ProfileUpdate = t.partial({
  email: NewAddress,
  /** The code that was mailed to the new address; without it the server sends one. */
  code: SignInCode,
  /** The second factor of an account that has one. */
  twoFactorCode: SecondFactor,
  /** True if masks that forward to the old address are switched to the new one; true when left out. */
  moveMasks: t.boolean,
  /** The form in which senders of forwarded mail are shown; sent without the fields above. */
  senderShown: SenderShown,
  /** The place of links in forwarded mail that act on its mask; sent without the fields above. */
  actionLinks: ActionLinkPlace,
  /** The effect of "Unsubscribe" on forwarded mail of mailing lists; sent without the fields above. */
  unsubscribe: UnsubscribeMode,
  /** True if answers to invitations in forwarded mail go through the mask; sent without the fields above. */
  calendarsThroughMask: t.boolean,
  /** True if mail to the name of a mask with a tag behind it ("name+tag@") is taken; sent without the fields above. */
  maskTags: t.boolean,
  /** The user's answer to the offer to encrypt mail; sent without the fields above. */
  keyOffer: KeyOfferAnswer,
  /** True if the user gets a mail about newly held mail, once a day at most; sent without the fields above. */
  heldNotices: t.boolean,
  /**
   * True if the last mails of each mask are kept for 24 hours, encrypted to the user's key, to test rules with; sent without the
   * fields above. 409 without a key. False deletes what is kept.
   */
  keepLastMails: t.boolean,
  /**
   * True if codes in the mail of all masks are found and shown at once, which needs a recent proof; sent without the fields above.
   * False deletes those of masks that do not show them themselves.
   */
  showCodes: t.boolean,
  /** The format of the addresses of new masks, null for the usual; sent without the fields above. */
  maskFormat: t.union([MaskFormat, t.null]),
  /** The order and layout of the list of masks on all devices; sent without the fields above. */
  maskListSettings: SharedListSettings,
});

export type ProfileUpdate = t.TypeOf<typeof ProfileUpdate>;

/** With `pendingEmail` a code was sent to that address and nothing has changed; otherwise `user` is the updated user. */
export const ProfileAnswer = openAnswer(
  t.partial({ message: t.string, pendingEmail: t.string, email: t.string, user: User }),
);
export type ProfileAnswer = t.TypeOf<typeof ProfileAnswer>;

/**
 * Changes the caller's profile. A new address takes two calls: one requests a code, which needs a recent proof, one confirms
 * it; 409 for one that has an account.
 */
export const updateProfile = endpoint("PUT", "/account/profile", {
  body: ProfileUpdate,
  answer: ProfileAnswer,
});
