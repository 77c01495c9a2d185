import type { Reply } from "./reply.ts";

/** The extensions that a server offers. */
export interface Extensions {
  readonly startTls: boolean;
  readonly pipelining: boolean;
  readonly chunking: boolean;
  readonly eightBit: boolean;
  readonly smtpUtf8: boolean;
  readonly size: boolean;
  /** SASL mechanisms in upper case. */
  readonly auth: readonly string[];
}

export const noExtensions: Extensions = {
  startTls: false,
  pipelining: false,
  chunking: false,
  eightBit: false,
  smtpUtf8: false,
  size: false,
  auth: [],
};

/** Reads the answer to EHLO. */
export const parseExtensions = ({ lines }: Reply): Extensions => {
  const offered = new Map(
    lines.slice(1).map((line): [string, readonly string[]] => {
      const [name = "", ...parameters] = line.trim().toUpperCase().split(/[ =]+/);
      return [name, parameters];
    }),
  );
  return {
    startTls: offered.has("STARTTLS"),
    pipelining: offered.has("PIPELINING"),
    chunking: offered.has("CHUNKING"),
    eightBit: offered.has("8BITMIME"),
    smtpUtf8: offered.has("SMTPUTF8"),
    size: offered.has("SIZE"),
    auth: offered.get("AUTH") ?? [],
  };
};
