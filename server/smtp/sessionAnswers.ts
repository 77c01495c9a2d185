import * as parameters from "./mailParameters.ts";
import { maxMailBytes } from "./smtpLimits.ts";
import { noHttp, smtpReply } from "./smtpReplies.ts";
import { lastStepOf, type Step, stepOf } from "./step.ts";

const answer = (code: number, status: string, text: string): Step => stepOf(smtpReply(code, status, text));

export const ok = answer(250, "2.0.0", "OK");
export const senderAccepted = answer(250, "2.1.0", "Accepted");
export const recipientAccepted = answer(250, "2.1.5", "Accepted");
export const queued = answer(250, "2.6.0", "Queued");
export const chunkTaken = answer(250, "2.0.0", "Chunk received");
export const notVerified = answer(252, "2.1.5", "Not verified; RCPT answers when you send mail");
export const bye = lastStepOf(smtpReply(221, "2.0.0", "Bye"));
export const sendContent: Step = {
  code: 354,
  text: "354 End data with <CR><LF>.<CR><LF>\r\n",
  next: { kind: "data" },
  endsGroup: true,
};
export const startTls = stepOf(smtpReply(220, "2.0.0", "Ready to start TLS"), { kind: "secure" });

export const tooManyRecipients = answer(452, "4.5.3", "Too many recipients");
export const heloSyntax = answer(501, "5.5.4", "Syntax: EHLO name");
export const vrfySyntax = answer(501, "5.5.4", "Syntax: VRFY address");
export const noArgument = answer(501, "5.5.4", "This command takes no argument");
export const badChunk = smtpReply(501, "5.5.4", "Syntax: BDAT size [LAST]");
export const badSender = stepOf(parameters.badSender);
export const badParameters = answer(501, "5.5.4", "Malformed parameters");
export const badRecipient = stepOf(parameters.badRecipient);
export const loggedIn = answer(235, "2.7.0", "Logged in");
export const needTls = answer(530, "5.7.0", "Start TLS first");
export const needLogin = answer(530, "5.7.0", "Log in first");
export const loginNeedsTls = answer(538, "5.7.11", "Start TLS before you log in");
export const tooManyLogins = lastStepOf(smtpReply(421, "4.7.0", "Too many failed logins"));
export const alreadyLoggedIn = answer(503, "5.5.1", "You are logged in already");
export const notImplemented = answer(502, "5.5.1", "Command not implemented");
export const needHello = answer(503, "5.5.1", "Send EHLO first");
export const needMail = answer(503, "5.5.1", "Send MAIL first");
export const needRecipient = answer(503, "5.5.1", "Send RCPT first");
export const nestedMail = answer(503, "5.5.1", "A mail has already begun");
export const contentBegun = answer(503, "5.5.1", "The content has already begun; go on with BDAT");
export const alreadySecure = answer(503, "5.5.1", "TLS is already active");

const notRecognized = answer(500, "5.5.2", "Command not recognized");
const httpRefused = lastStepOf(noHttp);

/** Answers an unknown command; a browser's request closes the connection. */
export const unknownCommand = (line: string): Step =>
  /^(?:OPTIONS|GET|HEAD|POST|PUT|PATCH|DELETE|TRACE|CONNECT) \S+ HTTP\/\d/i.test(line)
    ? httpRefused
    : notRecognized;

/** The extensions that depend on the state of the connection. */
export interface Offers {
  readonly tls: boolean;
  readonly login: boolean;
}

/** Answers EHLO or HELO. */
export const hello = (name: string, isExtended: boolean, offers: Offers): Step => {
  const lines = [
    name,
    ...(isExtended
      ? [
          "PIPELINING",
          `SIZE ${maxMailBytes}`,
          ...(offers.tls ? ["STARTTLS"] : []),
          ...(offers.login ? ["AUTH PLAIN LOGIN"] : []),
          "ENHANCEDSTATUSCODES",
          "8BITMIME",
          "SMTPUTF8",
          "CHUNKING",
        ]
      : []),
  ];
  const text = lines.map((line, index) => `250${index < lines.length - 1 ? "-" : " "}${line}\r\n`).join("");
  return { ...ok, text };
};
