import { existsSync, readFileSync, statSync } from "node:fs";
import { minuteMs } from "../../core/kernel/durations.ts";
import { isAtDomain, toDomainName } from "../../core/mail/domainName.ts";
import { isEmailAddress } from "../../core/mail/emailAddress.ts";
import { dnsRecords, reverseRecords, toZoneFile } from "../features/operator/dnsRecords.ts";
import { dnsSetupOf } from "../features/operator/installation.ts";
import { arrivesWithinMs } from "../features/operator/testMail.ts";
import { readConfig } from "../platform/config/config.ts";
import { isLoopbackOrigin } from "../platform/config/loopbackOrigin.ts";
import {
  parseSettings,
  type Settings,
  settingsPath,
  withSettings,
  writeSettings,
} from "../platform/config/settingsFile.ts";
import { type Command, type Invocation, UsageError } from "./command.ts";
import { readDkimRecords } from "./dkimCommands.ts";
import { addressesOf, addressOption } from "./dnsCommand.ts";
import { mailServerOption } from "./hostOption.ts";
import { askMailIn, describeMailIn, type MailIn, settingsOfMailIn } from "./mailIn.ts";

const options = {
  domain: { type: "string", value: "domain", help: "domain of the masks, such as masks.example.org" },
  url: { type: "string", value: "origin", help: "address of the app; https://<domain> without it" },
  operator: {
    type: "string",
    value: "address",
    help: "your own address, as operator and postmaster and for certificates",
  },
  via: {
    type: "string",
    value: "server",
    help: "smtp(s)://… that sends your mail, or mx to deliver directly",
  },
  in: {
    type: "string",
    value: "way",
    help: "how mail comes in: port25, mailbox (fetched by IMAP), or http (a service hands it over)",
  },
  mailbox: {
    type: "string",
    value: "url",
    help: "imaps://user@host:993/INBOX, with the password in IMAP_PASSWORD; for --in mailbox",
  },
  "sign-up": { type: "string", value: "who", help: "open, invite or closed" },
  proxy: { type: "boolean", help: "a proxy before the app has the certificate" },
  "data-dir": { type: "string", value: "folder", help: "folder of the database and the keys" },
  "database-url": { type: "string", value: "url", help: "postgresql://… instead of SQLite" },
  ...mailServerOption,
  ...addressOption,
} as const;

interface Answers {
  readonly domain: string;
  readonly url: string;
  readonly operator: string;
  readonly mailIn: MailIn;
  readonly via: string;
  readonly signUp: string;
}

const questions = async (invocation: Invocation, now: Settings): Promise<Answers> => {
  const { text, terminal } = invocation;
  const ask = (option: string, question: string, byDefault: string) =>
    text(option) ?? terminal.ask(question, byDefault);
  const typed = await ask("domain", "Domain of the masks", now["MASK_DOMAIN"] ?? "");
  const name = toDomainName(typed);
  const domain = name ?? typed;
  if (domain === "") throw new UsageError("Name the domain of the masks: --domain masks.example.org");
  const url = await ask("url", "Address of the app", now["PUBLIC_URL"] ?? `https://${domain}`);
  const operator = await ask("operator", "Your own address", now["OPERATORS"] ?? "");
  if (!isEmailAddress(operator) || (name !== null && isAtDomain(operator, name)))
    throw new UsageError("Name your own address, outside the masks' domain: --operator me@example.org");
  const mailIn = await askMailIn(invocation, now, url);
  const via = await ask(
    "via",
    "Server that sends your mail (smtps://user:password@host:465, or mx: deliver directly, needs port 25 open to the outside)",
    now["NEXT_HOP"] ?? "",
  );
  const signUp = await ask("sign-up", "Who may sign up (open, invite, closed)", now["SIGN_UP"] ?? "invite");
  return { domain, url, operator, mailIn, via, signUp };
};

/** The folder of the systemd unit; where none is set, root installs for that unit. */
const serviceDataDir = "/var/lib/bauta";

const dataDirOf = (
  isPublic: boolean,
  { text, environment }: Invocation,
  now: Settings,
): string | undefined => {
  const named = text("data-dir") ?? now["DATA_DIR"];
  if (named !== undefined && existsSync(named) && !statSync(named).isDirectory())
    throw new UsageError(`--data-dir: ${named} is no folder.`);
  const isService = isPublic && process.getuid?.() === 0 && !environment["DATA_DIR"];
  return named ?? (isService ? serviceDataDir : undefined);
};

const settingsOf = (
  { domain, url, operator, mailIn, via, signUp }: Answers,
  invocation: Invocation,
  now: Settings,
): Settings => {
  const { text, flag, random } = invocation;
  const isPublic = !isLoopbackOrigin(url);
  const getsCertificate = isPublic && url.startsWith("https:") && !flag("proxy");
  const dataDir = dataDirOf(isPublic, invocation, now);
  const databaseUrl = text("database-url");
  return {
    MASK_DOMAIN: domain,
    PUBLIC_URL: url,
    OPERATORS: operator,
    POSTMASTER: operator,
    SIGN_UP: signUp,
    ...(via === "" ? {} : { NEXT_HOP: via }),
    ...settingsOfMailIn(mailIn, isPublic, now, random),
    ...(getsCertificate ? { ACME_EMAIL: operator } : {}),
    ...(flag("proxy") ? { ACME_EMAIL: undefined } : {}),
    ...(dataDir === undefined ? {} : { DATA_DIR: dataDir }),
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  };
};

export const setupCommand: Command = {
  name: "setup",
  summary: "Write the settings of a server on the internet, and print its DNS records",
  usage: "[--domain <domain> --operator <address> …]",
  options,
  run: async (invocation) => {
    const path = settingsPath(invocation.environment);
    const before = existsSync(path) ? readFileSync(path, "utf8") : "";
    const now = parseSettings(before, path);
    const answers = await questions(invocation, now);
    const after = withSettings(before, settingsOf(answers, invocation, now));
    const config = readConfig(parseSettings(after, path));
    writeSettings(path, after);
    const dkim = config.dkim === "on" ? await readDkimRecords(invocation).catch(() => null) : [];
    const setup = dnsSetupOf(config, { addresses: addressesOf(invocation), dkim: dkim ?? [] });
    invocation.terminal.print({ file: path, records: [...dnsRecords(setup), ...reverseRecords(setup)] }, [
      `Settings: ${path}`,
      "",
      ...(await describeMailIn(config, invocation)),
      "Create these DNS records; `bauta doctor` tells which are missing.",
      ...(dkim === null
        ? ["Then those that `bauta dkim show` prints: the database cannot be opened yet."]
        : []),
      "",
      ...toZoneFile(dnsRecords(setup)),
      ...reverseRecords(setup).map(({ name, value, why }) => `; ${name}: ${value} (${why})`),
      "",
      `Then start the server and log in at ${config.publicUrl} as ${answers.operator}.`,
      `\`bauta doctor --test-mail\` sends a mail as others do, and says within ${arrivesWithinMs / minuteMs} minutes whether it has come in.`,
    ]);
    return 0;
  },
};
