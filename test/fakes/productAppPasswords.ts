import type { AppPassword } from "../../core/appPasswords/appPasswordEndpoints.ts";
import type { Answer, FakeHttp, ReceivedRequest } from "./fakeHttp.ts";
import { startsAt } from "./virtualClock.ts";

/** The password that the fake server makes. */
export const madePassword = "abcd-efgh-ijkm-npqr-stuv-wxyz";

type Authorise = (answer: (request: ReceivedRequest) => Answer) => (request: ReceivedRequest) => Answer;

export const serveAppPasswords = (server: FakeHttp, authorised: Authorise): void => {
  let passwords: readonly AppPassword[] = [];
  const address = { host: "masks.example", tlsPort: 465, startTlsPort: 587 };
  server.on(
    "GET",
    "/account/app-passwords",
    authorised(() => ({ json: { passwords, server: address } })),
  );
  server.on(
    "POST",
    "/account/app-passwords",
    authorised(({ body }) => {
      const { name } = body as { name: string };
      if (name.trim() === "") {
        const message = "Name the program or device";
        return { status: 400, json: { message, errors: [{ field: "name", message }] } };
      }
      const appPassword = { id: name, name, created: new Date(startsAt).toISOString(), lastUsed: null };
      passwords = [appPassword, ...passwords];
      return { status: 201, json: { appPassword, password: madePassword } };
    }),
  );
  server.on(
    "DELETE",
    "/account/app-passwords/:id",
    authorised(({ params }) => {
      const before = passwords.length;
      passwords = passwords.filter(({ id }) => id !== params["id"]);
      return passwords.length < before
        ? { json: {} }
        : { status: 404, json: { message: "This password is revoked already." } };
    }),
  );
};
