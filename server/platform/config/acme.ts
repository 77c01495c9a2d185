import { isEmailAddress } from "../../../core/mail/emailAddress.ts";
import { httpUrl, matching, port, type Read, SettingError } from "./settings.ts";

/** The certificate authority for the names of this server, and the ports it validates them on. */
export interface AcmeConfig {
  readonly email: string;
  readonly directoryUrl: string;
  readonly httpPort: number;
  readonly httpsPort: number;
}

const letsEncrypt = "https://acme-v02.api.letsencrypt.org/directory";

/** Reads the settings of certificates that the server gets by itself; null without ACME_EMAIL. */
export const readAcme = (read: Read, publicUrl: string): AcmeConfig | null => {
  const email = read("ACME_EMAIL", matching("an e-mail address", isEmailAddress));
  const directory = httpUrl(
    "the directory of an ACME authority, such as https://ca.example.org/directory",
    "#",
  );
  const directoryUrl = read("ACME_DIRECTORY", directory) ?? letsEncrypt;
  const [httpPort, httpsPort] = [read("HTTP_PORT", port) ?? 80, read("HTTPS_PORT", port) ?? 443];
  if (email === null) return null;
  if (!publicUrl.startsWith("https:"))
    throw new SettingError(
      `PUBLIC_URL is ${JSON.stringify(publicUrl)}; expected an https origin, because ACME_EMAIL is set.`,
    );
  return { email, directoryUrl, httpPort, httpsPort };
};
