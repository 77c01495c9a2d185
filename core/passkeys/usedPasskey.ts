import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import { type Failure, unreadable } from "../kernel/failure.ts";
import { UsedPasskey } from "./passkeyEndpoints.ts";

/** Decodes what an authenticator has signed, without the results of extensions, which are no business of the server. */
export const decodeUsed = (answer: unknown): E.Either<Failure, UsedPasskey> =>
  pipe(
    UsedPasskey.decode(answer),
    E.bimap(
      () => unreadable("passkey", ["not what an authenticator answers"]),
      ({ id, rawId, type, response }) => ({ id, rawId, type, response }),
    ),
  );
