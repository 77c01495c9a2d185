import * as t from "io-ts";

/** The number of days for which reports of receivers are kept. */
export const reportDays = 60;
/** The days of which the figures are. */
export const reportFigureDays = 14;

const Verdict = t.union([t.literal("pass"), t.literal("fail")]);

/** Mails in the name of a domain of ours that failed DMARC, by receiver and sending address. */
const FailedMails = t.type({
  /** The name that the receiver gives itself. */
  reporter: t.string,
  /** True if the mail that brought the report passed DMARC itself. */
  isProven: t.boolean,
  domain: t.string,
  /** The address that sent the mails; empty where a long report was shortened. */
  sourceIp: t.string,
  /** True if that is an address of this machine. */
  isOwn: t.boolean,
  disposition: t.union([t.literal("none"), t.literal("quarantine"), t.literal("reject")]),
  dkim: Verdict,
  spf: Verdict,
  count: t.number,
});
export type FailedMails = Readonly<t.TypeOf<typeof FailedMails>>;

/** Connections to a domain of ours that could not be protected by TLS, by sender and result. */
const FailedTls = t.type({
  reporter: t.string,
  isProven: t.boolean,
  domain: t.string,
  /** A result of RFC 8460, 4.3. */
  result: t.string,
  count: t.number,
});
export type FailedTls = Readonly<t.TypeOf<typeof FailedTls>>;

/** The reports of receivers in the last 14 days. */
export const ReceiverReports = t.type({
  dmarc: t.type({
    reports: t.number,
    mails: t.number,
    passed: t.number,
    /** Those of this machine first, then by their number. */
    failed: t.readonlyArray(FailedMails),
  }),
  tls: t.type({
    reports: t.number,
    connections: t.number,
    failed: t.number,
    failures: t.readonlyArray(FailedTls),
  }),
});
export type ReceiverReports = Readonly<t.TypeOf<typeof ReceiverReports>>;

/** Returns what failed mails mean, and what to do, in two sentences. */
export const explainFailedMails = ({ isOwn, dkim, spf, disposition }: FailedMails): string => {
  const what = {
    none: "took the mail all the same",
    quarantine: "put the mail into spam",
    reject: "refused the mail",
  }[disposition];
  if (isOwn)
    return `The receiver ${what}, although this server sent it: neither DKIM nor SPF passed for the domain in From. Run \`bauta doctor\` and create the records of DKIM and SPF that it names.`;
  return dkim === "fail" && spf === "fail"
    ? `Another server sent it in the name of your domain, and the receiver ${what}. If you do not know the address, the mail is forged and there is nothing to do; if it is yours, let it send through this server.`
    : `The receiver ${what}.`;
};

const tlsTexts: Readonly<Record<string, string>> = {
  "starttls-not-supported":
    "The sender was offered no TLS: something between it and this server may remove STARTTLS.",
  "certificate-host-mismatch":
    "The certificate of this server has another name: check PUBLIC_URL, MASK_DOMAIN and the certificate.",
  "certificate-expired": "The certificate of this server had expired: check why it was not renewed.",
  "certificate-not-trusted":
    "The sender does not trust the certificate of this server: use one of a public authority.",
  "sts-policy-fetch-error": "The sender could not read the MTA-STS policy: run `bauta doctor`.",
  "sts-policy-invalid": "The MTA-STS policy that the sender read is not valid: run `bauta doctor`.",
  "sts-webpki-invalid": "The certificate of the name mta-sts is not valid: run `bauta doctor`.",
  "tlsa-invalid": "The TLSA records do not match the certificate: renew them, or take them off.",
  "dnssec-invalid": "The DNSSEC records of the domain are not valid: ask who keeps its zone.",
};

/** Returns what a failure of TLS means, and what to do. */
export const explainFailedTls = ({ result }: Pick<FailedTls, "result">): string =>
  (Object.hasOwn(tlsTexts, result) ? tlsTexts[result] : undefined) ??
  "The connection could not be protected for another reason: look at the certificate with `bauta doctor`.";
