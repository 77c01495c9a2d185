import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import * as t from "io-ts";
import { decoded } from "../contract/decoded.ts";
import { type Failure, isRefused, unreadable } from "../kernel/failure.ts";
import type { QrSymbol, WriteQrCode } from "../ports/qrCode.ts";
import type { Call } from "../requests/call.ts";
import { SecondFactor, TwoFactorCode } from "../session/oneTimeCode.ts";
import type { RecoveryCode } from "../session/recoveryCode.ts";
import * as endpoints from "./twoFactorEndpoints.ts";
import type { Secret } from "./twoFactorFlow.ts";

type RecoveryCodes = readonly RecoveryCode[];

/** What two-factor authentication asks of the server. A code is checked before anything is sent (SI4). */
export interface TwoFactorCalls {
  /** How many recovery codes are good; null where the server has no such call. */
  readonly recoveryCodesLeft: TE.TaskEither<Failure, number | null>;
  /** `unreadable` when the secret or its address is missing. */
  readonly setUp: TE.TaskEither<Failure, Secret>;
  readonly verify: (code: string) => TE.TaskEither<Failure, RecoveryCodes>;
  readonly disable: (code: string) => TE.TaskEither<Failure, void>;
  readonly renew: (code: string) => TE.TaskEither<Failure, RecoveryCodes>;
}

const checked = <O>(codec: t.Type<string, O, unknown>, code: string) =>
  decoded(t.type({ code: codec }), { code });

const complete = ({ secret, uri }: endpoints.SetupOffer) =>
  secret && uri
    ? E.right({ secret, uri })
    : E.left(unreadable("two-factor setup", ["the secret or its address is missing"]));

const codesIn = ({ recoveryCodes = [] }: endpoints.ShownCodes): RecoveryCodes => recoveryCodes;

export const makeTwoFactorCalls = (call: Call, writeQrCode: WriteQrCode): TwoFactorCalls => {
  const drawn = (uri: string): TE.TaskEither<Failure, QrSymbol | null> =>
    pipe(
      writeQrCode(uri),
      TE.orElse(() => TE.right<Failure, QrSymbol | null>(null)),
    );
  return {
    recoveryCodesLeft: pipe(
      call(endpoints.getTwoFactor)(),
      TE.map((status): number | null => status.recoveryCodesLeft),
      TE.orElse((failure) => (isRefused(failure, 404) ? TE.right(null) : TE.left(failure))),
    ),
    setUp: pipe(
      () => call(endpoints.setUpTwoFactor)()(),
      TE.chainEitherK(complete),
      TE.chain((made) =>
        pipe(
          drawn(made.uri),
          TE.map((qrCode): Secret => ({ ...made, qrCode })),
        ),
      ),
    ),
    verify: (code) =>
      pipe(
        checked(TwoFactorCode, code),
        TE.chain((body) => call(endpoints.verifySetup)({ body })),
        TE.map(codesIn),
      ),
    disable: (code) =>
      pipe(
        checked(SecondFactor, code),
        TE.chain((body) => call(endpoints.disableTwoFactor)({ body })),
      ),
    renew: (code) =>
      pipe(
        checked(TwoFactorCode, code),
        TE.chain((body) => call(endpoints.renewRecoveryCodes)({ body })),
        TE.map(codesIn),
      ),
  };
};
