import { type Either, left, right } from "fp-ts/lib/Either.js";

/** An address of the web, as the environment's `URL` reads it. */
export interface ParsedAddress {
  readonly protocol: string;
  readonly hostname: string;
  readonly username: string;
  readonly search: string;
  readonly hash: string;
  readonly href: string;
}

/** Reads an address of the web; null for other text. */
export type ParseAddress = (text: string) => ParsedAddress | null;

/** True if codes and tokens may be sent to an address: encrypted, or to this machine, where they pass no network. */
export const isPrivateConnection = ({ protocol, hostname }: ParsedAddress): boolean =>
  protocol === "https:" || /^(?:(?:[^.]+\.)*localhost|127(?:\.\d+){3}|\[::1\])\.?$/i.test(hostname);

/** A protocol that is none of the two, or is mistyped. */
const otherProtocol = /^(?!https?:\/\/)(?:[a-z][-+.\da-z]*:?\/\/|https?[:/])/i;

/** Names the protocol of an address that is typed without one: a server speaks plain http on its own machine. */
const withProtocol = (typed: string, parse: ParseAddress): string => {
  if (/^https?:\/\//i.test(typed)) return typed;
  const plain = parse(`http://${typed}`);
  return plain !== null && isPrivateConnection(plain) ? `http://${typed}` : `https://${typed}`;
};

/** Returns the sentence that says why an address is refused. */
const invalidAddress = (typed: string): string =>
  `"${typed}" is not the address of a server. Write it as in https://mail.example.org.`;

/**
 * Returns the address of a server as a shell uses it: with a protocol, and without a slash at its end. Left is the sentence for
 * the user, also for plain http to another machine, where anybody on the way would read codes and tokens.
 */
export const readServerAddress = (typed: string, parse: ParseAddress): Either<string, string> => {
  const url = otherProtocol.test(typed.trim()) ? null : parse(withProtocol(typed.trim(), parse));
  if (url === null || url.hostname === "" || url.username !== "" || url.search !== "" || url.hash !== "")
    return left(invalidAddress(typed));
  if (!isPrivateConnection(url))
    return left(
      `"${typed}" is not encrypted, and your code or token would be readable on the way. Write https://, or log in on the machine of the server.`,
    );
  return right(url.href.replace(/\/+$/, ""));
};
