import type { Read } from "./settingReaders.ts";
import { SettingError } from "./settings.ts";
import { settingTable as settings } from "./settingTable.ts";

/** The certificate authority for the names of this server, and the ports it validates them on. */
export interface AcmeConfig {
  readonly email: string;
  readonly directoryUrl: string;
  readonly httpPort: number;
  readonly httpsPort: number;
}

/** Reads the settings of certificates that the server gets by itself; null without ACME_EMAIL. */
export const readAcme = (read: Read, publicUrl: string): AcmeConfig | null => {
  const email = read(settings.ACME_EMAIL);
  const directoryUrl = read(settings.ACME_DIRECTORY);
  const httpPort = read(settings.HTTP_PORT);
  const httpsPort = read(settings.HTTPS_PORT);
  if (email === null) return null;
  if (!publicUrl.startsWith("https:"))
    throw new SettingError(
      `PUBLIC_URL is ${JSON.stringify(publicUrl)}; expected an https origin, because ACME_EMAIL is set.`,
    );
  return { email, directoryUrl, httpPort, httpsPort };
};
