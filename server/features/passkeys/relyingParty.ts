import type { MadePasskey, UsedPasskey } from "../../../core/passkeys/passkeyEndpoints.ts";
import { challengeLifetimeMs } from "./passkeyLimits.ts";
import type { PasskeyRow } from "./passkeyQueries.ts";

/** Loaded with the first passkey: it reads certificates of authenticators, which most servers never need. */
const library = () => import("@simplewebauthn/server");

/** The party that passkeys of this installation belong to: the host of PUBLIC_URL, at its origin only. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
  readonly name: string;
}

export const relyingPartyOf = (publicUrl: string, brand: string): RelyingParty => {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin, name: brand };
};

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, "base64url"));
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

interface ClientData {
  readonly challenge: string;
  readonly origin: string;
}

/** Reads what the browser says it has asked the authenticator for; null when it is nothing such. */
export const readClientData = (clientDataJSON: string): ClientData | null => {
  try {
    const { challenge, origin, crossOrigin } = JSON.parse(
      Buffer.from(clientDataJSON, "base64url").toString("utf8"),
    ) as Record<string, unknown>;
    const isOurs = typeof challenge === "string" && typeof origin === "string" && crossOrigin !== true;
    return isOurs ? { challenge, origin } : null;
  } catch {
    return null;
  }
};

/** The public key algorithms that are taken: ES256, which all authenticators have, EdDSA and RS256. */
const algorithms = [-8, -7, -257];

/** The owner of a passkey that is made. */
export interface PasskeyOwner {
  /** Random, in base64url: authenticators show it to everyone who holds them. */
  readonly handle: string;
  readonly email: string;
}

/** Returns the options for making a passkey that no address has to be typed for. */
export const registrationOptions = async (
  party: RelyingParty,
  owner: PasskeyOwner,
  challenge: string,
  existing: readonly PasskeyRow[],
): Promise<Readonly<Record<string, unknown>>> => {
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userID: bytesOf(owner.handle),
    userName: owner.email,
    userDisplayName: owner.email,
    challenge: bytesOf(challenge),
    timeout: challengeLifetimeMs,
    attestationType: "none",
    supportedAlgorithmIDs: algorithms,
    authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
    excludeCredentials: existing.map(({ credential_id: id, transports }) => ({
      id,
      transports: JSON.parse(transports) as string[],
    })) as NonNullable<Parameters<typeof generateRegistrationOptions>[0]["excludeCredentials"]>,
  });
  return { ...options };
};

/** Returns the options for a sign-in with any passkey that the browser has for this host. */
export const signInOptions = (party: RelyingParty, challenge: string): Readonly<Record<string, unknown>> => ({
  challenge,
  rpId: party.id,
  timeout: challengeLifetimeMs,
  userVerification: "preferred",
  allowCredentials: [],
});

/** The facts that an authenticator has proven about a new passkey. */
export interface NewCredential {
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly isVerified: boolean;
  readonly isSynced: boolean;
  readonly isBackedUp: boolean;
  readonly aaguid: string;
}

/** Checks the answer of an authenticator that has made a passkey; null unless it belongs to challenge, origin and host. */
export const checkMadePasskey = async (
  party: RelyingParty,
  made: MadePasskey,
  challenge: string,
): Promise<NewCredential | null> => {
  const { verifyRegistrationResponse } = await library();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...made, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified) return null;
    const { credential, userVerified, credentialDeviceType, credentialBackedUp, aaguid } = registrationInfo;
    return {
      credentialId: credential.id,
      publicKey: textOf(credential.publicKey),
      counter: credential.counter,
      isVerified: userVerified,
      isSynced: credentialDeviceType === "multiDevice",
      isBackedUp: credentialBackedUp,
      aaguid,
    };
  } catch {
    // What a stranger sends may be anything; the library names each defect by an error of its own.
    return null;
  }
};

/** The facts that an authenticator has proven with a passkey. */
export interface UsedCredential {
  readonly counter: number;
  readonly isVerified: boolean;
  readonly isBackedUp: boolean;
}

/**
 * Checks the answer of an authenticator that has signed with a passkey; null unless the signature is right and belongs to
 * challenge, origin and host. The counter is left to the store.
 */
export const checkUsedPasskey = async (
  party: RelyingParty,
  used: UsedPasskey,
  challenge: string,
  passkey: PasskeyRow,
): Promise<UsedCredential | null> => {
  const { verifyAuthenticationResponse } = await library();
  const { userHandle, ...response } = used.response;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...used,
        response: { ...response, ...(userHandle === undefined ? {} : { userHandle }) },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      credential: { id: passkey.credential_id, publicKey: bytesOf(passkey.public_key), counter: 0 },
    });
    if (!verified) return null;
    const { newCounter, userVerified, credentialBackedUp } = authenticationInfo;
    return { counter: newCounter, isVerified: userVerified, isBackedUp: credentialBackedUp };
  } catch {
    return null;
  }
};
