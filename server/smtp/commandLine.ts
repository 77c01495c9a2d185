/** A parameter of MAIL or RCPT; its value is null when there is no "=". */
export type Parameters = ReadonlyMap<string, string | null>;

/** The argument of MAIL or RCPT: an address without brackets, and parameters by their names in upper case. */
export interface PathArgument {
  readonly address: string;
  /** Null when they are malformed. */
  readonly parameters: Parameters | null;
}

/** A command with its verb in upper case; the argument follows the first space and is trimmed. */
export interface Command {
  readonly verb: string;
  readonly argument: string;
}

const highByte = /[\x80-\xff]/;

/** Decodes a command line, which is UTF-8 (RFC 6531). */
export const readLine = (bytes: Buffer, start: number, end: number): string => {
  const text = bytes.toString("latin1", start, end);
  return highByte.test(text) ? bytes.toString("utf8", start, end) : text;
};

/** Separates the verb of a command line from its argument. */
export const parseCommand = (line: string): Command => {
  const space = line.indexOf(" ");
  if (space < 0) return { verb: line.toUpperCase(), argument: "" };
  return { verb: line.slice(0, space).toUpperCase(), argument: line.slice(space + 1).trim() };
};

/** Control and invisible characters and U+FFFD, which must not be shown, logged, or sent on. */
const unsafe = /[\x00-\x1f\x7f-\x9f\u200b\u2028\u2029\u2060\ufeff\ufffd]/;

/** Octets of a path, more than RFC 5321, 4.5.3.1 requires, because some senders encode recipients in theirs. */
const maxPathLength = 512;

const quotedPath = /^<(?:@[^\s<>:]+:)?("(?:[^"\\<>]|\\[^<>])*"@[^\s<>@]+)>/;
const plainPath = /^<(?:@[^\s<>:]+:)?([^\s<>@]+@[^\s<>@]+|[^\s<>@]*)>/;
const pathWithoutBrackets = /^([^\s<>@"]+(?:@[^\s<>@"]+)?)(?![^\s])/;

const parseParameters = (text: string): Parameters | null => {
  const parameters = new Map<string, string | null>();
  for (const part of text.split(/\s+/)) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = (equals < 0 ? part : part.slice(0, equals)).toUpperCase();
    const value = equals < 0 ? null : part.slice(equals + 1);
    if (!/^[A-Z0-9][A-Z0-9-]*$/.test(name) || value === "" || parameters.has(name)) return null;
    parameters.set(name, value);
  }
  return parameters;
};

const noParameters: Parameters = new Map();

/**
 * Parses the argument of MAIL ("FROM") or RCPT ("TO"); null when it is malformed. Addresses need not follow the
 * whole grammar of RFC 5321, which some senders violate ("user.@", "a..b@", no brackets). A source route is dropped.
 */
export const parsePath = (keyword: "FROM" | "TO", argument: string): PathArgument | null => {
  const colon = argument.indexOf(":");
  if (colon < 0 || argument.slice(0, colon).trimEnd().toUpperCase() !== keyword || unsafe.test(argument))
    return null;
  const text = argument.slice(colon + 1).trimStart();
  const path = plainPath.exec(text) ?? quotedPath.exec(text) ?? pathWithoutBrackets.exec(text);
  if (!path || path[0].length > maxPathLength) return null;
  const address = path[1] ?? "";
  const rest = text.slice(path[0].length);
  if (rest === "") return { address, parameters: noParameters };
  return rest.startsWith(" ") ? { address, parameters: parseParameters(rest) } : null;
};
