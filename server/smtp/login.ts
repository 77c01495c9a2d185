import { type SmtpReply, smtpReply } from "./smtpReplies.ts";

/** The name and password of a client. */
export interface Login {
  readonly user: string;
  readonly password: string;
}

/** A login that waits for the client's next line; null as `user` waits for the name first. */
export interface OpenLogin {
  readonly mechanism: "PLAIN" | "LOGIN";
  readonly user: string | null;
}

/** The next step of a login: a question, the complete login, or a refusal. */
export type LoginStep =
  | { readonly kind: "question"; readonly text: string; readonly open: OpenLogin }
  | { readonly kind: "login"; readonly login: Login }
  | { readonly kind: "refused"; readonly reply: SmtpReply };

const maxOctets = 1_024;

const refused = (reply: SmtpReply): LoginStep => ({ kind: "refused", reply });
const badEncoding = refused(smtpReply(501, "5.5.2", "The answer is not in Base64"));
const canceled = refused(smtpReply(501, "5.7.0", "Login canceled"));
const badPlain = refused(smtpReply(501, "5.5.2", "The answer needs a name and a password"));
const unknownMechanism = refused(smtpReply(504, "5.5.4", "Use AUTH PLAIN or AUTH LOGIN"));

const ask = (text: string, open: OpenLogin): LoginStep => ({
  kind: "question",
  text: `334 ${Buffer.from(text).toString("base64")}\r\n`,
  open,
});

/** null when it is not Base64 (RFC 4648, 4). */
const decode = (text: string): string | null => {
  if (
    text.length > maxOctets ||
    !/^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$/.test(text) ||
    text.includes("_")
  )
    return null;
  return Buffer.from(text, "base64").toString("utf8");
};

/** The identity to act as is empty or the name itself: nobody sends for somebody else (RFC 4616, 2). */
const readPlain = (text: string): LoginStep => {
  const [identity = "", user = "", password = "", ...more] = text.split("\0");
  if (user === "" || password === "" || more.length > 0 || !["", user].includes(identity)) return badPlain;
  return { kind: "login", login: { user, password } };
};

/** Continues a login with a line of the client (RFC 4954, 4). */
export const continueLogin = ({ mechanism, user }: OpenLogin, line: string): LoginStep => {
  if (line === "*") return canceled;
  const text = decode(line);
  if (text === null) return badEncoding;
  if (mechanism === "PLAIN") return readPlain(text);
  if (user === null) return ask("Password:", { mechanism, user: text });
  return user === "" || text === "" ? badPlain : { kind: "login", login: { user, password: text } };
};

/** Starts a login with the argument of AUTH. */
export const startLogin = (argument: string): LoginStep => {
  const [name = "", initial, ...more] = argument.split(/ +/);
  const mechanism = name.toUpperCase();
  if ((mechanism !== "PLAIN" && mechanism !== "LOGIN") || more.length > 0) return unknownMechanism;
  const open: OpenLogin = { mechanism, user: null };
  if (initial !== undefined) return continueLogin(open, initial === "=" ? "" : initial);
  return mechanism === "PLAIN" ? ask("", open) : ask("Username:", open);
};
