/** The mail server that outgoing mail is sent to. */
export interface NextHop {
  readonly host: string;
  readonly port: number;
  /** Whether TLS starts with the connection; otherwise STARTTLS is used when offered. */
  readonly secure: boolean;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
}

const ports: Readonly<Record<string, { readonly port: number; readonly secure: boolean }>> = {
  "smtp:": { port: 25, secure: false },
  "smtps:": { port: 465, secure: true },
};

/**
 * Parses `smtp://` or `smtps://user:pass@host:port`; user and password are percent-encoded. Returns undefined
 * for invalid text.
 */
export const readNextHop = (text: string): NextHop | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const scheme = url && ports[url.protocol];
  if (!scheme || !url.hostname || (url.pathname !== "" && url.pathname !== "/")) return undefined;
  if (url.port === "0") return undefined;
  if (url.username !== "" && url.password === "") return undefined;
  try {
    return {
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port === "" ? scheme.port : Number(url.port),
      secure: scheme.secure,
      user: decodeURIComponent(url.username) || undefined,
      password: decodeURIComponent(url.password) || undefined,
    };
  } catch {
    return undefined;
  }
};
