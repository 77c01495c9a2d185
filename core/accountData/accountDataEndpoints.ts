import * as t from "io-ts";
import { endpoint } from "../contract/endpoint.ts";
import { SecondFactor } from "../session/oneTimeCode.ts";
import { AccountExport } from "./accountExport.ts";

/** Everything that is kept of the caller. */
export const exportAccount = endpoint("GET", "/account/export", { answer: AccountExport });

/**
 * Removes the caller and all there is of them. `email` is the account's address as its owner typed it; `code` is a
 * second factor, for an account that has one.
 */
export const deleteAccount = endpoint("DELETE", "/account", {
  body: t.intersection([t.type({ email: t.string }), t.partial({ code: SecondFactor })]),
});
