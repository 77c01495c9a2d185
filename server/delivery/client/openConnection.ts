import { connect, isIP } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { Channel } from "./channel.ts";
import { ClientConnection } from "./clientConnection.ts";
import { ClientError, greetingError, noStartTls } from "./clientError.ts";
import { logIn, type SmtpCredentials } from "./clientLogin.ts";
import type { ClientTimeouts } from "./clientTimeouts.ts";
import { type Extensions, noExtensions, parseExtensions } from "./extensions.ts";

/** The address of a server, the protection of connections to it, and the login there. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  /** `always`: with the connection; `required` and `offered`: with STARTTLS. */
  readonly tls: "always" | "required" | "offered" | "never";
  /** True if the certificate must be valid for the name of the server. */
  readonly isVerified: boolean;
  /** Null sends no password; it is only sent over TLS, or to this host. */
  readonly credentials: SmtpCredentials | null;
  /** The name for EHLO. */
  readonly ownName: string;
  readonly timeouts: ClientTimeouts;
  /** The name of the server when `host` is its IP address. */
  readonly name?: string;
  /** The address to connect from; without it the system chooses. */
  readonly localAddress?: string;
  /** Called when STARTTLS is done, or (null) the server does without; may throw a `ClientError`. */
  readonly onProtected?: (socket: TLSSocket | null) => void;
  /** Called when a connection cannot be opened. */
  readonly onFailed?: (error: ClientError) => void;
}

const tlsOptions = ({ host, name = host, isVerified }: ServerAddress) => ({
  rejectUnauthorized: isVerified,
  host: name,
  ...(isIP(name) === 0 && { servername: name }),
});

const connectTo = (server: ServerAddress): Channel => {
  const { host, port, tls, localAddress } = server;
  const to = { host, port, ...(localAddress === undefined ? {} : { localAddress }) };
  const socket = tls === "always" ? connectTls({ ...tlsOptions(server), ...to }) : connect(to);
  socket.setNoDelay(true);
  return new Channel(socket);
};

const hello = async (channel: Channel, { ownName: name, timeouts }: ServerAddress): Promise<Extensions> => {
  const { commandMs } = timeouts;
  const extended = await channel.ask(`EHLO ${name}\r\n`, commandMs);
  if (extended.code === 250) return parseExtensions(extended);
  const plain = extended.code >= 500 ? await channel.ask(`HELO ${name}\r\n`, commandMs) : extended;
  if (plain.code !== 250) throw new ClientError("EPROTOCOL", `the server refuses EHLO: ${plain.text}`);
  return noExtensions;
};

/** Starts TLS; returns null when the server does without. */
const secure = async (
  channel: Channel,
  server: ServerAddress,
  offered: Extensions,
): Promise<TLSSocket | null> => {
  const isRequired = server.tls === "required";
  if (!offered.startTls) {
    if (isRequired) throw new ClientError("ETLS", "the server does not offer STARTTLS", noStartTls);
    return null;
  }
  const reply = await channel.ask("STARTTLS\r\n", server.timeouts.commandMs);
  if (reply.code !== 220) {
    if (isRequired) throw new ClientError("ETLS", `the server refuses STARTTLS: ${reply.text}`, noStartTls);
    return null;
  }
  return channel.secure(tlsOptions(server), server.timeouts.connectMs);
};

const isSecured = async (channel: Channel, server: ServerAddress, offered: Extensions): Promise<boolean> => {
  const socket = await secure(channel, server, offered);
  server.onProtected?.(socket);
  return socket !== null;
};

const begin = async (channel: Channel, server: ServerAddress): Promise<ClientConnection> => {
  const { connectMs, greetingMs } = server.timeouts;
  const greeting = await channel.expect(connectMs + greetingMs);
  if (greeting.code !== 220) throw greetingError(greeting);
  const offered = await hello(channel, server);
  const usesStartTls = server.tls === "required" || server.tls === "offered";
  const isInTls = usesStartTls && (await isSecured(channel, server, offered));
  const inTls = isInTls ? await hello(channel, server) : offered;
  if (server.credentials) await logIn(channel, server.credentials, inTls, server.timeouts.commandMs);
  return new ClientConnection(channel, inTls, server.timeouts);
};

/** A connection that is being opened. */
export interface OpeningConnection {
  /** Rejects with a `ClientError`. */
  readonly opened: Promise<ClientConnection>;
  readonly abort: (error: ClientError) => void;
}

/** Opens a connection until it is ready for mail. */
export const openConnection = (server: ServerAddress): OpeningConnection => {
  const channel = connectTo(server);
  const opened = begin(channel, server).catch((error: unknown) => {
    const failure = error instanceof ClientError ? error : new ClientError("EPROTOCOL", String(error));
    channel.fail(failure);
    server.onFailed?.(failure);
    throw failure;
  });
  return { opened, abort: (error) => channel.fail(error) };
};
