import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { type Failure, unreadable } from "../kernel/failure.ts";
import type { Authenticator, AuthenticatorAnswer, AuthenticatorRequest } from "../ports/authenticator.ts";
import { authenticatorFailure } from "./authenticatorFailure.ts";
import { UsedPasskey } from "./passkeyEndpoints.ts";

/** A passkey that has signed what the server asked for, and the secret that it derives for this app, where it derives one. */
export interface PasskeyAnswer {
  readonly used: UsedPasskey;
  readonly secret: string | null;
}

const decode = ({ signed, secret }: AuthenticatorAnswer): E.Either<Failure, PasskeyAnswer> =>
  pipe(
    UsedPasskey.decode(signed),
    E.bimap(
      () => unreadable("passkey", []),
      ({ id, rawId, type, response }) => ({ used: { id, rawId, type, response }, secret }),
    ),
  );

/** Lets the user choose a passkey, in the browser's dialog or among the suggestions of the field, and has it sign. */
export const usePasskey = (
  authenticator: Pick<Authenticator, "load">,
  options: AuthenticatorRequest,
  place: "dialog" | "field",
): TE.TaskEither<Failure, PasskeyAnswer> =>
  pipe(
    authenticator.load,
    TE.chain((loaded) => loaded.use(options, place)),
    TE.mapLeft(authenticatorFailure),
    TE.chainEitherK(decode),
  );
