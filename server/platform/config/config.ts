import { isIP } from "node:net";
import { type DomainName, isAtDomain } from "../../../core/mail/domainName.ts";
import { isEmailAddress } from "../../../core/mail/emailAddress.ts";
import type { RepliesPerDay } from "../../../core/tiers/tier.ts";
import type { S3Place } from "../objects/s3Client.ts";
import { readDatabase } from "./databaseSettings.ts";
import { readOidc } from "./oidc.ts";
import { createSettingReaders, type Read } from "./settingReaders.ts";
import { matching, SettingError } from "./settings.ts";
import { settingTable as settings } from "./settingTable.ts";
import { readSignUp } from "./signUpSettings.ts";

/** Reads where the content of queued mail is stored; null for the database, or the files beside SQLite. */
const readBodyStore = ({ read, readGroup }: ReturnType<typeof createSettingReaders>): S3Place | null => {
  const group = readGroup(
    "an object store",
    {
      place: settings.BODY_STORE,
      accessKey: settings.BODY_STORE_ACCESS_KEY,
      secretKey: settings.BODY_STORE_SECRET_KEY,
    },
    [],
  );
  if (group === null) return null;
  if (read(settings.DATABASE_URL) === null)
    throw new SettingError(
      "BODY_STORE is set, but DATABASE_URL is not; expected PostgreSQL for an object store: set DATABASE_URL, or unset BODY_STORE.",
    );
  const { place, ...keys } = group;
  return { ...place, ...keys };
};

/** The certificate authority for the names of this server, and the ports it validates them on. */
interface AcmeConfig {
  readonly email: string;
  readonly directoryUrl: string;
  readonly httpPort: number;
  readonly httpsPort: number;
}

/** Reads the settings of certificates that the server gets by itself; null without ACME_EMAIL. */
const readAcme = (read: Read, publicUrl: string): AcmeConfig | null => {
  const email = read(settings.ACME_EMAIL);
  const directoryUrl = read(settings.ACME_DIRECTORY);
  const httpPort = read(settings.HTTP_PORT);
  const httpsPort = read(settings.HTTPS_PORT);
  if (email === null) return null;
  if (!publicUrl.startsWith("https:"))
    throw new SettingError(
      `PUBLIC_URL is ${JSON.stringify(publicUrl)}; expected an https origin, because ACME_EMAIL is set.`,
    );
  return { email, directoryUrl, httpPort, httpsPort };
};

const urlHost = (host: string): string => {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return isIP(host) === 6 ? `[${host}]` : host;
};

interface ProofSettings {
  /** Networks whose mail is accepted without sender authentication. */
  readonly trustedNetworks: readonly string[];
  /** Domains of mailing lists and forwarders whose ARC seals are trusted. */
  readonly trustedSealers: readonly string[];
  /** The host of the provider that hands mail over, whose SPF results are believed; null for none. */
  readonly resultsHost: string | null;
  readonly dkim: "on" | "off";
  /** True if domains that ask for it get reports of TLS; with direct delivery only. */
  readonly sendsTlsReports: boolean;
  readonly repliesPerDay: RepliesPerDay;
}

const readProof = (read: Read): ProofSettings => ({
  trustedNetworks: read(settings.TRUSTED_NETWORKS),
  trustedSealers: read(settings.TRUSTED_SEALERS) ?? [],
  resultsHost: read(settings.INBOUND_AUTHSERV_ID),
  dkim: read(settings.DKIM),
  sendsTlsReports: read(settings.TLS_REPORTS) === "on" && read(settings.NEXT_HOP) === "mx",
  repliesPerDay: read(settings.REPLIES_PER_DAY),
});

const readInbound = ({ read, readGroup }: ReturnType<typeof createSettingReaders>) => {
  const { INBOUND_SECRET: secret, INBOUND_SIGNING_KEY: signingKey } = settings;
  const group = readGroup("mail by HTTP", { secret }, [signingKey]);
  return group && { ...group, signingKey: read(signingKey) };
};

/** The settings of delivery to the mail servers of recipients. */
interface DirectSettings {
  readonly port: number;
  /** The addresses to send from, at most one of each family; without any the system chooses. */
  readonly sources: readonly string[];
  /** Networks that are not public and that mail may be sent to. */
  readonly networks: readonly string[];
  /** To one domain. */
  readonly mailsPerMinute: number;
  /** True if the resolver is believed when it says that DNSSEC protects an answer; null: when it is this machine. */
  readonly trustsResolver: boolean | null;
}

const readDirect = (read: Read): DirectSettings => {
  const dnssec = read(settings.DNSSEC);
  return {
    port: read(settings.MX_PORT),
    sources: read(settings.MX_SOURCE) ?? [],
    networks: read(settings.MX_NETWORKS) ?? [],
    mailsPerMinute: read(settings.MX_MAILS_PER_MINUTE),
    trustsResolver: dnssec === null ? null : dnssec === "on",
  };
};

/** The limits of what one sender's domain, and one network, may send to one account. */
interface SenderLimitSettings {
  readonly perMinute: number;
  readonly perHour: number;
  /** Percent of the plan's mails of a month that one sender may send in a day. */
  readonly dailyShare: number;
}

/** Bytes of a gigabyte, as settings count them. */
export const bytesOfGb = 1_000_000_000;

const readSenderLimits = (read: Read): SenderLimitSettings => ({
  perMinute: read(settings.SENDER_MAILS_PER_MINUTE),
  perHour: read(settings.SENDER_MAILS_PER_HOUR),
  dailyShare: read(settings.SENDER_DAILY_SHARE),
});

/** Reads who gets mail to the postmaster, whose address is at another domain than the masks. */
const readPostmaster = (read: Read, maskDomain: DomainName) => {
  const { POSTMASTER } = settings;
  const isOutside = (text: string): boolean => !isAtDomain(text, maskDomain);
  const format = matching(POSTMASTER.format.expected, (text) => isEmailAddress(text) && isOutside(text));
  return read({ ...POSTMASTER, format });
};

const readModel = ({ read, readGroup }: ReturnType<typeof createSettingReaders>) => {
  const model = readGroup("a model", { url: settings.AI_URL, model: settings.AI_MODEL }, [settings.AI_KEY]);
  const key = read(settings.AI_KEY);
  return model && { url: model.url.replace(/\/+$/, ""), model: model.model, key };
};

/** Reads how plans are paid for with Stripe; null where nothing is sold. */
const readBilling = ({ read, readGroup }: ReturnType<typeof createSettingReaders>) => {
  const stripe = readGroup(
    "payments",
    {
      secretKey: settings.STRIPE_SECRET_KEY,
      publishableKey: settings.STRIPE_PUBLISHABLE_KEY,
      webhookSecret: settings.STRIPE_WEBHOOK_SECRET,
      basic: settings.STRIPE_PRICE_BASIC,
      pro: settings.STRIPE_PRICE_PRO,
      pro_premium: settings.STRIPE_PRICE_PREMIUM,
    },
    [settings.STRIPE_API_BASE],
  );
  return (
    stripe && {
      secretKey: stripe.secretKey,
      publishableKey: stripe.publishableKey,
      webhookSecret: stripe.webhookSecret,
      /** By tier: first the price that is sold, then earlier ones that are still valid. */
      prices: { basic: stripe.basic, pro: stripe.pro, pro_premium: stripe.pro_premium },
      /** The base URL of the API; null for Stripe itself. */
      apiBase: read(settings.STRIPE_API_BASE),
    }
  );
};

/** Reads how mail is fetched from a mailbox; null where none is. */
const readMailbox = ({ read, readGroup }: ReturnType<typeof createSettingReaders>) => {
  const { IMAP_URL, IMAP_PASSWORD, IMAP_TOKEN_COMMAND, IMAP_RECIPIENT_HEADER, IMAP_KEEP_IN } = settings;
  const group = readGroup("mail from a mailbox", { url: IMAP_URL }, [
    IMAP_PASSWORD,
    IMAP_TOKEN_COMMAND,
    IMAP_RECIPIENT_HEADER,
    IMAP_KEEP_IN,
  ]);
  const given = {
    password: read(IMAP_PASSWORD) ?? group?.url.password ?? null,
    /** A command that prints an access token; null to log in with the password. */
    tokenCommand: read(IMAP_TOKEN_COMMAND),
    /** The field that names the recipient, in lower case; null for the usual ones. */
    recipientField: read(IMAP_RECIPIENT_HEADER)?.toLowerCase() ?? null,
    /** The folder that fetched mail is moved to; null deletes it. */
    keepIn: read(IMAP_KEEP_IN),
  };
  if (group !== null && given.password === null && given.tokenCommand === null)
    throw new SettingError(
      "IMAP_PASSWORD is not set; expected the password of the user in IMAP_URL, or IMAP_TOKEN_COMMAND.",
    );
  return group && { ...group.url, ...given };
};

/** Reads the configuration (docs/settings.md lists all variables); throws a `SettingError` for the first invalid one. */
export const readConfig = (environment: Readonly<Record<string, string | undefined>>) => {
  if (environment["REDIS_URL"]?.trim())
    throw new SettingError(
      "REDIS_URL is set; expected no such setting, because processes share limits in the database of DATABASE_URL.",
    );
  const readers = createSettingReaders(environment);
  const { read, readGroup } = readers;
  const port = read(settings.PORT);
  const host = read(settings.HOST);
  const maskDomain = read(settings.MASK_DOMAIN);
  const trustedProxies: readonly string[] = read(settings.TRUSTED_PROXIES);
  const corsOrigins: readonly string[] = read(settings.CORS_ORIGINS) ?? [];
  const keptMailGb = read(settings.KEPT_MAIL_GB);
  const publicUrl = read(settings.PUBLIC_URL) ?? `http://${urlHost(host)}:${port}`;
  const billing = readBilling(readers);
  return {
    brand: read(settings.BRAND),
    port,
    host,
    smtpPort: read(settings.SMTP_PORT),
    smtpHost: read(settings.SMTP_HOST) ?? host,
    /** Networks of balancers that say by the PROXY protocol who has connected to them. */
    smtpBalancers: read(settings.SMTP_PROXY_PROTOCOL_FROM),
    /** Null where no mail is fetched from a mailbox. */
    mailbox: readMailbox(readers),
    /** Ports where mail programs log in: with STARTTLS, and with TLS from the start. Null: the usual ones, where possible. */
    submissionPort: read(settings.SUBMISSION_PORT),
    submissionsPort: read(settings.SUBMISSIONS_PORT),
    /** The certificate files for STARTTLS; null disables STARTTLS. */
    tls: readGroup("STARTTLS", { cert: settings.TLS_CERT, key: settings.TLS_KEY }, []),
    /** The authority of certificates for HTTPS and STARTTLS; null without certificates of our own. */
    acme: readAcme(read, publicUrl),
    maskDomain,
    /** The number of sub-domains of MASK_DOMAIN that an account may claim; 0: none. */
    subdomains: read(settings.SUBDOMAINS),
    /** The recipient of mail to the postmaster and abuse addresses; null keeps that mail in the outbox. */
    postmaster: readPostmaster(read, maskDomain),
    /** The public address of the app, without a slash at its end. */
    publicUrl,
    /** The addresses and networks of proxies whose X-Forwarded-* headers are trusted. */
    trustedProxies,
    /** Other origins whose pages may send requests with the visitor's session. */
    corsOrigins,
    dataDir: read(settings.DATA_DIR),
    ...readDatabase(read),
    /** Null stores the content of queued mail in the database, or in files beside SQLite. */
    bodyStore: readBodyStore(readers),
    /** "mx" sends to the mail servers of the recipients; null stores outgoing mail in the outbox (D39). */
    nextHop: read(settings.NEXT_HOP),
    direct: readDirect(read),
    /** Networks that are not public and that webhooks may reach. */
    webhookNetworks: read(settings.WEBHOOK_NETWORKS) ?? [],
    /** Null uses the resolver of the system. */
    dnsServer: read(settings.DNS_SERVER),
    ...readProof(read),
    /** The address where a service hands over mail by HTTP; null without one. */
    inbound: readInbound(readers),
    senderLimits: readSenderLimits(read),
    /** Bytes of mail that may be kept for all accounts; null for what the store has room for. */
    keptMail: keptMailGb === null ? null : keptMailGb * bytesOfGb,
    /** Null uses only the built-in spam check. */
    rspamdUrl: read(settings.RSPAMD_URL),
    /** Null where leaked addresses are not searched. */
    breachRanges: read(settings.BREACH_RANGES),
    /** An external model that categorizes the mail of users who consent to it; null without one. */
    aiModel: readModel(readers),
    logLevel: read(settings.LOG_LEVEL),
    /** The address where monitors read: null listens nowhere else; the token lets other machines read. */
    metrics: { listen: read(settings.METRICS_LISTEN), token: read(settings.METRICS_TOKEN) },
    /** Null disables crash reports of the web app. */
    sentryDsn: read(settings.SENTRY_DSN),
    /** Null disables traces and events of the web app and the server (D42). */
    telemetryEndpoint: read(settings.TELEMETRY_ENDPOINT),
    telemetryPercent: read(settings.TELEMETRY_PERCENT),
    /** The tier of users without a paid plan; null where plans are sold and new users begin with Free (D48). */
    defaultTier: read(settings.DEFAULT_TIER) ?? (billing ? null : "self_hosted"),
    ...readSignUp(read, publicUrl),
    /** Null without an identity provider. */
    oidc: readOidc(readers),
    /** Null disables billing (D38). */
    billing,
    /** The origin of the reload stream during development; null otherwise. */
    devReloadOrigin: read(settings.DEV_RELOAD_ORIGIN),
  };
};

/** The configuration of the server. */
export type Config = Readonly<ReturnType<typeof readConfig>>;
/** Paths of PEM files. */
export type TlsFiles = NonNullable<Config["tls"]>;
/** A mailbox that mail is fetched from. */
export type MailboxSettings = NonNullable<Config["mailbox"]>;
/** A model with an OpenAI-compatible API; `url` has no trailing slash. */
export type AiModel = NonNullable<Config["aiModel"]>;
/** True if users choose among plans: a server that takes no payments and says which tier everybody has sells nothing. */
export const sellsPlans = ({ billing, defaultTier }: Pick<Config, "billing" | "defaultTier">): boolean =>
  billing !== null || defaultTier === null;

/** The configuration of payments with Stripe. */
export type BillingConfig = NonNullable<Config["billing"]>;
/** The tiers that can be sold. */
export type SoldTier = keyof BillingConfig["prices"];
