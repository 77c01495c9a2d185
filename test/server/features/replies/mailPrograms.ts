import type { Owner } from "../../support/owners.ts";

/** What a program answers: the forwarded mail as the owner has it. */
export interface AnsweredMail {
  readonly owner: Owner;
  /** The reverse address of the correspondent. */
  readonly reverse: string;
  readonly messageId: string;
  /** A Message-ID of an earlier mail of the owner in the thread. */
  readonly ownEarlierId: string;
}

/** One reply as a mail program writes it. */
export interface ProgramReply {
  readonly name: string;
  readonly content: string;
}

const crlf = (lines: readonly string[]): string => [...lines, ""].join("\r\n");
/** Some programs end lines in LF where the encoding hides it. */
const base64 = (text: string): string =>
  Buffer.from(text.replaceAll("\r\n", "\n")).toString("base64").replace(/.{76}/g, "$&\r\n");
const quotedPrintable = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) =>
      byte === 0x3d || byte > 0x7e
        ? `=${byte.toString(16).toUpperCase().padStart(2, "0")}`
        : String.fromCharCode(byte),
    )
    .join("")
    .replace(/[^\r\n]{72}(?=[^\r\n])/g, "$&=\r\n");

const encodings = {
  "8bit": (text: string): string => text,
  base64,
  "quoted-printable": quotedPrintable,
} as const;
type Encoding = keyof typeof encodings;

interface Program {
  readonly name: string;
  readonly idDomain: string;
  readonly header: readonly string[];
  readonly boundary: string;
  readonly text: (mail: AnsweredMail) => string;
  /** null for programs that write plain text only. */
  readonly html: ((mail: AnsweredMail) => string) | null;
}

const shown = "Bob - bob at shop.example";
const upper = ({ email }: Owner): string => email.toUpperCase();
const tagged = ({ email }: Owner): string => email.replace("@", "+shop@");
const escaped = ({ email }: Owner): string => email.replace("@", "%40");

/** The forms of common programs' replies, after their documentation, in words of our own. */
const programs: readonly Program[] = [
  {
    name: "Gmail",
    idDomain: "mail.gmail.com",
    header: [
      "X-Gm-Message-State: AOJu0Yx",
      "X-Received: by 2002:a05:6402:1; Fri, 20 Nov 2026 03:00:00 -0800 (PST)",
    ],
    boundary: "000000000000a1b2c3",
    text: ({ owner, reverse }) =>
      `Yes, at ${owner.email} please.\r\n\r\nOn Fri, Nov 20, 2026 at 11:00 AM ${shown} <\r\n${reverse}> wrote:\r\n\r\n> Is it right?\r\n> Sent to ${tagged(owner)}\r\n`,
    html: ({ owner, reverse }) =>
      `<div dir="ltr"><div class="gmail_default">Yes, <a href="mailto:${owner.email}" target="_blank">${owner.email}</a></div></div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Fri, Nov 20, 2026 at 11:00 AM ${shown} &lt;<a href="mailto:${reverse}">${reverse}</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex">Is it right?<img src="https://ci3.googleusercontent.com/meips/ADKq_NZ=s0-d-e1-ft#https://shop.example/logo.png"></blockquote></div>`,
  },
  {
    name: "Outlook",
    idDomain: "AM0PR01MB1.eurprd01.prod.outlook.com",
    header: [
      "Thread-Topic: Your order",
      "Thread-Index: AQHbOz",
      "X-MS-Has-Attach:",
      "X-Originating-IP: [192.0.2.7]",
      "X-MS-Exchange-Organization-AuthAs: Internal",
      "Accept-Language: de-DE, en-US",
      "Content-Language: de-DE",
    ],
    boundary: "_000_AM0PR01MB1eurprd01prod_",
    text: ({ owner, reverse }) =>
      `Yes.\r\n\r\nGet Outlook for iOS<https://aka.ms/o0ukef>\r\n________________________________\r\nFrom: ${shown} <${reverse}>\r\nSent: Friday, November 20, 2026 11:00:00 AM\r\nTo: ${upper(owner)} <${owner.email}>\r\nSubject: Your order\r\n\r\nSee https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fshop.example%2Forder%3Fid%3D1&data=05%7C02%7C${escaped(owner)}%7Cabc&reserved=0\r\n`,
    html: ({ owner, reverse }) =>
      `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta name="Generator" content="Microsoft Word 15 (filtered medium)"><!--[if mso]><style>v\\:* {behavior:url(#default#VML);}</style><![endif]--><style><!-- p.MsoNormal {margin:0} --></style></head><body lang="DE"><p class="MsoNormal" style="mso-margin-top-alt:auto">Yes.<o:p></o:p></p><div id="ms-outlook-mobile-signature">Get <a href="https://aka.ms/o0ukef">Outlook for iOS</a></div><div id="divRplyFwdMsg" dir="ltr"><b>From:</b> ${shown} &lt;${reverse}&gt;<br><b>To:</b> ${owner.email} &lt;${upper(owner)}&gt;</div><div class="x_gmail_default"><a href="https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fshop.example%2Forder%3Fid%3D1&amp;data=05%7C02%7C${escaped(owner)}%7C08dd&amp;reserved=0" originalsrc="https://shop.example/order?id=1">order</a></div></body></html>`,
  },
  {
    name: "Apple Mail",
    idDomain: "home.example",
    header: [
      "Mime-Version: 1.0 (Mac OS X Mail 16.0 \\(3826.200.121\\))",
      "X-Mailer: Apple Mail (2.3826.200.121)",
      "X-Universally-Unique-Identifier: 5E0F-1",
      "X-Apple-Base-Url: x-msg://1/",
    ],
    boundary: "Apple-Mail=_5E0F0D91-1",
    text: ({ owner, reverse }) =>
      `Yes.\r\n\r\nSent from my iPhone\r\n\r\n> On 20. Nov 2026, at 11:00, ${shown} <${reverse}> wrote:\r\n> \r\n> Is it right, ${owner.email}?\r\n`,
    html: ({ owner, reverse }) =>
      `<html aria-label="message body"><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;"><div>Yes.</div><div id="AppleMailSignature">Sent from my iPhone</div><div><br class="Apple-interchange-newline"><blockquote type="cite"><div>On 20. Nov 2026, at 11:00, ${shown} &lt;<a href="mailto:${reverse}">${reverse}</a>&gt; wrote:</div><div class="apple-rich-link">${owner.email.replace("@", "&#64;")}</div></blockquote></div></body></html>`,
  },
  {
    name: "Thunderbird",
    idDomain: "home.example",
    header: [
      "User-Agent: Mozilla Thunderbird",
      "Content-Language: en-US",
      "X-Mozilla-Draft-Info: internal/draft; vcard=0",
      "Autocrypt: addr=ada@home.example; keydata= xjMEZ",
      "Openpgp: id=ABCDEF",
      "Organization: Home",
    ],
    boundary: "------------a0b1c2d3e4f5",
    text: ({ owner, reverse }) =>
      `Yes, ${owner.email}.\r\n\r\nOn 20.11.26 11:00, ${shown} <${reverse}> wrote:\r\n> Is it right?\r\n-- \r\n${owner.email}\r\n`,
    html: ({ owner, reverse, messageId, ownEarlierId }) =>
      `<!DOCTYPE html><html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"></head><body><p style="-moz-tab-size: 4">Yes, <a class="moz-txt-link-abbreviated" href="mailto:${owner.email}">${owner.email}</a></p><div class="moz-cite-prefix">On 20.11.26 11:00, ${shown} wrote:<br></div><blockquote type="cite" cite="mid:${messageId.slice(1, -1)}"><a class="moz-txt-link-rfc2396E" href="mailto:${reverse}">&lt;${reverse}&gt;</a><blockquote type="cite" cite="mid:${ownEarlierId.slice(1, -1)}">earlier</blockquote></blockquote><div class="moz-signature">-- <br>${owner.email}</div></body></html>`,
  },
  {
    name: "K-9",
    idDomain: "home.example",
    header: ["User-Agent: K-9 Mail for Android", "Autocrypt: addr=ada@home.example; keydata= xjMEZ"],
    boundary: "----K9MAILBOUNDARY1",
    text: ({ owner, reverse }) =>
      `Ja.\r\n\r\nAm 20. November 2026 11:00:00 MEZ schrieb ${shown} <${reverse}>:\r\n>Is it right, ${tagged(owner)}?\r\n\r\n-- \r\nSent from my Android device with K-9 Mail.\r\n`,
    html: ({ owner, reverse }) =>
      `<!DOCTYPE html><html><body>Ja.<br><br><div class="gmail_quote"><div class="k9mail-header">Am 20. November 2026 schrieb ${shown} &lt;${reverse}&gt;:</div><blockquote class="gmail_quote">${owner.email}</blockquote></div><div class='k9mail-signature'>Sent from my Android device with K-9 Mail.</div></body></html>`,
  },
  {
    name: "mutt",
    idDomain: "laptop.home.example",
    header: [
      "User-Agent: Mutt/2.2.13 (2024-03-09)",
      "X-Operating-System: Linux laptop.home.example",
      "Sender: ada",
    ],
    boundary: "envbJBWh7q8WU6mo",
    text: ({ owner, reverse }) =>
      `* ${shown} <${reverse}> [2026-11-20 11:00]:\r\n\r\n> Is it right?\r\n\r\nYes; mail ${owner.email} or <${upper(owner)}>.\r\n`,
    html: null,
  },
];

const partOf = (type: string, text: string, encoding: Encoding): readonly string[] => [
  `Content-Type: ${type}; charset=utf-8`,
  `Content-Transfer-Encoding: ${encoding}`,
  "",
  encodings[encoding](text),
];

const attachments = {
  none: () => [],
  picture: () => [
    'Content-Type: image/png; name="image001.png"; x-apple-part-url="1"',
    "Content-Disposition: inline; filename=image001.png",
    "Content-ID: <image001.png@01DB0000.HOME.EXAMPLE>",
    "Content-Transfer-Encoding: base64",
    "",
    "aGVsbG8=",
  ],
  mail: ({ owner, reverse, messageId }: AnsweredMail) => [
    "Content-Type: message/rfc822",
    "Content-Disposition: attachment",
    "",
    "Received: from mx.home.example by imap.home.example; Fri, 20 Nov 2026 11:00:00 +0100",
    `Delivered-To: ${owner.email}`,
    `X-Bauta-Original-To: ${owner.email}`,
    `From: "${shown}" <${reverse}>`,
    `To: ${owner.email}`,
    "Subject: Your order",
    "Date: Fri, 20 Nov 2026 11:00:00 +0100",
    `Message-ID: ${messageId}`,
    "",
    `Is it right, ${owner.email}?`,
  ],
  calendar: ({ owner }: AnsweredMail) => [
    "Content-Type: text/calendar; method=REPLY; charset=utf-8",
    "",
    "BEGIN:VCALENDAR",
    "PRODID:-//Mozilla.org/NONSGML Mozilla Calendar V1.1//EN",
    "METHOD:REPLY",
    "BEGIN:VEVENT",
    `ATTENDEE;PARTSTAT=ACCEPTED:mailto:${owner.email.slice(0, 3)}`,
    ` ${owner.email.slice(3)}`,
    "X-MOZ-GENERATION:1",
    "END:VEVENT",
    "END:VCALENDAR",
  ],
} as const;

const kinds = Object.keys(attachments) as (keyof typeof attachments)[];

/** Returns the n-th reply: program, encoding, attachment and form vary with n. */
export const replyOf = (n: number, mail: AnsweredMail): ProgramReply => {
  const program = programs[n % programs.length] as Program;
  const names = Object.keys(encodings) as Encoding[];
  const encoding = names[Math.floor(n / programs.length) % names.length] as Encoding;
  const kind = kinds[
    Math.floor(n / (programs.length * names.length)) % kinds.length
  ] as keyof typeof attachments;
  const { boundary } = program;
  const text = partOf("text/plain", program.text(mail), encoding);
  const alternative =
    program.html === null
      ? text
      : [
          `Content-Type: multipart/alternative; boundary="${boundary}alt"`,
          "",
          `--${boundary}alt`,
          ...text,
          `--${boundary}alt`,
          ...partOf("text/html", program.html(mail), encoding),
          `--${boundary}alt--`,
        ];
  const attached = attachments[kind](mail);
  const body =
    attached.length === 0
      ? alternative
      : [
          `Content-Type: multipart/mixed; boundary="${boundary}"`,
          "",
          `--${boundary}`,
          ...alternative,
          `--${boundary}`,
          ...attached,
          `--${boundary}--`,
        ];
  return {
    name: `${program.name}, ${encoding}, ${kind}`,
    content: crlf([
      `Received: from [192.168.1.7] by mail.home.example; Fri, 20 Nov 2026 13:00:00 +0200`,
      `From: =?utf-8?q?Ada_L=C3=B8velace?= <${mail.owner.email}>`,
      `To: "${shown}" <${mail.reverse}>`,
      `Cc: ${tagged(mail.owner)}`,
      "Subject: Re: Your order",
      "Date: Fri, 20 Nov 2026 13:00:00 +0200",
      `Message-ID: <reply-${n}@${program.idDomain}>`,
      `In-Reply-To: ${mail.messageId}`,
      `References: ${mail.ownEarlierId}\r\n ${mail.messageId}`,
      ...program.header,
      ...(program.header.some((line) => /^mime-version/i.test(line)) ? [] : ["MIME-Version: 1.0"]),
      ...body,
    ]),
  };
};
