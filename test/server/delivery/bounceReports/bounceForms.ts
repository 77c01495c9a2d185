/** A report in the form of one program, in words of our own around the marks by which the form is known. */
export interface BounceForm {
  readonly content: string;
  /** How the answer begins; empty when the form quotes none. */
  readonly answer: string;
}

const asMail = (fields: readonly string[], lines: readonly string[]): string =>
  [...fields, "", ...lines, ""].join("\r\n");

const head = (from: string, subject: string): readonly string[] => [
  `From: ${from}`,
  "To: bounces@masks.example",
  `Subject: ${subject}`,
  "Message-ID: <report@hop.example>",
];

const daemon = "Mail Delivery System <MAILER-DAEMON@hop.example>";

const returned = [
  "From: shop@masks.example",
  "Message-ID: <returned@masks.example>",
  "Subject: Tulips",
  "",
  "Hi",
];

/** A text with the returned mail behind a line. */
const plain = (
  from: string,
  subject: string,
  text: readonly string[],
  mark: string,
  fields: readonly string[] = [],
): string => asMail([...head(from, subject), ...fields], [...text, "", mark, "", ...returned]);

type Part = readonly [type: string, lines: readonly string[], encoding?: string];

const multipart = (
  from: string,
  subject: string,
  parts: readonly Part[],
  type = "multipart/mixed",
  fields: readonly string[] = [],
): string =>
  asMail(
    [...head(from, subject), ...fields, "MIME-Version: 1.0", `Content-Type: ${type};`, "\tboundary=part"],
    [
      ...parts.flatMap(([partType, lines, encoding]) => [
        "--part",
        `Content-Type: ${partType}`,
        ...(encoding === undefined ? [] : [`Content-Transfer-Encoding: ${encoding}`]),
        "",
        ...lines,
        "",
      ]),
      "--part--",
    ],
  );

const report = "multipart/report; report-type=delivery-status";
const asAttached: Part = ["message/rfc822", returned];
const base64 = (lines: readonly string[]): readonly string[] => [
  Buffer.from(`${lines.join("\r\n")}\r\n`).toString("base64"),
];

const fields = (...more: readonly string[]): readonly string[] => [
  "Reporting-MTA: dns; hop.example",
  "",
  "Final-Recipient: rfc822; owner@home.example",
  ...more,
];

/** Forms of failures, by program. */
export const failures: Readonly<Record<string, BounceForm>> = {
  qmail: {
    content: plain(
      "MAILER-DAEMON@hop.example",
      "failure notice",
      [
        "Hi. This is the qmail-send program at hop.example.",
        "It did not work with these recipients. This is a permanent error.",
        "",
        "<owner@home.example>:",
        "192.0.2.9 does not like recipient.",
        "Remote host said: 550 5.1.1 nobody of this name",
        "Giving up on 192.0.2.9.",
      ],
      "--- Below this line is a copy of the message.",
    ),
    answer: "550 5.1.1 nobody",
  },
  "qmail that cannot find a host": {
    content: plain(
      "MAILER-DAEMON@hop.example",
      "failure notice",
      [
        "Hi. This is the qmail-send program at hop.example.",
        "",
        "<owner@home.example>:",
        "I found no host with this name. (#5.1.2)",
      ],
      "--- Below this line is a copy of the message.",
    ),
    answer: "#5.1.2",
  },
  "qmail behind a hoster": {
    content: plain(
      "mailer-daemon@hop.example",
      "failure notice",
      ["This mail could not be delivered:", "", "<owner@home.example>:", "child status 100: too full"],
      "--- Below this line is a copy of the message.",
    ),
    answer: "",
  },
  Exim: {
    content: plain(
      "Mail Delivery System <Mailer-Daemon@hop.example>",
      "Mail delivery failed: returning message to sender",
      [
        "This message was created automatically by mail delivery software.",
        "It has a permanent error for one address:",
        "",
        "  owner@home.example",
        "    host mx.home.example [192.0.2.9]: 550-5.7.1 no mail",
        "    from here, please",
      ],
      "------ This is a copy of the message, including all the headers. ------",
      ["X-Failed-Recipients: owner@home.example", "Auto-Submitted: auto-replied"],
    ),
    answer: "550-5.7.1 no mail from here, please",
  },
  "Exim without an answer": {
    content: plain(
      "Mail Delivery System <Mailer-Daemon@hop.example>",
      "Mail delivery failed: returning message to sender",
      ["Nothing came through to", "", "  owner@home.example", "    retry timeout exceeded"],
      "------ This is a copy of the message, including all the headers. ------",
      ["X-Failed-Recipients: owner@home.example", "Auto-Submitted: auto-replied"],
    ),
    answer: "",
  },
  "Exim in another language": {
    content: plain(
      "Postfach <admin@hop.example>",
      "=?utf-8?B?WnVyw7xjaw==?=",
      ["Das ging leider nicht."],
      "------ Kopie ------",
      ["X-Failed-Recipients: owner@home.example,", " other@home.example", "Auto-Submitted: auto-replied"],
    ),
    answer: "",
  },
  "Mail.ru": {
    content: plain(
      "mailer-daemon@hop.example",
      "=?UTF-8?B?0J/QuNGB0YzQvNC+?=. Mail failure.",
      [
        "К сожалению, Ваше письмо не может быть доставлено:",
        "",
        "  owner",
        "    host mx.home.example [192.0.2.9]: 550 5.1.1 user unknown",
      ],
      "------ This is a copy of the message, including all the headers. ------",
      ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit"],
    ),
    answer: "550 5.1.1 user",
  },
  Yahoo: {
    content: plain(
      "MAILER-DAEMON@hop.example",
      "Failure Notice",
      [
        "Sorry, we were unable to deliver this.",
        "",
        "<owner@home.example>:",
        "Remote host said: 554 delivery error: dd no such account [-5]",
      ],
      "--- Below this line is a copy of the message.",
    ),
    answer: "554 delivery",
  },
  "Yahoo without an answer": {
    content: plain(
      "MAILER-DAEMON@hop.example",
      "Failure Notice",
      [
        "Sorry, we were unable to deliver this.",
        "",
        "<owner@home.example>:",
        "No server took it for 3 days.",
      ],
      "--- Below this line is a copy of the message.",
    ),
    answer: "",
  },
  "Gmail, the old form": {
    content: plain(
      "Mail Delivery Subsystem <mailer-daemon@hop.example>",
      "Delivery Status Notification (Failure)",
      [
        "Delivery to this one failed permanently:",
        "",
        "     owner@home.example",
        "",
        "Technical details of permanent failure:=20",
        "The other server said about the recipi=",
        "ent: 552 5.2.2 No room left (state 14).",
      ],
      "----- Original message -----",
      [
        "X-Failed-Recipients: owner@home.example",
        "Content-Type: text/plain; charset=ISO-8859-1",
        "Content-Transfer-Encoding: quoted-printable",
      ],
    ),
    answer: "552 5.2.2 No room",
  },
  "Gmail, with the code twice": {
    content: plain(
      "Mail Delivery Subsystem <mailer-daemon@hop.example>",
      "Delivery Status Notification (Failure)",
      ["Delivery failed permanently. The other server returned: 554 554 5.7.0 bad header (state 18)."],
      "----- Original message -----",
      ["X-Failed-Recipients: owner@home.example"],
    ),
    answer: "554 5.7.0 bad header",
  },
  "Google Groups": {
    content: multipart(
      "Mail Delivery Subsystem <mailer-daemon@hop.example>",
      "Delivery Status Notification (Failure)",
      [["text/plain; charset=utf-8", base64(["このグループはありません。"]), "base64"], asAttached],
      "multipart/mixed",
      ["X-Failed-Recipients: owner@home.example", "Auto-Submitted: auto-replied"],
    ),
    answer: "",
  },
  Zoho: {
    content: multipart("mailer-daemon@hop.example", "Undelivered Mail Returned to Sender", [
      [
        'text/plain; charset="UTF-8"',
        [
          "This message was created automatically by mail delivery software.",
          "It has a permanent error. ",
          "",
          "owner@home.example Invalid Address, ERROR_CODE :550, ERROR_CODE :5.1.1 nobody here",
          "",
          "Received:from hop.example by mx.hop.example",
          "Message-ID:<returned@masks.example>",
        ],
        "7bit",
      ],
    ]),
    answer: "550 5.1.1 nobody",
  },
  GMX: {
    content: plain(
      "MAILER-DAEMON@hop.example",
      "Mail delivery failed: returning message to sender",
      [
        "This message was created automatically by mail delivery software.",
        "",
        '"owner@home.example":',
        "SMTP error from remote server after RCPT command:",
        "host: mx.home.example",
        "5.1.1 nobody of this name",
      ],
      "--- The header of the original message is following. ---",
    ),
    answer: "5.1.1 nobody",
  },
  "1&1": {
    content: plain(
      '"Mail Delivery System" <mailer-daemon@hop.example>',
      "Mail delivery failed: returning message to sender",
      [
        "The following address failed:",
        "",
        "owner@home.example",
        "",
        "For the following reason:",
        "",
        "Too large",
      ],
      "--- The header of the original message is following. ---",
    ),
    answer: "",
  },
  "Amazon WorkMail": {
    content: multipart("MAILER-DAEMON@hop.example", "=?iso-8859-15?Q?Delivery_Status_=28Failure=29?=", [
      [
        "text/plain; charset=iso-8859-15",
        [
          "An error occurred while trying to deliver the mail to owner@home.e=",
          "xample",
          "",
          "Technical report:",
          "",
          "Reporting-MTA: dsn;=",
          " hop.example",
          "",
          "Action: failed",
          "Final-Recipie=",
          "nt: rfc822; owner@home.example",
          "Diagnostic-Code: smtp; 550 5.2.1 not wan=",
          "ted",
          "Status: 5.2.1",
        ],
        "quoted-printable",
      ],
      asAttached,
    ]),
    answer: "550 5.2.1 not wanted",
  },
  Postfix: {
    content: multipart(
      "MAILER-DAEMON@hop.example (Mail Delivery System)",
      "Undelivered Mail Returned to Sender",
      [
        ["text/plain", ["It has not arrived."]],
        [
          "message/delivery-status",
          fields(
            "Action: failed",
            "Status: 5.4.4",
            "Diagnostic-Code: X-Postfix; no address for name=home.example",
            "    type=MX",
          ),
        ],
        asAttached,
      ],
      report,
    ),
    answer: "no address for name=home.example type=MX",
  },
  "Postfix with a status in Base64": {
    content: multipart(
      daemon,
      "Undelivered",
      [
        ["text/plain", ["It has not arrived."]],
        [
          "message/delivery-status",
          base64(fields("Action: failed", "Status: 5.1.1", "Diagnostic-Code: smtp; 550 5.1.1 nobody")),
          "base64",
        ],
      ],
      report,
    ),
    answer: "550 5.1.1 nobody",
  },
  "a status in quoted-printable, with folded fields": {
    content: multipart(
      daemon,
      "Undelivered",
      [
        [
          "message/global-delivery-status",
          fields(
            "Action:",
            "  failed",
            "Status: 5.7.1",
            "Diagnostic-Code: smtp;",
            "\t554 5.7.1 refused =",
            "by policy",
          ),
          "quoted-printable",
        ],
      ],
      report,
    ),
    answer: "554 5.7.1 refused by policy",
  },
  "a status without an action": {
    content: multipart(
      daemon,
      "Report",
      [["message/delivery-status", fields("Status: 5.2.2 (full)")]],
      report,
    ),
    answer: "5.2.2 (full)",
  },
  "SendGrid after the last try": {
    content: multipart(
      daemon,
      "Undelivered Mail Returned to Sender",
      [
        [
          "message/delivery-status",
          fields("Action: expired", "Status: ", "Diagnostic-Code: no connection for 72 hours"),
        ],
      ],
      report,
    ),
    answer: "no connection",
  },
  "McAfee, whose recipients have no type": {
    content: multipart("<MAILER-DAEMON@hop.example>", "Delivery Status", [
      ["text/plain", ["    --- The following addresses had delivery problems ---", "<owner@home.example>"]],
      [
        "message/delivery-status",
        ["Original-Recipient: <owner@home.example>", "Action: failed", "Diagnostic-Code: smtp; 550 Nobody"],
      ],
    ]),
    answer: "550 Nobody",
  },
  "Sendmail 5": {
    content: plain(
      "Mail Delivery Subsystem <MAILER-DAEMON@hop.example>",
      "Returned mail: User unknown",
      ["   ----- Transcript of session follows -----", "550 <owner@home.example>... nobody here"],
      "   ----- Unsent message follows -----",
    ),
    answer: "550 <owner@home.example>",
  },
  "Sendmail without its status": {
    content: plain(
      "Mail Delivery Subsystem <MAILER-DAEMON@hop.example>",
      "Returned mail: see transcript for details",
      [
        "The original message was received on Tuesday",
        "   ----- The following addresses had permanent fatal errors -----",
        "<owner@home.example>",
        "   ----- Transcript of session follows -----",
        ">>> DATA",
        "<<< 552 5.2.3 too large",
      ],
      "   ----- Original message follows -----",
    ),
    answer: "552 5.2.3",
  },
  Courier: {
    content: multipart(
      '"Courier mail server at hop.example" <@hop.example>',
      "NOTICE: mail delivery status.",
      [
        ["text/plain", ["UNDELIVERABLE MAIL", "", "<owner@home.example>:", "  <<< 550 Nobody."]],
        [
          "message/delivery-status",
          fields("Action: failed", "Status: 5.0.0", "Diagnostic-Code: smtp; 550 Nobody."),
        ],
      ],
      report,
    ),
    answer: "550 Nobody.",
  },
  OpenSMTPD: {
    content: plain(
      "Mailer Daemon <MAILER-DAEMON@hop.example>",
      "Delivery status notification: error",
      [
        "    Hi!",
        "    An error has occurred while attempting to deliver a message.",
        "",
        "owner@home.example: 550 5.1.1 nobody",
      ],
      "    Below is a copy of the original message:",
    ),
    answer: "550 5.1.1 nobody",
  },
  "Exchange 5.5": {
    content: multipart("postmaster@hop.example", "Undeliverable: Tulips", [
      [
        'text/plain; charset="iso-8859-1"',
        [
          "Your message",
          "  To:      owner@home.example",
          "did not reach the following recipient(s):",
          "owner@home.example on Tuesday",
          "    The name is not known",
        ],
      ],
      asAttached,
    ]),
    answer: "",
  },
  "Microsoft 365, only HTML": {
    content: multipart("postmaster@hop.example", "Undeliverable: Tulips", [
      [
        "text/html; charset=utf-8",
        base64([
          "<html><style>p{}</style><body><p><b>Your message to owner@home.example couldn&#8217;t be delivered.</b></p>",
          "<p>Remote server returned &#39;550 5.1.10 RESOLVER.ADR.RecipientNotFound&#39;</p></body></html>",
        ]),
        "base64",
      ],
      asAttached,
    ]),
    answer: "550 5.1.10 RESOLVER",
  },
  "Lotus Notes": {
    content: plain(
      "POSTMASTER@hop.example",
      "Undeliverable message",
      ["------- Failure Reasons  --------", "", "Nobody in the book has this name", "owner@home.example"],
      "------- Returned Message --------",
    ),
    answer: "",
  },
  Domino: {
    content: multipart(
      "Postmaster@hop.example",
      "DELIVERY FAILURE: nobody",
      [
        [
          "message/delivery-status",
          fields("Action: failed", "Status: 5.0.0", "Diagnostic-Code: X-Notes; nobody", " of this name"),
        ],
      ],
      report,
    ),
    answer: "nobody of this name",
  },
  "Apache James": {
    content: multipart("post_master@hop.example", "Re:Tulips", [
      [
        "text/plain; charset=us-ascii",
        ["Error message below:", "550 - Not done: no such user here", "", "  RCPT TO: owner@home.example"],
      ],
    ]),
    answer: "550 - Not done",
  },
  IMail: {
    content: plain(
      '"Postmaster" <postmaster@hop.example>',
      "Undeliverable Mail",
      ["Unknown user: owner@home.example"],
      "Original message follows.",
    ),
    answer: "",
  },
  MailMarshal: {
    content: multipart("postmaster@hop.example", 'Undeliverable Mail: "Tulips"', [
      [
        "text/plain",
        ["It could not be delivered because of", "", "550 5.1.1 nobody", "", "    owner@home.example"],
      ],
    ]),
    answer: "550 5.1.1 nobody",
  },
  MailFoundry: {
    content: multipart("MAILER-DAEMON@hop.example", "Message delivery has failed", [
      [
        "text/plain",
        ["Unable to deliver message to: <owner@home.example>", "Server 192.0.2.9 failed with: 550 nobody"],
      ],
      asAttached,
    ]),
    answer: "550 nobody",
  },
  InterScan: {
    content: multipart('"InterScan MSS" <postmaster@hop.example>', "=?utf-8?B?6YCa55+l?=", [
      ["text/plain", ["Sent <<< RCPT TO:<owner@home.example>", "Received >>> 550 5.1.1 nobody"]],
      asAttached,
    ]),
    answer: "550 5.1.1 nobody",
  },
  "m-FILTER": {
    content: plain(
      "POSTMASTER <postmaster@hop.example>",
      "failure notice",
      ["owner@home.example", "", "-------server message", "550 5.1.1 nobody of this name"],
      "-------original message",
    ),
    answer: "550 5.1.1 nobody",
  },
  "a Japanese carrier": {
    content: multipart("no-reply@hop.example", "=?iso-2022-jp?B?GyRCJWEhPCVrJSglaSE8GyhC?=", [
      [
        "text/plain; charset=ISO-2022-JP",
        [
          Buffer.from("1b2442417725", "hex").toString("latin1") +
            Buffer.from("1b2842", "hex").toString("latin1"),
          "     Could not be delivered to: <owner@home.example>",
        ],
        "7bit",
      ],
      asAttached,
    ]),
    answer: "",
  },
  Biglobe: {
    content: multipart("postmaster@hop.example", "Returned mail: Service unavailable", [
      [
        "text/plain",
        [
          "   ----- The following addresses had delivery problems -----",
          "owner@home.example",
          "The mailbox has too many mails.",
        ],
      ],
      asAttached,
    ]),
    answer: "",
  },
  "a gateway that gives up": {
    content: multipart(
      "Mail Delivery System <Mail.Delivery.System@hop.example>",
      "Delivery status notification",
      [
        [
          "text/plain; charset=UTF-8",
          ["The delivery was aborted after 5.0 hour(s):", "  * owner@home.example"],
        ],
        asAttached,
      ],
      "multipart/report",
    ),
    answer: "",
  },
  "a report whose boundary does not occur": {
    content: asMail(
      [...head(daemon, "Undelivered"), `Content-Type: ${report}; boundary=other`],
      [
        "--part",
        "Content-Type: message/delivery-status",
        "",
        ...fields("Action: failed", "Diagnostic-Code: smtp; 550 5.1.1 nobody"),
        "",
        "--part",
        "Content-Type: message/rfc822",
        "",
        ...returned,
        "--part--",
      ],
    ),
    answer: "550 5.1.1 nobody",
  },
  "a From that is no address": {
    content: plain(
      "<hop.example postmaster@hop.example>",
      "Mail failure",
      ["550 5.1.1 nobody: owner@home.example"],
      "------ This is a copy of your message ------",
    ),
    answer: "550 5.1.1 nobody",
  },
};

/** What comes to return paths and reports no failure. */
export const withoutFailure: Readonly<Record<string, string>> = {
  "a delay by status": multipart(
    daemon,
    "Delayed Mail (still being retried)",
    [
      ["text/plain", ["Nothing could be delivered so far."]],
      [
        "message/delivery-status",
        fields("Action: delayed", "Status: 4.4.1", "Diagnostic-Code: smtp; 450 4.4.1 busy"),
      ],
      ["message/rfc822", ["Subject: x", "", "Action: failed"]],
    ],
    report,
  ),
  "a delay of Exim": plain(
    daemon,
    "Warning: message delayed 24 hours",
    ["It has not yet been delivered:", "", "  owner@home.example", "", "Delivery attempts will continue."],
    "------ This is a copy of the message ------",
    ["Auto-Submitted: auto-replied"],
  ),
  "a delay of Gmail": plain(
    "Mail Delivery Subsystem <mailer-daemon@hop.example>",
    "Delivery Status Notification (Delay)",
    [
      "THIS IS A WARNING MESSAGE ONLY.",
      "     owner@home.example",
      "Message will be retried for 2 more day(s)",
    ],
    "----- Original message -----",
    ["X-Failed-Recipients: owner@home.example"],
  ),
  "a delay of Sendmail": plain(
    "Mail Delivery Subsystem <MAILER-DAEMON@hop.example>",
    "Warning: could not send message for past 4 hours",
    ["   ----- The following addresses had transient non-fatal errors -----", "<owner@home.example>"],
    "   ----- Message header follows -----",
  ),
  "a delivery": multipart(
    daemon,
    "Delivered",
    [["message/delivery-status", fields("Action: delivered", "Status: 2.0.0")]],
    report,
  ),
  "a note of absence": plain(
    "Owner <owner@home.example>",
    "On holiday",
    ["I am away. Mail to me cannot be delivered by hand."],
    "> Hi",
    ["Auto-Submitted: auto-replied (vacation)"],
  ),
  "a receipt": multipart(
    "owner@home.example",
    "Read: Tulips",
    [["message/disposition-notification", ["Disposition: manual-action/MDN-sent-manually; displayed"]]],
    "multipart/report; report-type=disposition-notification",
  ),
};

/** What comes to return paths and is not understood. */
export const notUnderstood: Readonly<Record<string, string>> = {
  "an empty mail": "",
  "a question": plain("Owner <owner@home.example>", "Who are you?", ["Please answer 5 questions."], "> Hi"),
  "a report without content": asMail(
    [...head(daemon, "Report"), `Content-Type: ${report}; boundary=part`],
    [],
  ),
};
