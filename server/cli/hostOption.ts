import { type Invocation, UsageError } from "./command.ts";

const maxPort = 65_535;

/** Returns host and port of an option's value, or the usual ones; throws a `UsageError` for another value. */
export const hostAndPort = (
  option: string,
  { text }: Pick<Invocation, "text">,
  usual: { readonly host: string; readonly port: number },
): { readonly host: string; readonly port: number } => {
  const value = text(option);
  if (value === undefined) return usual;
  const [, host = value, given = usual.port] = /^(.*):(\d+)$/.exec(value) ?? [];
  const port = Number(given);
  if (host === "" || /\s/.test(host) || port < 1 || port > maxPort)
    throw new UsageError(
      `--${option}: "${value}" is no host, or host and port, such as mail.example.org:25.`,
    );
  return { host, port };
};

export const mailServerOption = {
  "mail-server": { type: "string", value: "host", help: "mail server to try port 25 with" },
} as const;
