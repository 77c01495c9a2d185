import type { AllowedIdentity } from "./allowedIdentities.ts";
import type { createSettingReaders } from "./settingReaders.ts";
import { settingTable as settings } from "./settingTable.ts";

/** The identity provider of single sign-on. */
export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The name that the page has for it. */
  readonly name: string;
  /** Empty takes all users of the provider. */
  readonly allowed: readonly AllowedIdentity[];
  /** True if codes by email are switched off. */
  readonly only: boolean;
}

/** Reads single sign-on; null where it is not set up. */
export const readOidc = ({ read, readGroup }: ReturnType<typeof createSettingReaders>): OidcConfig | null => {
  const { OIDC_NAME, OIDC_ALLOW, OIDC_ONLY } = settings;
  const client = readGroup(
    "single sign-on",
    {
      issuer: settings.OIDC_ISSUER,
      clientId: settings.OIDC_CLIENT_ID,
      clientSecret: settings.OIDC_CLIENT_SECRET,
    },
    [OIDC_NAME, OIDC_ALLOW, OIDC_ONLY],
  );
  if (client === null) return null;
  return {
    ...client,
    name: read(OIDC_NAME) ?? new URL(client.issuer).hostname,
    allowed: read(OIDC_ALLOW) ?? [],
    only: read(OIDC_ONLY) === "on",
  };
};
