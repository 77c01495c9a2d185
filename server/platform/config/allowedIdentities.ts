import { isEmailAddress, mailboxKey } from "../../../core/mail/emailAddress.ts";
import { isLoopbackHost } from "./loopbackOrigin.ts";
import { type Format, listOf } from "./settings.ts";

/** The users of a provider whom the server takes. */
export type AllowedIdentity =
  | { readonly kind: "mailbox" | "domain"; readonly value: string }
  | { readonly kind: "claim"; readonly claim: string; readonly value: string };

const parseAllowed = (text: string): AllowedIdentity | undefined => {
  const [, claim, value] = /^([^=\s@]{1,100})=(\S.{0,199})$/.exec(text) ?? [];
  if (claim !== undefined && value !== undefined) return { kind: "claim", claim, value };
  if (isEmailAddress(text)) return { kind: "mailbox", value: mailboxKey(text) };
  const domain = text.replace(/^@/, "");
  return isEmailAddress(`x@${domain}`) ? { kind: "domain", value: domain.toLowerCase() } : undefined;
};

const allowedEntry: Format<string> = {
  expected:
    "addresses, domains and claims such as me@example.org,example.com,groups=bauta, separated by commas",
  parse: (text) => (parseAllowed(text) ? text : undefined),
};

/** Entries of OIDC_ALLOW. */
export const allowedIdentities: Format<readonly AllowedIdentity[]> = {
  expected: allowedEntry.expected,
  parse: (text) =>
    listOf(allowedEntry)
      .parse(text)
      ?.flatMap((entry) => parseAllowed(entry) ?? []),
};

/** The issuer as the provider writes it; without TLS only on this machine, for trials. */
export const issuer: Format<string> = {
  expected:
    "the issuer of the provider, such as https://id.example.org/realms/home, without /.well-known/openid-configuration",
  parse: (text) => {
    if (!URL.canParse(text) || /[?#]|\/\.well-known\//.test(text)) return undefined;
    const { protocol, host, username } = new URL(text);
    const isSafe = protocol === "https:" || (protocol === "http:" && isLoopbackHost(host));
    return isSafe && username === "" ? text : undefined;
  },
};
