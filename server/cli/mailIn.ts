import { type Random, randomHex } from "../../core/ports/random.ts";
import { openImapMailbox } from "../features/mailbox/imapMailbox.ts";
import { checkMailbox } from "../features/mailbox/mailboxCheck.ts";
import { usualMailServer } from "../features/operator/installationChecks.ts";
import { checkSmtp } from "../features/operator/networkChecks.ts";
import type { Config } from "../platform/config/config.ts";
import { isLoopbackOrigin } from "../platform/config/loopbackOrigin.ts";
import type { Settings } from "../platform/config/settingsFile.ts";
import { checkLines } from "./checkLines.ts";
import { type Invocation, UsageError } from "./command.ts";
import { hostAndPort } from "./hostOption.ts";

const ways = ["port25", "mailbox", "http"] as const;

/** How mail comes in, as an operator has answered. */
export type MailIn =
  | { readonly way: "port25" | "http" }
  | { readonly way: "mailbox"; readonly url: string; readonly password: string | undefined };

const wayOf = (now: Settings): (typeof ways)[number] => {
  if (now["IMAP_URL"]) return "mailbox";
  return now["INBOUND_SECRET"] ? "http" : "port25";
};

/** Providers that close port 25 close it in both ways, and only the way out can be tried before mail comes. */
const seemsClosed = async (invocation: Invocation, url: string): Promise<boolean> => {
  if (isLoopbackOrigin(url)) return false;
  invocation.terminal.progress("Trying port 25 …");
  const { state } = await checkSmtp("", hostAndPort("mail-server", invocation, usualMailServer), "");
  invocation.terminal.progress("");
  return state === "problem";
};

const askMailbox = async (
  { text, terminal, environment }: Invocation,
  now: Settings,
): Promise<Extract<MailIn, { way: "mailbox" }>> => {
  const url =
    text("mailbox") ??
    (await terminal.ask(
      "Mailbox (imaps://user@host:993/INBOX, @ in the user as %40)",
      now["IMAP_URL"] ?? "",
    ));
  if (url === "")
    throw new UsageError(
      "Name the mailbox: --mailbox imaps://catchall%40example.org@imap.example.org:993/INBOX",
    );
  const known = environment["IMAP_PASSWORD"] ?? (url === now["IMAP_URL"] ? now["IMAP_PASSWORD"] : undefined);
  const isAsked = terminal.isInteractive && known === undefined && !now["IMAP_TOKEN_COMMAND"];
  return { way: "mailbox", url, password: isAsked ? await terminal.askSecret("Its password") : known };
};

/** Asks how mail comes in; `now` are the settings so far, `url` is the address of the app. */
export const askMailIn = async (invocation: Invocation, now: Settings, url: string): Promise<MailIn> => {
  const { text, terminal } = invocation;
  const named = text("in");
  const isTried = named === undefined && terminal.isInteractive && wayOf(now) === "port25";
  const isClosed = isTried && (await seemsClosed(invocation, url));
  const question = `Can this machine receive on port 25? (port25; mailbox: mail is fetched from one by IMAP; http: a service hands it over)`;
  const answer =
    named ??
    (await terminal.ask(
      isClosed ? `Port 25 is closed to the outside here, as far as one can tell. ${question}` : question,
      isClosed ? "mailbox" : wayOf(now),
    ));
  const way = ways.find((known) => known === answer);
  if (way === undefined)
    throw new UsageError(
      `Name how mail comes in: --in ${ways.slice(0, -1).join(", --in ")} or --in ${ways.at(-1)}`,
    );
  if (way === "mailbox") return askMailbox(invocation, now);
  if (way === "http" && !url.startsWith("https:"))
    throw new UsageError("Mail by HTTP needs an address with https: --url https://mail.example.org");
  return { way };
};

const secretBytes = 32;

const withoutPort25 = { SMTP_HOST: undefined, SMTP_PORT: undefined };
const withoutHttp = { INBOUND_SECRET: undefined, INBOUND_SIGNING_KEY: undefined };
const withoutMailbox = {
  IMAP_URL: undefined,
  IMAP_PASSWORD: undefined,
  IMAP_TOKEN_COMMAND: undefined,
  IMAP_RECIPIENT_HEADER: undefined,
  IMAP_KEEP_IN: undefined,
};

/**
 * Returns the settings of the way on which mail comes in. Where it is another one than before, those of the other ways are
 * removed; where it is the same, an installation that has several keeps them.
 */
export const settingsOfMailIn = (
  mailIn: MailIn,
  isPublic: boolean,
  now: Settings,
  random: Random,
): Settings => {
  const isSame = mailIn.way === wayOf(now);
  switch (mailIn.way) {
    case "port25":
      return {
        ...withoutHttp,
        ...withoutMailbox,
        ...(isPublic ? { SMTP_HOST: "0.0.0.0", SMTP_PORT: "25" } : {}),
      };
    case "mailbox":
      return {
        ...(isSame ? {} : { ...withoutPort25, ...withoutHttp }),
        IMAP_URL: mailIn.url,
        IMAP_PASSWORD: mailIn.password,
      };
    case "http":
      return {
        ...(isSame ? {} : { ...withoutPort25, ...withoutMailbox }),
        INBOUND_SECRET: now["INBOUND_SECRET"] ?? randomHex(random, secretBytes),
      };
  }
};

/** Says what is left to do for mail that does not come in on port 25; logs in to a mailbox, to say whether it can be read. */
export const describeMailIn = async (
  { inbound, mailbox, maskDomain, publicUrl }: Config,
  { clock }: Pick<Invocation, "clock">,
): Promise<readonly string[]> => {
  if (mailbox !== null)
    return [
      ...checkLines(await checkMailbox(() => openImapMailbox({ settings: mailbox, maskDomain, clock }))),
      `Let your provider put all mail to ${maskDomain} into that mailbox; docs/mailbox.md says more.`,
      "Its mail servers belong into the MX records.",
      "",
    ];
  if (inbound !== null)
    return [
      `Let your service post mail to ${publicUrl}/inbound/SECRET, with INBOUND_SECRET of that file in place of SECRET;`,
      "docs/inbound.md says how for each service. Its mail servers belong into the MX records.",
      "",
    ];
  return [];
};
