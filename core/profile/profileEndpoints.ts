import * as t from "io-ts";
import { User } from "../account/user.ts";
import { endpoint } from "../contract/endpoint.ts";
import { emailAddress } from "../mail/emailAddress.ts";
import { SecondFactor, SignInCode } from "../session/oneTimeCode.ts";

/** An address that an account is to have. */
export const NewAddress = emailAddress({
  required: "Type your new address.",
  invalid: "Please enter a valid email address",
});

/** What is to change of a profile (A3); what is left out, and what nobody knows, stays as it is. */
const ProfileUpdate = t.partial({
  email: NewAddress,
  /** The code that was mailed to the new address; without it one is sent. */
  code: SignInCode,
  /** For an account that has a second factor. */
  twoFactorCode: SecondFactor,
  /** Masks that forward to the address that goes forward to the new one; true when left out. */
  moveMasks: t.boolean,
});

/** `pendingEmail`: nothing has changed yet, a code went out to there. Else `user` as it is now, and its address. */
export const ProfileAnswer = t.partial({
  message: t.string,
  pendingEmail: t.string,
  email: t.string,
  user: User,
});
export type ProfileAnswer = t.TypeOf<typeof ProfileAnswer>;

/** Changes the caller's profile (AC4). Another address is asked for first, and changed with its code. */
export const updateProfile = endpoint("PUT", "/account/profile", {
  body: ProfileUpdate,
  answer: ProfileAnswer,
});
