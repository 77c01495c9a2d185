import * as t from "io-ts";

/** The method by which a session began: a code by mail, a link of the operator, a passkey, or an identity provider (OIDC). */
export const SignInWay = t.keyof({ code: null, link: null, passkey: null, oidc: null });
export type SignInWay = t.TypeOf<typeof SignInWay>;

/** All ways, in the order in which they are shown. */
export const signInWays: readonly SignInWay[] = ["code", "passkey", "oidc", "link"];
