import type { Channel } from "./channel.ts";
import { ClientError } from "./clientError.ts";
import type { Extensions } from "./extensions.ts";
import type { Reply } from "./reply.ts";

/** The user and the password for a server (RFC 4954). */
export interface SmtpCredentials {
  readonly user: string;
  readonly password: string;
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** Signs in with PLAIN (RFC 4616) or LOGIN; throws a `ClientError` when the server refuses. */
export const logIn = async (
  channel: Channel,
  { user, password }: SmtpCredentials,
  { auth }: Extensions,
  timeoutMs: number,
): Promise<void> => {
  const ask = (line: string): Promise<Reply> => channel.ask(`${line}\r\n`, timeoutMs);
  const login = async (): Promise<Reply> => {
    for (const line of ["AUTH LOGIN", base64(user)]) {
      const reply = await ask(line);
      if (reply.code !== 334) return reply;
    }
    return ask(base64(password));
  };
  const isLogin = auth.includes("LOGIN") && !auth.includes("PLAIN");
  const reply = isLogin ? await login() : await ask(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`);
  if (reply.code !== 235)
    throw new ClientError("EAUTH", `the server refuses user and password: ${reply.code}`);
};
