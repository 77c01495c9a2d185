/** A record of DANE (RFC 6698) in the form that is compared. */
export interface TlsaRecord {
  /** 2: an issuer of the certificate; 3: the certificate of the server itself. */
  readonly usage: number;
  /** 0: the whole certificate; 1: its public key. */
  readonly selector: number;
  /** 0: the bytes; 1: their SHA-256; 2: their SHA-512. */
  readonly matching: number;
  /** Hexadecimal. */
  readonly data: string;
}

/**
 * The protection of a connection to a mail server: `opportunistic` takes TLS with any certificate where offered, and clear text;
 * `policy` follows the domain's policy (MTA-STS, RFC 8461), in its mode "testing" without consequences; `dane` takes TLS only,
 * with a certificate that matches a record if there is one (RFC 7672).
 */
export type TlsRule =
  | { readonly kind: "opportunistic" }
  | { readonly kind: "policy"; readonly isEnforced: boolean }
  | {
      readonly kind: "dane";
      readonly records: readonly TlsaRecord[];
      /** Names that the certificate of an issuer may be for; first that of the records, which the server is asked for. */
      readonly names: readonly [string, ...string[]];
    };

/** A mail server of a domain. */
export interface MailServer {
  readonly name: string;
  /** IP addresses in the order to be tried. */
  readonly addresses: readonly string[];
  readonly port: number;
  readonly tls: TlsRule;
}

/** The mail servers of a domain, in the order to be tried. */
export interface MxRoute {
  readonly servers: readonly MailServer[];
}
