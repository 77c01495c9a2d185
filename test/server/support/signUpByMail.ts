import type { Client } from "./client.ts";
import type { Sink } from "./sink.ts";
import { until } from "./until.ts";

/**
 * Signs up with the code that is mailed to the next hop, as a new user does, and makes a mask that forwards to the
 * address. The client holds the session afterwards.
 * @returns the address of the mask
 */
export const signUpByMail = async (client: Client, sink: Sink, email: string): Promise<string> => {
  await client.call("POST", "/login", { body: { email } });
  const code = () =>
    sink.mails.flatMap(({ content }) => /^Subject: .*?(\d{6})/m.exec(content.toString())?.[1] ?? [])[0];
  await until("the code is mailed", () => code() !== undefined);
  const { json } = await client.call("PUT", "/login", { body: { email, otp: code() } });
  const { tempToken } = json as { tempToken: string };
  const signedUp = await client.call("POST", "/signup", { body: { tempToken, tier: "free" } });
  client.token = (signedUp.json as { token: string }).token;
  const created = await client.call("POST", "/masks", { body: { description: "Shop", forwardTo: email } });
  return (created.json as { maskEmail: string }).maskEmail;
};
