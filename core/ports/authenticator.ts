import type { Task } from "fp-ts/lib/Task.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";

/** The reason for which there is no answer of an authenticator. */
export type AuthenticatorProblem =
  /** The user has closed the browser's dialog, or nobody has answered it in time. */
  | "cancelled"
  /** It has a passkey of this account already. */
  | "known"
  /** The page is open at another address than the one that passkeys belong to. */
  | "elsewhere"
  /** This browser or device cannot do it. */
  | "unavailable";

/** The server's request to an authenticator, as WebAuthn writes it in JSON. */
export type AuthenticatorRequest = Readonly<Record<string, unknown>>;

/** The signed answer of an authenticator. */
export interface AuthenticatorAnswer {
  /** As WebAuthn writes it in JSON, for the server. */
  readonly signed: unknown;
  /**
   * 32 bytes in base64url that the used passkey derives for this app, the same each time, and that no server sees (the PRF
   * extension of WebAuthn); null where the authenticator derives none.
   */
  readonly secret: string | null;
}

/** The authenticators that the browser knows: of this device, of others near it, and security keys. */
export interface Authenticators {
  /** True if the browser offers passkeys among the suggestions of a field. */
  readonly offersInField: Task<boolean>;
  /** Makes a passkey. */
  readonly make: (request: AuthenticatorRequest) => TaskEither<AuthenticatorProblem, unknown>;
  /**
   * Signs with a passkey that the user chooses, in a dialog or among the suggestions of the field that is marked for it. A
   * further call ends one that waits.
   */
  readonly use: (
    request: AuthenticatorRequest,
    place: "dialog" | "field",
  ) => TaskEither<AuthenticatorProblem, AuthenticatorAnswer>;
  /** Ends a call that waits. */
  readonly cancel: () => void;
}

/** Passkeys in this browser; what they need is loaded only by who uses or makes one. */
export interface Authenticator {
  /** True if the page is open where passkeys can work. */
  readonly isSupported: () => boolean;
  readonly load: TaskEither<AuthenticatorProblem, Authenticators>;
}
