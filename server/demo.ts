import { createTransport, type SendMailOptions } from "nodemailer";
import { domainOf, isEmailAddress } from "../core/mail/emailAddress.ts";
import { type Config, readConfig } from "./config/config.ts";
import { BadSetting } from "./config/setting.ts";
import { demoMails } from "./demo/mails.ts";

/** The demo cannot go on; the message says what to do. */
class Stop extends Error {}

const anyAddress = new Set(["0.0.0.0", "::"]);

const maskOf = (args: readonly string[], { maskDomain, publicUrl }: Config): string => {
  const [mask] = args;
  const make = `Make a mask at ${publicUrl} and copy its address.`;
  if (mask === undefined) throw new Stop(`Which mask? Say: npm run demo -- <address>\n${make}`);
  if (!isEmailAddress(mask)) throw new Stop(`"${mask}" is not an e-mail address.\n${make}`);
  if (domainOf(mask).toLowerCase() !== maskDomain)
    throw new Stop(`The masks of this server end in @${maskDomain}.\n${make}`);
  return mask;
};

interface SendError {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

const connectionTrouble = new Set(["ESOCKET", "ECONNECTION", "ETIMEDOUT", "EDNS"]);

const advice: Readonly<Record<string, string>> = {
  "550 5.1.1": "There is no such mask: check the address for typing errors.",
  "550 5.2.1": "The mask is switched off: switch it on and try again.",
  "450 4.2.1": "The mask waits until its destination is confirmed: open the link in the confirmation mail.",
  "552 5.2.2": "This month's mails of your plan are used up.",
};

const explain = (error: unknown, config: Config): Stop => {
  const { code, responseCode, response } = (error instanceof Error ? error : {}) as SendError;
  if (responseCode === undefined && connectionTrouble.has(code ?? ""))
    return new Stop(
      `Nobody listens for mail at ${config.smtpHost}:${config.smtpPort}.\nStart the server with npm start, and give the demo the same SMTP_PORT and SMTP_HOST (or HOST).`,
    );
  const known = advice[(response ?? "").slice(0, 9)];
  return new Stop(`The server refused the mail: ${response ?? String(error)}${known ? `\n${known}` : ""}`);
};

const run = async (): Promise<void> => {
  const config = readConfig(process.env);
  const mask = maskOf(process.argv.slice(2), config);
  const transport = createTransport({
    host: anyAddress.has(config.smtpHost) ? "127.0.0.1" : config.smtpHost,
    port: config.smtpPort,
    secure: false,
    ignoreTLS: true,
    name: "demo.example.com",
  });
  const send = (mail: SendMailOptions): Promise<unknown> =>
    transport.sendMail({ ...mail, to: mask }).catch((error: unknown) => {
      throw explain(error, config);
    });

  console.log(`Sending ${demoMails.length} mails to ${mask}`);
  for (const [index, { what, mail }] of demoMails.entries()) {
    await send(mail);
    console.log(`  ${index + 1}/${demoMails.length}  ${what}`);
  }
  const where = config.nextHop
    ? "They are on their way to your mailbox"
    : `Read them at ${config.publicUrl}/outbox`;
  console.log(`Done. ${where}, and see the mask's numbers at ${config.publicUrl}.`);
};

run().catch((error: unknown) => {
  const expected = error instanceof Stop || error instanceof BadSetting;
  console.error(expected ? error.message : error);
  process.exitCode = 1;
});
