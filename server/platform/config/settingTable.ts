import { isEmailAddress } from "../../../core/mail/emailAddress.ts";
import { defaultRepliesPerDay, tiers } from "../../../core/tiers/tier.ts";
import { allowedIdentities, issuer } from "./allowedIdentities.ts";
import * as formats from "./settings.ts";
import { signingKey } from "./signingKey.ts";

const { hostName, httpUrl, listOf, matching, oneOf, origin, path, pattern, port, postgresUrl, wholeNumber } =
  formats;

/** Gives each setting the name of its variable, and the heading under which docs/settings.md has it. */
const named = <S extends Readonly<Record<string, object>>>(heading: string, settings: S) =>
  Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => [name, { ...setting, name, heading }]),
  ) as {
    readonly [N in keyof S]: S[N] & { readonly name: string; readonly heading: string };
  };

const onOrOff = oneOf(["on", "off"]);
const tokenLength = { least: 16, most: 200 };
const inboundSecretLength = { least: 16, most: 200 };
/** A name on the page, which has so many characters at most. */
const maxName = 40;
const nameOf = (least: number) =>
  pattern(`a name of at most ${maxName} characters`, new RegExp(`^.{${least},${maxName}}$`));
const mailCount = wholeNumber(1, 1_000_000);
const prices = listOf(
  pattern("a price id (price_…); after a comma, earlier ones that are still valid", /^(?:price|plan)_\w+$/),
);
const { free, basic, pro, pro_premium: above } = defaultRepliesPerDay;

const app = named("The app", {
  PORT: {
    format: port,
    default: "3000",
    meaning: "Port of the app (HTTP and WebSocket).",
  },
  HOST: {
    format: hostName("the IP address or host name to listen on"),
    default: "127.0.0.1",
    meaning: "Address the app listens on; `0.0.0.0` for all. Behind a proxy, keep the default.",
  },
  PUBLIC_URL: {
    format: formats.publicUrl(
      "an address such as https://mail.example.org or https://example.org/bauta, without .. or what follows a path",
    ),
    otherwise: "`http://HOST:PORT`",
    meaning:
      "Address of the app in a browser, with a path where it [shares its host](self-hosting.md#under-a-path); `https` switches on secure cookies and HSTS. `/outbox` is on only while it is this machine.",
  },
  TRUSTED_PROXIES: {
    format: formats.proxies,
    default: "loopback",
    meaning: "Proxies whose `X-Forwarded-*` headers the server trusts.",
  },
  CORS_ORIGINS: {
    format: formats.origins,
    otherwise: "none",
    meaning: "Other origins of the same site whose pages may call the server.",
  },
  BRAND: {
    format: nameOf(0),
    default: "Bauta",
    meaning: "Name shown in the app and in its mails.",
  },
});

const data = named("Data", {
  DATA_DIR: {
    format: path("a folder"),
    default: "./data",
    meaning: "Folder of the database, the secrets and the outbox.",
  },
  DATABASE_URL: {
    format: postgresUrl("postgresql://user:password@host:port/database, or nothing for SQLite in DATA_DIR"),
    otherwise: "SQLite in `DATA_DIR`",
    meaning:
      "Database server to use instead: PostgreSQL 15 or later, or PgBouncer before it, in transaction mode too.",
    isSecret: true,
  },
  DATABASE_DIRECT_URL: {
    format: postgresUrl(
      "the same database without a pooler, as postgresql://user:password@host:port/database",
    ),
    otherwise: "`DATABASE_URL`",
    meaning:
      "PostgreSQL itself where `DATABASE_URL` leads to a pooler: for LISTEN, updates of tables and the check of durability ([scaling](scaling.md)).",
    isSecret: true,
  },
  DATABASE_READ_URL: {
    format: postgresUrl("a standby of the same database, as postgresql://user:password@host:port/database"),
    otherwise: "the primary",
    meaning:
      "Standby for reads that take long: insights, exports and figures. While it is gone or behind, the primary answers ([scaling](scaling.md)).",
    isSecret: true,
  },
  DATABASE_NOTIFY: {
    format: onOrOff,
    default: "on",
    meaning:
      "Whether processes learn of changes by NOTIFY; with `off`, or where NOTIFY does not arrive, they read twice a second.",
  },
  BODY_STORE: {
    format: formats.bucketUrl,
    otherwise: "the database",
    meaning:
      "S3-compatible bucket for the content of queued mail above 32 kB; with `DATABASE_URL` only ([scaling](scaling.md#bodies-in-an-object-store)).",
  },
  BODY_STORE_ACCESS_KEY: {
    format: pattern("the access key of BODY_STORE, without spaces", /^[\x21-\x7e]+$/),
    otherwise: "none",
    meaning: "Access key that may write, read, list and delete in `BODY_STORE`.",
  },
  BODY_STORE_SECRET_KEY: {
    format: pattern("the secret key of BODY_STORE, without spaces", /^[\x21-\x7e]+$/),
    otherwise: "none",
    meaning: "Secret key of `BODY_STORE_ACCESS_KEY`.",
    isSecret: true,
  },
});

const domains = named("Domain of the masks", {
  MASK_DOMAIN: {
    format: formats.domainName,
    default: "masks.localhost",
    meaning: "Domain of the masks; its MX record points to this machine.",
  },
  SUBDOMAINS: {
    format: wholeNumber(0, 100),
    default: "1",
    meaning:
      "Sub-domains of `MASK_DOMAIN` that each account may claim, `0` for none; they need a wildcard MX record ([domains](domains.md)).",
  },
});

const arriving = named("Arriving mail", {
  SMTP_PORT: {
    format: port,
    default: "2525",
    meaning: "Port on which mail for the masks arrives.",
  },
  SMTP_HOST: {
    format: hostName("the IP address or host name to take mail on, or nothing for the value of HOST"),
    otherwise: "`HOST`",
    meaning: "Address on which mail for the masks arrives; `0.0.0.0` for all.",
  },
  POSTMASTER: {
    format: matching("an address outside MASK_DOMAIN, such as me@example.org", isEmailAddress),
    otherwise: "the outbox",
    meaning: "Address that receives mail to `postmaster` and `abuse` at `MASK_DOMAIN`.",
  },
  SMTP_PROXY_PROTOCOL_FROM: {
    format: formats.networks,
    default: "none",
    meaning:
      "Load balancers before the mail ports; they say by the PROXY protocol, version 2, who has connected ([scaling](scaling.md)).",
  },
  TRUSTED_NETWORKS: {
    format: formats.networks,
    default: "loopback",
    meaning: "Networks whose mail is taken without proof of its sender.",
  },
  TRUSTED_SEALERS: {
    format: formats.domainNames,
    otherwise: "none",
    meaning: "Domains of mailing lists and forwarders whose ARC seals prove a sender.",
  },
  INBOUND_SECRET: {
    format: pattern(
      `a secret of ${inboundSecretLength.least} to ${inboundSecretLength.most} letters, digits, - and _`,
      new RegExp(`^[\\w-]{${inboundSecretLength.least},${inboundSecretLength.most}}$`),
    ),
    otherwise: "off",
    meaning:
      "Secret of the address `PUBLIC_URL/inbound/INBOUND_SECRET`, where a service hands over mail that it has received ([mail in by HTTP](inbound.md)).",
    isSecret: true,
  },
  INBOUND_SIGNING_KEY: {
    format: signingKey,
    otherwise: "the secret alone proves the service",
    meaning:
      "Key with which the service signs, as `mailgun:KEY`, `sendgrid:KEY` or `ses:TOPIC`; with it, mail that is not signed is refused.",
    isSecret: true,
  },
  INBOUND_AUTHSERV_ID: {
    format: formats.domainName,
    otherwise: "none",
    meaning:
      "Host by which the provider that hands mail over begins its `Authentication-Results`; its topmost SPF result is believed.",
  },
  IMAP_URL: {
    format: formats.imapUrl,
    otherwise: "none",
    meaning:
      "Catch-all mailbox from which mail to the masks is fetched, `imaps://user@host:993/INBOX` ([from a mailbox](mailbox.md)).",
    isSecret: true,
  },
  IMAP_PASSWORD: {
    format: pattern("the password of the user in IMAP_URL", /^[^\0-\x1f\x7f]{1,1000}$/),
    otherwise: "that of `IMAP_URL`",
    meaning: "Password of the mailbox.",
    isSecret: true,
  },
  IMAP_TOKEN_COMMAND: {
    format: pattern("a command that prints an access token", /^[^\0\r\n]{1,1000}$/),
    otherwise: "the password",
    meaning: "Shell command that prints an access token, for a provider that wants one (XOAUTH2).",
    isSecret: true,
  },
  IMAP_RECIPIENT_HEADER: {
    format: pattern("the name of a header field, such as X-Delivered-To", /^[\x21-\x39\x3b-\x7e]{1,76}$/),
    otherwise: "the usual ones",
    meaning: "Field in which the provider names the recipient of a mail in the mailbox.",
  },
  IMAP_KEEP_IN: {
    format: pattern("the name of a folder of the mailbox, such as Bauta", /^[^\0-\x1f\x7f*%]{1,200}$/),
    otherwise: "mail is deleted",
    meaning: "Folder that fetched mail is moved to, instead of being deleted.",
  },
  SENDER_MAILS_PER_MINUTE: {
    format: mailCount,
    default: "60",
    meaning:
      "Mails that one sender's domain, and one network, may send to one account in a minute; not counted for `TRUSTED_NETWORKS`.",
  },
  SENDER_MAILS_PER_HOUR: {
    format: mailCount,
    default: "600",
    meaning: "Like `SENDER_MAILS_PER_MINUTE`, in an hour.",
  },
  SENDER_DAILY_SHARE: {
    format: wholeNumber(1, 100),
    default: "25",
    meaning: "Percent of a plan's monthly mails that one sender may use in a day; `100` for all.",
  },
  KEPT_MAIL_GB: {
    format: wholeNumber(1, 1_000_000),
    otherwise: "what the disk of `DATA_DIR` has free; `20` with `DATABASE_URL`",
    meaning:
      "Gigabytes of mail that may be kept for all accounts: held, archived, or waiting for its recipient's server ([what strangers can fill](security.md#what-strangers-can-make-the-server-keep)).",
  },
  RSPAMD_URL: {
    format: httpUrl("the address of rspamd's worker, such as http://127.0.0.1:11333", "/checkv2"),
    otherwise: "not used",
    meaning: "rspamd that rates mail to masks with the spam filter on.",
  },
});

const leaving = named("Outgoing mail", {
  NEXT_HOP: {
    format: formats.nextHop,
    otherwise: "the outbox",
    meaning:
      "Where outgoing mail goes: `mx` for the mail servers of the recipients, or one server that accepts all of it.",
    isSecret: true,
  },
  MX_SOURCE: {
    format: formats.sourceAddresses,
    otherwise: "the system's choice",
    meaning: "Addresses to send from with `NEXT_HOP=mx`; a family without one is not used.",
  },
  MX_MAILS_PER_MINUTE: {
    format: mailCount,
    default: "1200",
    meaning: "Mails a minute to one domain with `NEXT_HOP=mx`.",
  },
  MX_NETWORKS: {
    format: formats.networks,
    otherwise: "none",
    meaning:
      "Networks that are not public and that `NEXT_HOP=mx` may send to, as in tests and between containers.",
  },
  MX_PORT: {
    format: wholeNumber(1, 65_535),
    default: "25",
    meaning: "Port of the recipients' mail servers, for tests and containers.",
  },
  TLS_REPORTS: {
    format: onOrOff,
    default: "off",
    meaning:
      "Whether domains that ask for it get a daily report of TLS to their mail servers with `NEXT_HOP=mx` (RFC 8460).",
  },
  DKIM: {
    format: onOrOff,
    default: "on",
    meaning: "Whether outgoing mail is signed; `off` where the next hop signs it.",
  },
  REPLIES_PER_DAY: {
    format: formats.repliesPerDay,
    default: [free, basic, pro, above].join(","),
    meaning:
      "Mails from masks that a user may send a day (UTC); the last number also applies where no plans are sold.",
  },
  SUBMISSION_PORT: {
    format: port,
    otherwise: "`587` where it can be opened",
    meaning:
      "Port where mail programs log in with an app password, with STARTTLS, and send from masks; `0` closes it. Without a certificate it stays closed.",
  },
  SUBMISSIONS_PORT: {
    format: port,
    otherwise: "`465` where it can be opened",
    meaning: "Like `SUBMISSION_PORT`, with TLS from the start.",
  },
});

const dns = named("DNS", {
  DNS_SERVER: {
    format: formats.resolver,
    otherwise: "the system's",
    meaning: "Resolver that finds mail servers and checks senders.",
  },
  DNSSEC: {
    format: onOrOff,
    otherwise: "`on` for a resolver on this machine",
    meaning: "Whether `NEXT_HOP=mx` trusts the resolver when it says that DNSSEC protects an answer (DANE).",
  },
});

const webhooks = named("Webhooks", {
  WEBHOOK_NETWORKS: {
    format: formats.networks,
    otherwise: "none",
    meaning:
      "Networks that are not public and that webhooks and push notifications of users may reach, without TLS too ([webhooks](webhooks.md)).",
  },
});

const certificates = named("Certificates", {
  ACME_EMAIL: {
    format: matching("an address such as me@example.org", isEmailAddress),
    otherwise: "no certificates",
    meaning:
      "Your address, with which the server gets and renews its certificates: for HTTPS on 443 and STARTTLS, proven on port 80.",
  },
  ACME_DIRECTORY: {
    format: httpUrl("the directory of an ACME authority, such as https://ca.example.org/directory", "#"),
    default: "https://acme-v02.api.letsencrypt.org/directory",
    meaning: "Directory of an ACME authority other than Let's Encrypt.",
  },
  HTTP_PORT: {
    format: port,
    default: "80",
    meaning: "Port of the app without TLS, with `ACME_EMAIL`.",
  },
  HTTPS_PORT: {
    format: port,
    default: "443",
    meaning: "Port of the app with TLS, with `ACME_EMAIL`.",
  },
  TLS_CERT: {
    format: path("a PEM file with the certificate chain of the mail server"),
    otherwise: "no TLS",
    meaning: "Certificate that you get elsewhere; with it and `TLS_KEY`, the server offers STARTTLS.",
  },
  TLS_KEY: {
    format: path("a PEM file with the key of TLS_CERT"),
    otherwise: "no TLS",
    meaning: "Key of the certificate in `TLS_CERT`.",
  },
});

const accounts = named("Accounts", {
  SIGN_UP: {
    format: oneOf(["open", "invite", "closed"]),
    otherwise: "`open` on this machine, else `invite`",
    meaning: "Who may create an account: everybody, whoever has an invitation link, or nobody.",
  },
  SIGN_UP_ALLOW: {
    format: formats.addressesAndDomains,
    otherwise: "nobody",
    meaning: "Addresses and domains that may always sign up.",
  },
  OPERATORS: {
    format: formats.addresses,
    otherwise: "the first account",
    meaning: "Addresses of the accounts of those who run this server; they may always sign up.",
  },
  DEFAULT_TIER: {
    format: oneOf(tiers),
    otherwise: "`self_hosted`; `free` where plans are sold",
    meaning: "Tier of every user without a paid plan; `self_hosted` limits nobody.",
  },
});

const signOn = named("Single sign-on", {
  OIDC_ISSUER: {
    format: issuer,
    otherwise: "no single sign-on",
    meaning:
      "Identity provider (OpenID Connect) that users may log in with; set it with the client and its secret, or set none ([single sign-on](single-sign-on.md)).",
  },
  OIDC_CLIENT_ID: {
    format: pattern("the id of the client that you registered there", /^[\x20-\x7e]{1,200}$/),
    otherwise: "no single sign-on",
    meaning: "Client of this server at the provider.",
  },
  OIDC_CLIENT_SECRET: {
    format: pattern("the secret of that client", /^[\x20-\x7e]{1,500}$/),
    otherwise: "no single sign-on",
    meaning: "Secret of the client.",
    isSecret: true,
  },
  OIDC_NAME: {
    format: nameOf(1),
    otherwise: "the provider's host",
    meaning: "Name of the provider on the page: “Continue with …”.",
  },
  OIDC_ALLOW: {
    format: allowedIdentities,
    otherwise: "all users of the provider",
    meaning:
      "Which of the provider's users may log in, by verified address or by claim; they may always sign up.",
  },
  OIDC_ONLY: {
    format: onOrOff,
    otherwise: "`off`",
    meaning: "Whether the provider is the only way to log in: `on` switches off codes by mail and passkeys.",
  },
});

const payment = named("Payment", {
  STRIPE_SECRET_KEY: {
    format: pattern("a secret key (sk_…) or restricted key (rk_…) of Stripe", /^[sr]k_\w+$/),
    otherwise: "no payment",
    meaning:
      "Key of Stripe for paid plans; set all three keys and the prices, or none ([billing](billing.md)).",
    isSecret: true,
  },
  STRIPE_PUBLISHABLE_KEY: {
    format: pattern("a publishable key (pk_…) of Stripe", /^pk_\w+$/),
    otherwise: "no payment",
    meaning: "Key of Stripe for the page.",
    isSecret: true,
  },
  STRIPE_WEBHOOK_SECRET: {
    format: pattern("the signing secret (whsec_…) of the webhook endpoint", /^whsec_[\w+/=]+$/),
    otherwise: "no payment",
    meaning: "Secret that proves what Stripe reports.",
    isSecret: true,
  },
  STRIPE_PRICE_BASIC: {
    format: prices,
    otherwise: "no payment",
    meaning: "Price of the plan Basic.",
    isSecret: true,
  },
  STRIPE_PRICE_PRO: {
    format: prices,
    otherwise: "no payment",
    meaning: "Price of the plan Pro.",
    isSecret: true,
  },
  STRIPE_PRICE_PREMIUM: {
    format: prices,
    otherwise: "no payment",
    meaning: "Price of the plan Premium.",
    isSecret: true,
  },
  STRIPE_API_BASE: {
    format: origin("an origin such as http://127.0.0.1:12111, or nothing for Stripe itself"),
    otherwise: "Stripe",
    meaning: "Origin of a replacement for Stripe's API, for trials.",
  },
});

const services = named("Other services", {
  AI_URL: {
    format: httpUrl(
      "the base of an OpenAI-compatible API, such as http://127.0.0.1:11434/v1",
      "/chat/completions",
    ),
    otherwise: "not used",
    meaning: "Service with a model that classifies the mail of users who agree.",
  },
  AI_MODEL: {
    format: pattern("the name of a model at AI_URL", /^.{0,200}$/),
    otherwise: "not used",
    meaning: "Model to use at `AI_URL`.",
  },
  AI_KEY: {
    format: pattern("the key of AI_URL, without spaces", /^[\x21-\x7e]+$/),
    otherwise: "no key",
    meaning: "Key for the service at `AI_URL`.",
    isSecret: true,
  },
  BREACH_RANGES: {
    format: httpUrl(
      "the address of a source of leaked addresses, such as https://leaks.example.org/range",
      "/",
    ),
    otherwise: "not used",
    meaning:
      "Source of leaked addresses (k-anonymity): `<url>/<5 digits of the SHA-1>` answers lines `REST:COUNT`.",
  },
});

const operation = named("Operation", {
  LOG_LEVEL: {
    format: oneOf(["silent", "fatal", "error", "warn", "info", "debug", "trace"]),
    default: "info",
    meaning: "Least severe entries that the log contains.",
  },
  METRICS_LISTEN: {
    format: formats.listenAddress,
    otherwise: "off",
    meaning:
      "Address and port of a listener for monitors alone: `/metrics`, `/livez` and `/readyz` ([monitoring](monitoring.md)).",
  },
  METRICS_TOKEN: {
    format: pattern(
      `a token of ${tokenLength.least} to ${tokenLength.most} characters without spaces`,
      new RegExp(`^[\\x21-\\x7e]{${tokenLength.least},${tokenLength.most}}$`),
    ),
    otherwise: "`/metrics` for this machine only",
    meaning:
      "Token (`Authorization: Bearer …`) with which other machines may read `/metrics`; with `METRICS_LISTEN`, everybody needs it.",
    isSecret: true,
  },
  SENTRY_DSN: {
    format: formats.sentryDsn,
    otherwise: "off",
    meaning: "Where crash reports of the app go, without addresses or contents.",
  },
  TELEMETRY_ENDPOINT: {
    format: formats.telemetryEndpoint,
    otherwise: "off",
    meaning: "Where traces of the app and the server go (OTLP over HTTP), without addresses or contents.",
  },
  TELEMETRY_PERCENT: {
    format: wholeNumber(1, 100),
    default: "100",
    meaning: "Percent of the server's traces that are sent.",
  },
  DEV_RELOAD_ORIGIN: {
    format: origin("an origin such as http://127.0.0.1:3001"),
    otherwise: "off",
    meaning: "Origin that reloads the page during development; `npm run dev` sets it.",
  },
});

/** Every setting by its variable, in the order in which `npm run settings` describes them. */
export const settingTable = {
  ...app,
  ...data,
  ...domains,
  ...arriving,
  ...leaving,
  ...dns,
  ...webhooks,
  ...certificates,
  ...accounts,
  ...signOn,
  ...payment,
  ...services,
  ...operation,
};
