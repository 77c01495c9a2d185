import { secondsUntil } from "../session/resend.ts";

/** Where somebody stands who gives their account another address. */
export type AddressStep =
  | { readonly step: "address" }
  | { readonly step: "code"; readonly email: string; readonly resendInSeconds: number }
  | { readonly step: "done"; readonly email: string };

/** The code entry for an address whose code can be sent again at `resendAt`. Times in milliseconds since 1970. */
export const codeStep = (email: string, resendAt: number, now: number): AddressStep => ({
  step: "code",
  email,
  resendInSeconds: secondsUntil(resendAt, now),
});
