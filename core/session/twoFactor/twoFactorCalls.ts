import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import * as t from "io-ts";
import type { Call } from "../../api/call.ts";
import { decodeInput } from "../../api/fieldErrors.ts";
import { type Failure, isRefused, unreadable } from "../../kernel/failure.ts";
import type { QrSymbol, WriteQrCode } from "../../ports/qrCode.ts";
import { SecondFactor, TwoFactorCode } from "../oneTimeCode.ts";
import type { RecoveryCode } from "./recoveryCode.ts";
import * as endpoints from "./twoFactorEndpoints.ts";
import type { Secret } from "./twoFactorFlow.ts";

type RecoveryCodes = readonly RecoveryCode[];

/** The requests of two-factor authentication. Codes are validated before anything is sent. */
export interface TwoFactorCalls {
  /** Returns the number of unused recovery codes; null when the server lacks this endpoint. */
  readonly recoveryCodesLeft: TE.TaskEither<Failure, number | null>;
  /** Fails with `unreadable` when the secret or its URI is missing. */
  readonly setUp: TE.TaskEither<Failure, Secret>;
  readonly verify: (code: string) => TE.TaskEither<Failure, RecoveryCodes>;
  readonly disable: (code: string) => TE.TaskEither<Failure, void>;
  readonly renew: (code: string) => TE.TaskEither<Failure, RecoveryCodes>;
}

const decodeCode = <O>(codec: t.Type<string, O, unknown>, code: string) =>
  decodeInput(t.type({ code: codec }), { code });

const requireComplete = ({ secret, uri }: endpoints.SetupOffer) =>
  secret && uri
    ? E.right({ secret, uri })
    : E.left(unreadable("two-factor setup", ["the secret or its address is missing"]));

const recoveryCodesOf = ({ recoveryCodes = [] }: endpoints.ShownCodes): RecoveryCodes => recoveryCodes;

/** Creates the requests; a QR code that cannot be drawn is null. */
export const createTwoFactorCalls = (call: Call, writeQrCode: WriteQrCode): TwoFactorCalls => {
  const drawQrCode = (uri: string): TE.TaskEither<Failure, QrSymbol | null> =>
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
      call(endpoints.setUpTwoFactor)(),
      TE.chainEitherK(requireComplete),
      TE.chain((secret) =>
        pipe(
          drawQrCode(secret.uri),
          TE.map((qrCode): Secret => ({ ...secret, qrCode })),
        ),
      ),
    ),
    verify: (code) =>
      pipe(
        decodeCode(TwoFactorCode, code),
        TE.chain((body) => call(endpoints.verifySetup)({ body })),
        TE.map(recoveryCodesOf),
      ),
    disable: (code) =>
      pipe(
        decodeCode(SecondFactor, code),
        TE.chain((body) => call(endpoints.disableTwoFactor)({ body })),
      ),
    renew: (code) =>
      pipe(
        decodeCode(TwoFactorCode, code),
        TE.chain((body) => call(endpoints.renewRecoveryCodes)({ body })),
        TE.map(recoveryCodesOf),
      ),
  };
};
