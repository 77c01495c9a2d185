import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { SignInCode } from "./oneTimeCode.ts";

/** Mails a code to the account's address, with which the user confirms that it is them. 403 where only passkeys log in. */
export const requestProofCode = endpoint("POST", "/account/proof/code");

/** Confirms by the mailed code, for five minutes. */
export const proveByCode = endpoint("PUT", "/account/proof", { body: t.type({ code: SignInCode }) });
