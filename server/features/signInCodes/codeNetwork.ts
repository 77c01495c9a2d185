/** The network of a client that asks for codes or tries them. */
export interface CodeNetwork {
  /** The /24 of an IPv4 address, or the /56 of an IPv6 address, which one site may have (RFC 6177). */
  readonly name: string;
  /** True for this machine, without a proxy. */
  readonly isLocal: boolean;
}
