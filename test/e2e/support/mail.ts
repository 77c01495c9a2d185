import { createTransport, type SendMailOptions } from "nodemailer";
import type { RunningServer } from "./server.ts";

/** Sends a shop's mail over SMTP; `more` replaces and adds fields. */
export const sendMail = async (
  server: RunningServer,
  to: string,
  more: Pick<SendMailOptions, "from" | "list" | "headers" | "subject" | "text" | "html"> = {},
): Promise<void> => {
  const transport = createTransport({ host: "127.0.0.1", port: server.smtpPort, ignoreTLS: true });
  await transport.sendMail({
    envelope: { from: "orders@shop.example.org", to },
    from: "Corner Shop <orders@shop.example.org>",
    to,
    subject: "Your order is on its way",
    text: "It should reach you on Tuesday.\n",
    ...more,
  });
  transport.close();
};
