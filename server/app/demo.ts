import { createTransport, type SendMailOptions } from "nodemailer";
import { isAtDomain } from "../../core/mail/domainName.ts";
import { isEmailAddress } from "../../core/mail/emailAddress.ts";
import { type Config, readConfig } from "../platform/config/config.ts";
import { SettingError } from "../platform/config/settings.ts";
import { readSettings } from "../platform/config/settingsFile.ts";

const escapeText = (line: string): string => line.replace(/[\\()]/g, "\\$&");

const renderPage = (lines: readonly string[]): string => {
  const shown = lines
    .map((line, index) => `${index === 0 ? "" : "0 -24 Td "}(${escapeText(line)}) Tj`)
    .join("\n");
  return `BT /F1 14 Tf 72 740 Td\n${shown}\nET`;
};

/** Creates a PDF of one page with these lines, in ASCII (PDF 1.4). */
const createPdf = (lines: readonly string[]): Buffer => {
  const content = renderPage(lines);
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${size}\n0000000000 65535 f \n${table}${end}`, "latin1");
};

/** An example mail and the description that the demo prints. */
export interface DemoMail {
  readonly description: string;
  readonly mail: SendMailOptions;
}

const htmlPage = (title: string, body: string): string =>
  `<!doctype html><html><body style="font-family:sans-serif;color:#222"><h1 style="font-size:20px">${title}</h1>${body}</body></html>`;

const orderConfirmation: DemoMail = {
  description: "an order confirmation",
  mail: {
    from: { name: "Żółw & Søn Bøger", address: "orders@shop.example.com" },
    subject: "Your order 4711 is on its way",
    text: "Thank you for your order 4711.\n\n2 × Field Guide to Tortoises   24.00\n\nIt should arrive on Thursday.\n",
    html: htmlPage(
      "Thank you for your order 4711",
      "<table><tr><td>2 × Field Guide to Tortoises</td><td>24.00</td></tr></table><p>It should arrive on Thursday.</p>",
    ),
  },
};

const newsletter: DemoMail = {
  description: "a newsletter",
  mail: {
    from: { name: "The Slow Gazette", address: "news@gazette.example.org" },
    subject: "This week: why good bread takes two days",
    list: { unsubscribe: { url: "https://gazette.example.org/unsubscribe/abc123", comment: "Unsubscribe" } },
    headers: { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click", Precedence: "bulk" },
    text: "Why good bread takes two days, and what to do in between.\n\nUnsubscribe: https://gazette.example.org/unsubscribe/abc123\n",
    html: htmlPage(
      "Why good bread takes two days",
      '<p>And what to do in between.</p><p><a href="https://gazette.example.org/unsubscribe/abc123">Unsubscribe</a></p>',
    ),
  },
};

const signInCode: DemoMail = {
  description: "a sign-in code in plain text",
  mail: {
    from: { name: "Example Bank", address: "no-reply@bank.example.com" },
    replyTo: "support@bank.example.com",
    subject: "493 027 is your sign-in code",
    text: "Your sign-in code is 493 027. It is good for 10 minutes.\n\nIf you did not ask for it, somebody knows your password.\n",
  },
};

const invoice: DemoMail = {
  description: "an invoice with a PDF",
  mail: {
    from: "billing@power.example.org",
    subject: "Invoice 2026-11",
    text: "Please find your invoice for November attached.\n",
    attachments: [
      {
        filename: "invoice-2026-11.pdf",
        contentType: "application/pdf",
        content: createPdf([
          "Example Power",
          "Invoice 2026-11",
          "Electricity, 212 kWh: 61.48",
          "Due on 15 December 2026",
        ]),
      },
    ],
  },
};

const japanese: DemoMail = {
  description: "a mail in Japanese",
  mail: {
    from: { name: "東京カメラ店", address: "info@camera.example.com" },
    subject: "ご予約の確認(11月28日)📷",
    text: "ご予約ありがとうございます。\n\n日時:11月28日 14:00\n場所:東京本店\n",
  },
};

const demoMails: readonly DemoMail[] = [orderConfirmation, newsletter, signInCode, invoice, japanese];

/** Stops the demo; the message tells the operator what to do. */
class DemoError extends Error {}

const wildcardAddresses = new Set(["0.0.0.0", "::"]);

const readMask = (args: readonly string[], { maskDomain, publicUrl }: Config): string => {
  const [mask] = args;
  const hint = `Create a mask at ${publicUrl} and copy its address.`;
  if (mask === undefined)
    throw new DemoError(
      `No mask address was given. Run: npm run demo -- <address>\n${hint}\nTo see a reply instead, run: npm run demo -- --reply`,
    );
  if (!isEmailAddress(mask)) throw new DemoError(`"${mask}" is not an address.\n${hint}`);
  if (!isAtDomain(mask, maskDomain))
    throw new DemoError(`Masks of this server end in @${maskDomain}.\n${hint}`);
  return mask;
};

interface SendError {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

const connectionErrorCodes = new Set(["ESOCKET", "ECONNECTION", "ETIMEDOUT", "EDNS"]);

const advice: Readonly<Record<string, string>> = {
  "550 5.1.1": "The mask does not exist: check the address for typing errors.",
  "550 5.2.1": "The mask is switched off: switch it on and try again.",
  "450 4.2.1": "The destination of the mask is not confirmed: open the link in the confirmation mail.",
  "552 5.2.2": "All mails of this month are used.",
};

const explain = (error: unknown, config: Config): DemoError => {
  const { code, responseCode, response } = (error instanceof Error ? error : {}) as SendError;
  if (responseCode === undefined && connectionErrorCodes.has(code ?? ""))
    return new DemoError(
      `No mail server is listening at ${config.smtpHost}:${config.smtpPort}.\nStart the server with npm start, and set the same SMTP_PORT and SMTP_HOST (or HOST) for the demo.`,
    );
  const hint = advice[(response ?? "").slice(0, 9)];
  return new DemoError(`The server refused the mail: ${response ?? String(error)}${hint ? `\n${hint}` : ""}`);
};

const sendMails = async (): Promise<void> => {
  const config = readConfig(readSettings(process.env));
  const mask = readMask(process.argv.slice(2), config);
  const transport = createTransport({
    host: wildcardAddresses.has(config.smtpHost) ? "127.0.0.1" : config.smtpHost,
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
  for (const [index, { description, mail }] of demoMails.entries()) {
    await send(mail);
    console.log(`  ${index + 1}/${demoMails.length}  ${description}`);
  }
  const where = config.nextHop
    ? "The mails are being sent to your mailbox"
    : `Read the mails at ${config.publicUrl}/outbox`;
  console.log(`Done. ${where}; the statistics of the mask are at ${config.publicUrl}.`);
};

/** `--reply` plays a reply on a server of its own; an address sends mails to a mask of the running one. */
const run = async (): Promise<void> => {
  if (process.argv[2] !== "--reply") return sendMails();
  const { playReply } = await import("./demoReply.ts");
  await playReply(console.log);
};

run().catch((error: unknown) => {
  const expected = error instanceof DemoError || error instanceof SettingError;
  console.error(expected ? error.message : error);
  process.exitCode = 1;
});
