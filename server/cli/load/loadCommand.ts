import { readFileSync } from "node:fs";
import { isEmailAddress } from "../../../core/mail/emailAddress.ts";
import { type Command, CommandError, type Invocation, UsageError } from "../command.ts";
import { type LoadFigures, runOpenLoad } from "./openLoad.ts";

/** What is sent where the command does not say otherwise. */
const usual = { rate: 10, seconds: 60, kilobytes: 75 };
const connections = 50;
const answerWithinMs = 60_000;
const lineLength = 76;

const numberOf = (invocation: Invocation, name: string, byDefault: number, most: number): number => {
  const number = Number(invocation.text(name) ?? byDefault);
  if (number > 0 && number <= most) return number;
  throw new UsageError(`--${name} is a number above 0 and at most ${most}.`);
};

const readAddresses = (invocation: Invocation): readonly string[] => {
  const file = invocation.text("addresses");
  if (file === undefined)
    throw new UsageError("--addresses names a file with the addresses of masks, one in a line.");
  const addresses = readFileSync(file, "utf8").split(/\s+/).filter(isEmailAddress);
  if (addresses.length === 0) throw new CommandError(`There is no address in ${file}.`);
  return addresses;
};

const readTarget = (text: string): { readonly host: string; readonly port: number } => {
  const { hostname = "", port = "" } = URL.parse(`smtp://${text}`) ?? {};
  if (hostname !== "" && port !== "")
    return { host: hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
  throw new UsageError("The server is named by its host and port, such as staging.example:25.");
};

const contentOf = (kilobytes: number): string => {
  const line = `${"x".repeat(lineLength)}\r\n`;
  return line.repeat(Math.max(1, Math.round((kilobytes * 1_024) / line.length)));
};

const linesOf = ({ sent, accepted, refused, omitted, seconds, median, p99, longest }: LoadFigures) => [
  `Sent      ${sent} mails in ${seconds.toFixed(1)} s`,
  `Accepted  ${accepted}, ${(accepted / seconds).toFixed(1)} a second`,
  ...Object.entries(refused).map(([code, count]) => `Refused   ${count} with ${code}`),
  ...(omitted > 0 ? [`Omitted   ${omitted}, because too many waited for an answer`] : []),
  ...(accepted > 0
    ? [
        `Answered  in ${median.toFixed(0)} ms (median), ${p99.toFixed(0)} ms (99 %), ${longest.toFixed(0)} ms (longest)`,
      ]
    : []),
];

/** Sends mail to a server for trials at a rate that does not depend on its answers. */
export const loadCommand: Command = {
  name: "load",
  summary: "Send mail to a server for trials at a rate, and measure its answers",
  usage: "<host:port> --addresses <file>",
  positionals: 1,
  options: {
    addresses: { type: "string", value: "file", help: "the masks to write to, one in a line" },
    rate: { type: "string", value: "number", help: `mails a second on average; ${usual.rate} without it` },
    seconds: { type: "string", value: "number", help: `how long; ${usual.seconds} without it` },
    kilobytes: { type: "string", value: "number", help: `size of a mail; ${usual.kilobytes} without it` },
    from: { type: "string", value: "address", help: "the sender; load@load.example without it" },
  },
  run: async (invocation) => {
    const target = readTarget(invocation.positionals[0] ?? "");
    const addresses = readAddresses(invocation);
    const rate = numberOf(invocation, "rate", usual.rate, 100_000);
    const seconds = numberOf(invocation, "seconds", usual.seconds, 86_400);
    const text = contentOf(numberOf(invocation, "kilobytes", usual.kilobytes, 25_000));
    const from = invocation.text("from") ?? "load@load.example";
    if (!isEmailAddress(from)) throw new UsageError("--from is an address.");
    const { createTransport } = await import("nodemailer");
    const transport = createTransport({
      ...target,
      pool: true,
      maxConnections: connections,
      maxMessages: Number.POSITIVE_INFINITY,
      // A server for trials has a certificate of its own.
      tls: { rejectUnauthorized: false },
      socketTimeout: answerWithinMs,
      greetingTimeout: answerWithinMs,
    });
    const { terminal } = invocation;
    const send = (number: number): Promise<string> =>
      transport
        .sendMail({ from, to: addresses[number % addresses.length], subject: `Load ${number}`, text })
        .then(
          () => "250",
          ({ responseCode, code }: { readonly responseCode?: number; readonly code?: string }) =>
            String(responseCode ?? code ?? "an unknown error"),
        );
    const onProgress = ({ sent, accepted, p99 }: LoadFigures): void =>
      terminal.progress(`${sent} sent, ${accepted} accepted, 99 % within ${p99.toFixed(0)} ms`);
    const figures = await runOpenLoad({ rate, seconds, send, onProgress }, invocation);
    transport.close();
    terminal.progress("");
    terminal.print(figures, linesOf(figures));
    return figures.accepted === figures.sent && figures.omitted === 0 ? 0 : 1;
  },
};
