import type { User } from "../../core/session/user.ts";
import type { Answer, FakeHttp, ReceivedRequest } from "./fakeHttp.ts";
import { authenticatorCode } from "./productTwoFactor.ts";

/** The code that is sent to a new address. */
export const newAddressCode = "246810";

type Authorise = (answer: (request: ReceivedRequest) => Answer) => (request: ReceivedRequest) => Answer;

const settingNames = [
  "senderShown",
  "actionLinks",
  "unsubscribe",
  "calendarsThroughMask",
  "maskTags",
  "heldNotices",
  "keepLastMails",
  "showCodes",
  "maskFormat",
  "maskListSettings",
];

interface Owner {
  readonly user: () => User;
  readonly setUser: (user: User) => void;
}

/** The profile of the fake server's user. */
export const serveProfile = (
  server: FakeHttp,
  authorised: Authorise,
  { user, setUser }: Owner,
  moveMasks: (from: string, to: string) => void,
): void => {
  const refused = (field: string, message: string): Answer => ({
    status: 400,
    json: { message, errors: [{ field, message }] },
  });
  server.on(
    "PUT",
    "/account/profile",
    authorised((request) => {
      const body = request.body as Readonly<Record<string, unknown>>;
      const chosen = Object.entries(body).filter(([name]) => settingNames.includes(name));
      if (chosen.length > 0) {
        const { settings } = user() as { readonly settings?: object };
        setUser(Object.assign({}, user(), { settings: { ...settings, ...Object.fromEntries(chosen) } }));
        return { json: { user: user() } };
      }
      if (body["keyOffer"] !== undefined) {
        setUser({ ...user(), keyOffer: String(body["keyOffer"]) });
        return { json: { user: user() } };
      }
      const email = String(body["email"]);
      if (email === user().email) return refused("email", "This is the address of your account already.");
      if (body["code"] === undefined) return { json: { message: "Sent", pendingEmail: email } };
      if (body["code"] !== newAddressCode) return refused("code", "This code is not right.");
      if (user().twoFactor.enabled && body["twoFactorCode"] !== authenticatorCode)
        return refused("twoFactorCode", "Invalid 2FA code.");
      if (body["moveMasks"] !== false) moveMasks(user().email, email);
      setUser({ ...user(), email });
      return { json: { email, user: user() } };
    }),
  );
};
