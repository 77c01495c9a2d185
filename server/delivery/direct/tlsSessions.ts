import { type ClientError, noStartTls } from "../client/clientError.ts";

/** The origin of the rule for a connection. */
export type TlsPolicyKind = "none" | "sts" | "dane";

/** The results of RFC 8460, 4.3 that are told apart. */
export type TlsResult =
  | "success"
  | "starttls-not-supported"
  | "certificate-host-mismatch"
  | "certificate-expired"
  | "certificate-not-trusted"
  | "validation-failure"
  | "sts-policy-fetch-error"
  | "sts-policy-invalid";

/** The result of one connection, or of the search for its rule. */
export interface TlsSession {
  readonly policy: TlsPolicyKind;
  readonly result: TlsResult;
}

/** The protection of the connection for a mail to a domain. */
export interface TlsAttempt extends TlsSession {
  /** The name of the mail server; empty when none was reached. */
  readonly server: string;
}

const expired = new Set(["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"]);
const untrusted = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_|UNABLE_TO_|CERT_UNTRUSTED|INVALID_CA)/;

/** Returns the result for the code of OpenSSL or Node. */
export const tlsResultOf = (reason: string): TlsResult => {
  if (reason === noStartTls) return "starttls-not-supported";
  if (reason === "ERR_TLS_CERT_ALTNAME_INVALID") return "certificate-host-mismatch";
  if (expired.has(reason)) return "certificate-expired";
  return untrusted.test(reason) ? "certificate-not-trusted" : "validation-failure";
};

/** Returns the result of a connection that could not be protected; null when it failed for another reason. */
export const failedTlsResult = ({ code, reason }: ClientError): TlsResult | null =>
  code === "ETLS" ? tlsResultOf(reason) : null;

/** Counts of connections by rule and result since the start. */
export interface TlsSessionCounts {
  readonly add: (session: TlsSession) => void;
  readonly read: () => readonly (TlsSession & { readonly count: number })[];
}

export const createTlsSessionCounts = (): TlsSessionCounts => {
  const counts = new Map<string, TlsSession & { count: number }>();
  return {
    add: ({ policy, result }) => {
      const key = `${policy} ${result}`;
      const known = counts.get(key);
      if (known) known.count += 1;
      else counts.set(key, { policy, result, count: 1 });
    },
    read: () => [...counts.values()],
  };
};
