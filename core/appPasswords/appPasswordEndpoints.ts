import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { isStorable, refined, requiredText } from "../api/textCodecs.ts";

/** A password for one mail program. Dates are ISO 8601. */
export const AppPassword = t.type({
  id: t.string,
  name: t.string,
  created: t.string,
  /** To within an hour; null before the first use. */
  lastUsed: t.union([t.string, t.null]),
});
export type AppPassword = t.TypeOf<typeof AppPassword>;

/** The server to which a mail program sends its mail; a port is null while it is closed. */
export const SubmissionServer = t.type({
  host: t.string,
  /** TLS starts with the connection. */
  tlsPort: t.union([t.number, t.null]),
  /** TLS starts with STARTTLS. */
  startTlsPort: t.union([t.number, t.null]),
});
export type SubmissionServer = t.TypeOf<typeof SubmissionServer>;

export const maxAppPasswordName = 60;

const Name = refined(
  requiredText("Name the program or device"),
  (name) => name.length <= maxAppPasswordName && isStorable(name),
  `Use at most ${maxAppPasswordName} characters`,
);

/** Lists the app passwords, newest first. Extends the contract. */
export const listAppPasswords = endpoint("GET", "/account/app-passwords", {
  answer: t.type({ passwords: t.readonlyArray(AppPassword), server: SubmissionServer }),
});

/** Makes an app password; 409 for too many. The answer is the only place where it is readable. */
export const postAppPassword = endpoint("POST", "/account/app-passwords", {
  status: 201,
  needsRecentProof: true,
  body: t.type({ name: Name }),
  answer: t.type({ appPassword: AppPassword, password: t.string }),
});

/** Revokes an app password; 404 when the user has none with this id. */
export const deleteAppPassword = endpoint("DELETE", "/account/app-passwords/:id", {
  params: t.type({ id: t.string }),
});
