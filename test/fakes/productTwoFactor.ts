import type { User } from "../../core/session/user.ts";
import type { Answer, FakeHttp, ReceivedRequest } from "./fakeHttp.ts";

/** The authenticator's code, which never changes. */
export const authenticatorCode = "654321";
export const authenticatorSecret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

/** The recovery codes of one generation, the first of them "aaaa0-00001". */
export const recoveryCodesOf = (round: number): readonly string[] =>
  Array.from({ length: 10 }, (_, n) => `aaaa${round}-${String(n + 1).padStart(5, "0")}`);

type Authorise = (answer: (request: ReceivedRequest) => Answer) => (request: ReceivedRequest) => Answer;

interface Owner {
  readonly user: () => User;
  readonly setUser: (user: User) => void;
}

/** Two-factor authentication of the fake server's user. */
export const serveTwoFactor = (server: FakeHttp, authorised: Authorise, { user, setUser }: Owner): void => {
  let left: readonly string[] = user().twoFactor.enabled ? recoveryCodesOf(0) : [];
  let round = 0;
  const refused = (status: number, message: string): Answer => ({
    status,
    json: { message, errors: [{ field: "code", message }] },
  });
  const codeOf = ({ body }: ReceivedRequest): string => String((body as { code?: unknown }).code);
  const isRight = (request: ReceivedRequest): boolean =>
    codeOf(request) === authenticatorCode || left.includes(codeOf(request));
  const give = (): Answer => {
    left = recoveryCodesOf(round);
    round += 1;
    return { json: { recoveryCodes: left } };
  };
  const turn = (enabled: boolean): void => setUser({ ...user(), twoFactor: { enabled } });

  server.on(
    "GET",
    "/account/2fa",
    authorised(() => ({ json: { enabled: user().twoFactor.enabled, recoveryCodesLeft: left.length } })),
  );
  server.on(
    "POST",
    "/account/2fa/setup",
    authorised(() => ({
      json: {
        secret: authenticatorSecret,
        uri: `otpauth://totp/Bauta:ada%40example.org?issuer=Bauta&secret=${authenticatorSecret}`,
      },
    })),
  );
  server.on(
    "POST",
    "/account/2fa/verify",
    authorised((request) => {
      if (codeOf(request) !== authenticatorCode) return refused(400, "This code is not right.");
      turn(true);
      return give();
    }),
  );
  server.on(
    "DELETE",
    "/account/2fa",
    authorised((request) => {
      if (!isRight(request)) return refused(400, "Invalid 2FA code.");
      turn(false);
      left = [];
      return { json: {} };
    }),
  );
  server.on(
    "POST",
    "/account/2fa/recovery-codes",
    authorised((request) => (isRight(request) ? give() : refused(400, "Invalid 2FA code."))),
  );
};
