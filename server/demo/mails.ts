import type { SendMailOptions } from "nodemailer";
import { makePdf } from "./invoicePdf.ts";

/** A mail a shop, a bank or a newsletter might send, and what the demo says it is. */
export interface DemoMail {
  readonly what: string;
  readonly mail: SendMailOptions;
}

const htmlPage = (title: string, body: string): string =>
  `<!doctype html><html><body style="font-family:sans-serif;color:#222"><h1 style="font-size:20px">${title}</h1>${body}</body></html>`;

const orderConfirmation: DemoMail = {
  what: "an order confirmation",
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
  what: "a newsletter",
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
  what: "a sign-in code in plain text",
  mail: {
    from: { name: "Example Bank", address: "no-reply@bank.example.com" },
    replyTo: "support@bank.example.com",
    subject: "493 027 is your sign-in code",
    text: "Your sign-in code is 493 027. It is good for 10 minutes.\n\nIf you did not ask for it, somebody knows your password.\n",
  },
};

const invoice: DemoMail = {
  what: "an invoice with a PDF",
  mail: {
    from: "billing@power.example.org",
    subject: "Invoice 2026-11",
    text: "Please find your invoice for November attached.\n",
    attachments: [
      {
        filename: "invoice-2026-11.pdf",
        contentType: "application/pdf",
        content: makePdf([
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
  what: "a mail in Japanese",
  mail: {
    from: { name: "東京カメラ店", address: "info@camera.example.com" },
    subject: "ご予約の確認(11月28日)📷",
    text: "ご予約ありがとうございます。\n\n日時:11月28日 14:00\n場所:東京本店\n",
  },
};

/** What a mask gets in an ordinary week. */
export const demoMails: readonly DemoMail[] = [orderConfirmation, newsletter, signInCode, invoice, japanese];
