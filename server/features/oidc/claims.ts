import { isAtDomain, toDomainName } from "../../../core/mail/domainName.ts";
import { type EmailAddress, isEmailAddress } from "../../../core/mail/emailAddress.ts";
import { isSameMailbox } from "../../../core/mail/mailboxName.ts";
import type { AllowedIdentity } from "../../platform/config/allowedIdentities.ts";

export type Claims = Readonly<Record<string, unknown>>;

/** The identity of a user at the provider, as far as the server uses it. */
export interface ProvenIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** The id of the session at the provider, where it names one. */
  readonly sid: string | null;
  /** The address of which the provider says that it has verified it; null without one. */
  readonly email: EmailAddress | null;
  /** True if the provider says that it has asked for a second factor. */
  readonly isMultiFactor: boolean;
  readonly claims: Claims;
}

/** Returns the address that claims prove. */
export const verifiedEmail = ({ email, email_verified }: Claims): EmailAddress | null =>
  email_verified === true && typeof email === "string" && isEmailAddress(email) ? email : null;

/** Values of `acr` that mean a second factor: OpenID EAP ACR Values 1.0, and the multi-factor policy of PAPE. */
const multiFactorClasses: readonly unknown[] = [
  "phr",
  "phrh",
  "http://schemas.openid.net/pape/policies/2007/06/multi-factor",
];

/** True if a token says that its user has proven two factors (RFC 8176, "mfa"). */
export const saysMultiFactor = ({ amr, acr }: Claims): boolean =>
  (Array.isArray(amr) && amr.includes("mfa")) || multiFactorClasses.includes(acr);

/** Finds a claim by its name, or by a path such as realm_access.roles. */
export const claimAt = (claims: Claims, name: string): unknown => {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split(".")
    .reduce<unknown>(
      (value, key) =>
        typeof value === "object" && value !== null && Object.hasOwn(value, key)
          ? (value as Claims)[key]
          : undefined,
      claims,
    );
};

const hasValue = (claim: unknown, value: string): boolean =>
  Array.isArray(claim) ? claim.includes(value) : String(claim) === value && claim !== undefined;

/** True if one of the entries of OIDC_ALLOW names the identity. */
export const isNamed = (
  allowed: readonly AllowedIdentity[],
  { email, claims }: Pick<ProvenIdentity, "email" | "claims">,
): boolean => {
  return allowed.some((entry) => {
    if (entry.kind === "claim") return hasValue(claimAt(claims, entry.claim), entry.value);
    if (email === null) return false;
    if (entry.kind === "mailbox") return isSameMailbox(entry.value, email);
    const name = toDomainName(entry.value);
    return name !== null && isAtDomain(email, name);
  });
};
