import { presentFiles } from "../../support/corpora.ts";

/** Larger files take the time of many small ones. */
const maxBytes = 8_192;

/** Odd mails: the samples, and where they are present the corpora. */
const oddMails = (): readonly string[] =>
  presentFiles("oddMails")
    .filter(({ content }) => content.length <= maxBytes)
    .map(({ content }) => content.toString("latin1").replace(/\r?\n/g, "\r\n"));

const mail = (...lines: readonly string[]): string => `${lines.join("\r\n")}\r\n`;

const plainMail = mail(
  'From: "Bob, Builder" <bob@shop.example>',
  "To: shop@masks.example, =?utf-8?B?w4TDtg==?= <ada@home.example>",
  "Subject: =?utf-8?Q?An_=C3=B6ffer?=",
  " continued",
  "Message-ID: <1@shop.example>",
  "References: <0@shop.example> <a@b>",
  "Date: Fri, 20 Nov 2026 10:00:00 +0000",
  "",
  "Hello.",
);

const multipartMail = mail(
  "From: bob@shop.example",
  "MIME-Version: 1.0",
  'Content-Type: multipart/mixed; boundary="b1"',
  "",
  "--b1",
  "Content-Type: multipart/alternative; boundary=b2",
  "",
  "--b2",
  "Content-Type: text/plain; charset=utf-8; format=flowed",
  "Content-Transfer-Encoding: quoted-printable",
  "",
  "Written by ada@home.example =E2=82=AC =",
  "here",
  "--b2",
  "Content-Type: text/html; charset=utf-8",
  "",
  '<p>Hi <a href="https://a.example/click?u=https%3A%2F%2Fb.example">b</a> <img src="//t/open" width=1 height=1></p>',
  "--b2--",
  "--b1",
  "Content-Type: message/rfc822",
  "",
  "From: x@y.example",
  "",
  "inner",
  "--b1",
  "Content-Type: text/calendar; method=REPLY",
  "",
  "BEGIN:VCALENDAR",
  "ATTENDEE;CN=Ada:mailto:ada@home.example",
  "END:VCALENDAR",
  "--b1",
  "Content-Type: application/pdf; name*0*=utf-8''a%20; name*1=\"b.pdf\"",
  "Content-Transfer-Encoding: base64",
  "",
  "QUJDRA==",
  "--b1--",
);

const report = mail(
  "From: mailer-daemon@shop.example",
  "Content-Type: multipart/report; report-type=delivery-status; boundary=r",
  "",
  "--r",
  "Content-Type: message/delivery-status",
  "",
  "Reporting-MTA: dns; mx.shop.example",
  "",
  "Final-Recipient: rfc822; bob@shop.example",
  "Action: failed",
  "Diagnostic-Code: smtp; 550 5.1.1 <bob@shop.example> unknown",
  "--r--",
);

/** The shapes of mails that once stopped the server or let something through, each small. */
const formerMails = [
  mail(`DKIM-Signature: a${"        \r\n ".repeat(30)}b`, "From: a@b.example", "", "x"),
  mail(`ARC-Seal: i=1; ${" ;".repeat(90)}`, "From: a@b.example", "", "x"),
  mail(`From: ${"a:".repeat(120)}`, "", "x"),
  mail('From: "$`$`$&" <bob@shop.example>', "", "$& $` $' $1"),
  mail(
    "From: a@b.example",
    "Content-Type: text/html",
    "",
    "<pre hidden>-----BEGIN PGP MESSAGE-----</pre>ada@home.example",
  ),
  mail("From: a@b.example", "Content-Type: text", "", "ada@home.example"),
  mail("From: a@b.example", "Content-Transfer-Encoding: quoted-printable;", "", "ada=40home.example"),
  mail(
    "From: a@b.example",
    "Content-Type: text/html",
    "",
    "o&#39;brien@home.example ada&shy;@home<wbr>.example",
  ),
  mail("From: =?utf-8?B?YWRtaW5AbGVnaXRpbWF0ZS5leGFtcGxl?=,<x@attack.example>", "", "x"),
  report.replace("550 5.1.1", `550 ${"(".repeat(200)}`),
];

export const mailSeeds = (): readonly string[] => [
  plainMail,
  multipartMail,
  report,
  ...formerMails,
  ...oddMails(),
];

export const headerSeeds = (): readonly string[] =>
  mailSeeds().map((one) => one.split("\r\n\r\n", 1)[0] ?? "");

export const smtpSeeds: readonly string[] = [
  mail(
    "EHLO mx.shop.example",
    "MAIL FROM:<bob@shop.example> SIZE=100 BODY=8BITMIME SMTPUTF8",
    "RCPT TO:<mask@masks.example>",
    "DATA",
    "Subject: a",
    "",
    "..stuffed",
    ".",
    "QUIT",
  ),
  mail("HELO x", "MAIL FROM:<>", "RCPT TO:<@a,@b:mask@masks.example>", "BDAT 4", "a\r\nb", "BDAT 0 LAST"),
  mail("HELO x", "MAIL FROM:<>", "RCPT TO:<mask@masks.example>", "BDAT 0 LAST"),
  mail("EHLO x", "AUTH PLAIN AGEAYg==", "AUTH LOGIN", "*", "VRFY a", "NOOP", "RSET", "STARTTLS"),
  "EHLO x\r\nMAIL FROM:<a@b>\r\nRCPT TO:<mask@masks.example>\r\nDATA\r\na\r\n\n.\r\nMAIL FROM:<evil@b>\r\n.\r\n",
];

/** In hexadecimal digits: answers with an A, an MX, a TXT and an alias, a loop of pointers, and one that is cut off. */
export const dnsSeeds: readonly string[] = [
  "000181a000010001000000000161076578616d706c650000010001c00c000100010000003c0004c0000201",
  "000181a000010001000000000161076578616d706c6500000f0001c00c000f00010000003c0009000a026d78c00c",
  "000181a000010001000000000161076578616d706c650000100001c00c001000010000003c000c0b763d73706631202d616c6c",
  "000181a000010002000000000161076578616d706c650000010001c00c000500010000003c0004016200c00cc02b000100010000003c000401020304",
  "000181a00001000100000000c00c00010001c00c000100010000003c0004c0000201",
  "000181a000010001000000000161076578616d706c650000010001c00c00010001000000",
];

export const sieveSeeds: readonly string[] = [
  'require ["fileinto", "vacation"];\n# rule:[Bills]\nif anyof (header :contains "subject" ["bill", "invoice"], address :is :domain "from" "shop.example") {\n  fileinto "Bills"; stop;\n} elsif not size :over 100K { discard; }\nelse { redirect "ada@home.example"; }\n',
  'vacation :days 7 :subject "Away" text:\nI am away.\n..dot\n.\n;\n',
  `if ${"not ".repeat(40)}true { keep; }`,
  `if ${"anyof (true, ".repeat(30)}true${")".repeat(30)} { keep; discard; }`,
  `if ${"not anyof (".repeat(15)}size :over 1${")".repeat(15)} { discard; }`,
  "if size :over 111111111111111111111111111K { discard; }",
  'if header :matches "subject" "*$&*" { addflag "\\\\Seen"; }',
];

export const importSeeds: readonly string[] = [
  'description,forwardTo,active\n"Shop, one",ada@home.example,true\n\'=1+1,,false\n',
  "alias;note;enabled\na@b.example;x;1\n",
  JSON.stringify({ masks: [{ description: "Shop", forwardTo: "ada@home.example", rules: [] }] }),
  JSON.stringify([{ email: "a@b.example", description: null, active: 1 }]),
  '\uFEFF"open',
];

export const addressSeeds: readonly string[] = [
  "ada@home.example",
  `a${" ".repeat(200)}b@home.example`,
  "o'brien+x@sub.home.example",
  "jörg@köln.example",
  `${"a.".repeat(40)}@${"b.".repeat(40)}`,
];

export const answerSeeds: readonly string[] = [
  "550 5.1.1 <bob@shop.example>: unknown",
  "[".repeat(300),
  `250-mx.shop.example\r\n250-SIZE 1000\r\n250 AUTH PLAIN LOGIN\r\n`,
  "a@@b @ c@ @d",
];

export const policySeeds: readonly string[] = [
  "version: STSv1\r\nmode: enforce\r\nmx: mx.a.example\r\nmx: *.a.example\r\nmax_age: 86400\r\n",
  `version: STSv1\nmode: testing\nmx: a${" ".repeat(200)}b\nmax_age: 1\n`,
];
