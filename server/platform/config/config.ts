import { isIP } from "node:net";
import { resolve } from "node:path";
import { domainOf, isEmailAddress } from "../../../core/mail/emailAddress.ts";
import { defaultRepliesPerDay, type RepliesPerDay, tiers } from "../../../core/tiers/tier.ts";
import { readAcme } from "./acme.ts";
import * as settings from "./settings.ts";
import { readSignUp } from "./signUp.ts";

const { hostName, httpUrl, listOf, matching, oneOf, origin, path, pattern } = settings;

const urlHost = (host: string): string => {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return isIP(host) === 6 ? `[${host}]` : host;
};

const logLevels = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const;
const prices = listOf(
  pattern("a price id (price_…); after a comma, earlier ones that are still valid", /^(?:price|plan)_\w+$/),
);

const mostMails = 1_000_000;

interface ProofSettings {
  /** Networks whose mail is accepted without sender authentication. */
  readonly trustedNetworks: readonly string[];
  /** Domains of mailing lists and forwarders whose ARC seals are trusted. */
  readonly trustedSealers: readonly string[];
  readonly dkim: "on" | "off";
  readonly repliesPerDay: RepliesPerDay;
}

const readProof = (read: ReturnType<typeof settings.createSettingReaders>["read"]): ProofSettings => ({
  trustedNetworks: read("TRUSTED_NETWORKS", settings.networks) ?? ["loopback"],
  trustedSealers: read("TRUSTED_SEALERS", settings.domainNames) ?? [],
  dkim: read("DKIM", oneOf(["on", "off"])) ?? "on",
  repliesPerDay: read("REPLIES_PER_DAY", settings.repliesPerDay) ?? defaultRepliesPerDay,
});

/** How mail is sent to the mail servers of its recipients. */
interface DirectSettings {
  readonly port: number;
  /** The addresses to send from, at most one of each family; without any the system chooses. */
  readonly sources: readonly string[];
  /** Networks that are not public and that mail may be sent to. */
  readonly networks: readonly string[];
  /** To one domain. */
  readonly mailsPerMinute: number;
  /** Whether the resolver is believed when it says that DNSSEC protects an answer; null: when it is this machine. */
  readonly trustsResolver: boolean | null;
}

const readDirect = (read: ReturnType<typeof settings.createSettingReaders>["read"]): DirectSettings => {
  const dnssec = read("DNSSEC", oneOf(["on", "off"]));
  return {
    port: read("MX_PORT", settings.wholeNumber(1, 65_535)) ?? 25,
    sources: read("MX_SOURCE", settings.sourceAddresses) ?? [],
    networks: read("MX_NETWORKS", settings.networks) ?? [],
    mailsPerMinute: read("MX_MAILS_PER_MINUTE", settings.wholeNumber(1, mostMails)) ?? 1_200,
    trustsResolver: dnssec === null ? null : dnssec === "on",
  };
};

/** What one sender's domain, and one network, may send to one account. */
interface SenderLimitSettings {
  readonly perMinute: number;
  readonly perHour: number;
  /** Percent of the plan's mails of a month that one sender may send in a day. */
  readonly dailyShare: number;
}

const readSenderLimits = (
  read: ReturnType<typeof settings.createSettingReaders>["read"],
): SenderLimitSettings => ({
  perMinute: read("SENDER_MAILS_PER_MINUTE", settings.wholeNumber(1, mostMails)) ?? 60,
  perHour: read("SENDER_MAILS_PER_HOUR", settings.wholeNumber(1, mostMails)) ?? 600,
  dailyShare: read("SENDER_DAILY_SHARE", settings.wholeNumber(1, 100)) ?? 25,
});

const readSubdomains = (read: ReturnType<typeof settings.createSettingReaders>["read"]): number =>
  read("SUBDOMAINS", settings.wholeNumber(0, 100)) ?? 1;

/** Reads the configuration (the README lists all variables); throws a `SettingError` for the first invalid one. */
export const readConfig = (environment: Readonly<Record<string, string | undefined>>) => {
  const { read, readSecret, readGroup } = settings.createSettingReaders(environment);
  const port = read("PORT", settings.port) ?? 3_000;
  const host = read("HOST", hostName("the IP address or host name to listen on")) ?? "127.0.0.1";
  const maskDomain = read("MASK_DOMAIN", settings.domainName) ?? "masks.localhost";
  const postmasterAddress = matching(
    "an e-mail address outside MASK_DOMAIN",
    (text) => isEmailAddress(text) && domainOf(text).toLowerCase() !== maskDomain,
  );
  const smtpHost = hostName("the IP address or host name to take mail on, or nothing for the value of HOST");
  const trustedProxies: readonly string[] = read("TRUSTED_PROXIES", settings.proxies) ?? ["loopback"];
  const corsOrigins: readonly string[] = read("CORS_ORIGINS", settings.origins) ?? [];
  const model = readGroup(
    read,
    "a model",
    {
      url: [
        "AI_URL",
        httpUrl(
          "the base of an OpenAI-compatible API, such as http://127.0.0.1:11434/v1",
          "/chat/completions",
        ),
      ],
      model: ["AI_MODEL", pattern("the name of a model at AI_URL", /^.{0,200}$/)],
    },
    ["AI_KEY"],
  );
  const publicUrl =
    read("PUBLIC_URL", origin("an origin such as https://mail.example.org, without a path")) ??
    `http://${urlHost(host)}:${port}`;
  const modelKey = readSecret("AI_KEY", pattern("the key of AI_URL, without spaces", /^[\x21-\x7e]+$/));
  const stripe = readGroup(
    readSecret,
    "payments",
    {
      secretKey: [
        "STRIPE_SECRET_KEY",
        pattern("a secret key (sk_…) or restricted key (rk_…) of Stripe", /^[sr]k_\w+$/),
      ],
      publishableKey: ["STRIPE_PUBLISHABLE_KEY", pattern("a publishable key (pk_…) of Stripe", /^pk_\w+$/)],
      webhookSecret: [
        "STRIPE_WEBHOOK_SECRET",
        pattern("the signing secret (whsec_…) of the webhook endpoint", /^whsec_[\w+/=]+$/),
      ],
      basic: ["STRIPE_PRICE_BASIC", prices],
      pro: ["STRIPE_PRICE_PRO", prices],
      pro_premium: ["STRIPE_PRICE_PREMIUM", prices],
    },
    ["STRIPE_API_BASE"],
  );
  return {
    brand: read("BRAND", pattern("a name of at most 40 characters", /^.{0,40}$/)) ?? "Bauta",
    port,
    host,
    smtpPort: read("SMTP_PORT", settings.port) ?? 2_525,
    smtpHost: read("SMTP_HOST", smtpHost) ?? host,
    /** Ports where mail programs log in: with STARTTLS, and with TLS from the start. Null: the usual ones, where possible. */
    submissionPort: read("SUBMISSION_PORT", settings.port),
    submissionsPort: read("SUBMISSIONS_PORT", settings.port),
    /** The certificate files for STARTTLS; null disables STARTTLS. */
    tls: readGroup(
      read,
      "STARTTLS",
      {
        cert: ["TLS_CERT", path("a PEM file with the certificate chain of the mail server")],
        key: ["TLS_KEY", path("a PEM file with the key of TLS_CERT")],
      },
      [],
    ),
    /** The authority of certificates for HTTPS and STARTTLS; null without certificates of our own. */
    acme: readAcme(read, publicUrl),
    maskDomain,
    /** How many sub-domains of MASK_DOMAIN an account may claim; 0: none. */
    subdomains: readSubdomains(read),
    /** The recipient of mail to the postmaster and abuse addresses; null keeps that mail in the outbox. */
    postmaster: read("POSTMASTER", postmasterAddress),
    /** The public origin of the app, without a trailing slash. */
    publicUrl,
    /** The addresses and networks of proxies whose X-Forwarded-* headers are trusted. */
    trustedProxies,
    /** Other origins whose pages may send requests with the visitor's session. */
    corsOrigins,
    dataDir: read("DATA_DIR", path("a folder")) ?? resolve("data"),
    /** Null uses SQLite in the data folder. */
    databaseUrl: readSecret("DATABASE_URL", settings.postgresUrl),
    /** "mx" sends to the mail servers of the recipients; null stores outgoing mail in the outbox (D39). */
    nextHop: readSecret("NEXT_HOP", settings.nextHop),
    direct: readDirect(read),
    /** Null uses the resolver of the system. */
    dnsServer: read("DNS_SERVER", settings.resolver),
    ...readProof(read),
    senderLimits: readSenderLimits(read),
    /** Null uses only the built-in spam check. */
    rspamdUrl: read(
      "RSPAMD_URL",
      httpUrl("the address of rspamd's worker, such as http://127.0.0.1:11333", "/checkv2"),
    ),
    /** Null where leaked addresses are not searched. */
    breachRanges: read(
      "BREACH_RANGES",
      httpUrl("the address of a source of leaked addresses, such as https://leaks.example.org/range", "/"),
    ),
    /** An external model that categorizes the mail of users who consent to it; null without one. */
    aiModel: model && { url: model.url.replace(/\/+$/, ""), model: model.model, key: modelKey },
    logLevel: read("LOG_LEVEL", oneOf(logLevels)) ?? "info",
    /** Null disables crash reports of the web app. */
    sentryDsn: read("SENTRY_DSN", settings.sentryDsn),
    /** Null disables traces and events of the web app (D42). */
    telemetryEndpoint: read("TELEMETRY_ENDPOINT", settings.telemetryEndpoint),
    /** The tier of users without a paid plan; null where plans are sold and new users begin with Free (D48). */
    defaultTier: read("DEFAULT_TIER", oneOf(tiers)) ?? (stripe ? null : "self_hosted"),
    ...readSignUp(read, publicUrl),
    /** Null disables billing (D38). */
    billing: stripe && {
      secretKey: stripe.secretKey,
      publishableKey: stripe.publishableKey,
      webhookSecret: stripe.webhookSecret,
      /** By tier: first the price that is sold, then earlier ones that are still valid. */
      prices: { basic: stripe.basic, pro: stripe.pro, pro_premium: stripe.pro_premium },
      /** The base URL of the API; null for Stripe itself. */
      apiBase: read(
        "STRIPE_API_BASE",
        origin("an origin such as http://127.0.0.1:12111, or nothing for Stripe itself"),
      ),
    },
    /** The origin of the reload stream during development; null otherwise. */
    devReloadOrigin: read("DEV_RELOAD_ORIGIN", origin("an origin such as http://127.0.0.1:3001")),
  };
};

/** The configuration of the server. */
export type Config = Readonly<ReturnType<typeof readConfig>>;
/** Paths of PEM files. */
export type TlsFiles = NonNullable<Config["tls"]>;
/** A model with an OpenAI-compatible API; `url` has no trailing slash. */
export type AiModel = NonNullable<Config["aiModel"]>;
/** The configuration of payments with Stripe. */
export type BillingConfig = NonNullable<Config["billing"]>;
/** The tiers that can be sold. */
export type SoldTier = keyof BillingConfig["prices"];
