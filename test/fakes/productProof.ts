import { deleteAccount, exportAccount } from "../../core/account/accountDataEndpoints.ts";
import { updateProfile } from "../../core/account/profileEndpoints.ts";
import { postApiToken } from "../../core/apiTokens/apiTokenEndpoints.ts";
import { postAppPassword } from "../../core/appPasswords/appPasswordEndpoints.ts";
import { postDestination } from "../../core/destinations/destinationEndpoints.ts";
import { deleteKeys, setUpKeys } from "../../core/encryption/keyEndpoints.ts";
import { deletePasskey, getPasskeyOptions, putPasskeysOnly } from "../../core/passkeys/passkeyEndpoints.ts";
import { removeIdentity } from "../../core/session/identityEndpoints.ts";
import { endOtherSessions, endSession } from "../../core/session/openSessionEndpoints.ts";
import * as twoFactor from "../../core/session/twoFactor/twoFactorEndpoints.ts";
import { patchWebhook, postWebhook, postWebhookSecret } from "../../core/webhooks/webhookEndpoints.ts";
import { type Answer, type FakeHttp, patternOf, type ReceivedRequest } from "./fakeHttp.ts";

/** The calls that need a proof whatever they say. */
const protectedCalls = [
  deleteAccount,
  exportAccount,
  postApiToken,
  postAppPassword,
  postDestination,
  setUpKeys,
  deleteKeys,
  getPasskeyOptions,
  deletePasskey,
  putPasskeysOnly,
  removeIdentity,
  endSession,
  endOtherSessions,
  twoFactor.setUpTwoFactor,
  twoFactor.verifySetup,
  twoFactor.disableTwoFactor,
  twoFactor.renewRecoveryCodes,
  postWebhook,
  patchWebhook,
  postWebhookSecret,
].map(({ method, path }) => ({ method, pattern: patternOf(path) }));

/** The addresses that a mask, its rules or several masks are to forward to. */
const namedIn = (body: unknown): readonly string[] => {
  if (Array.isArray(body)) return body.flatMap(namedIn);
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    if (name === "forwardTo" || name === "destinations" || name === "email")
      return [value].flat() as string[];
    return namedIn(value);
  });
};

const asksForAddress = (body: unknown): boolean => {
  const { email, code } = body as { email?: unknown; code?: unknown };
  return email !== undefined && code === undefined;
};

const namesAddresses = /^\/(?:masks(?:\/|$)|rules\/)/;

/** The proof of the fake server's user. */
export interface ProductProof {
  /** Makes the session one that began long ago. */
  readonly lapse: () => void;
  /** Returns the refusal of a request that needs a proof; null for another. */
  readonly refusalOf: (request: ReceivedRequest) => Answer | null;
}

const message = "Confirm that it is you, then try again.";
const refusal: Answer = { status: 403, json: { message, errors: [{ field: "proof", message }] } };

/** Serves the proof by the code `rightCode`; the session is a new one until it lapses. */
export const serveProof = (
  server: FakeHttp,
  rightCode: string,
  confirmed: () => readonly string[],
): ProductProof => {
  let isProven = true;
  server.on("POST", "/account/proof/code", { json: {} });
  server.on("PUT", "/account/proof", ({ body }) => {
    if ((body as { code?: unknown }).code !== rightCode)
      return {
        status: 400,
        json: { message: "Wrong code", errors: [{ field: "code", message: "Wrong code" }] },
      };
    isProven = true;
    return { json: {} };
  });
  const isProtected = ({ method, path, body }: ReceivedRequest): boolean =>
    (path === updateProfile.path && asksForAddress(body)) ||
    protectedCalls.some((one) => one.method === method && one.pattern.test(path)) ||
    (method !== "GET" &&
      namesAddresses.test(path) &&
      namedIn(body).some((address) => !confirmed().includes(address)));
  return {
    lapse: () => {
      isProven = false;
    },
    refusalOf: (request) => (!isProven && isProtected(request) ? refusal : null),
  };
};
