import type { MxRoute } from "./mxRoute.ts";

/** A large provider, whose domains count as one because the same servers take their mail. */
export interface Provider {
  readonly id: string;
  /** As people know it. */
  readonly name: string;
  /** Its mail servers are these names or below them. */
  readonly servers: readonly string[];
}

const providers: readonly Provider[] = [
  { id: "google", name: "Gmail and Google Workspace", servers: ["google.com", "googlemail.com"] },
  {
    id: "microsoft",
    name: "Outlook and Microsoft 365",
    servers: ["protection.outlook.com", "mx.microsoft"],
  },
  { id: "yahoo", name: "Yahoo and AOL", servers: ["yahoodns.net"] },
  { id: "icloud", name: "iCloud", servers: ["mail.icloud.com"] },
  { id: "gmx", name: "GMX, WEB.DE and mail.com", servers: ["gmx.net", "web.de", "mx.mail.com"] },
  { id: "ionos", name: "IONOS", servers: ["kundenserver.de", "ionos.com", "ionos.de"] },
  { id: "telekom", name: "T-Online", servers: ["t-online.de"] },
  { id: "comcast", name: "Comcast", servers: ["comcast.net"] },
  { id: "orange", name: "Orange", servers: ["orange.fr"] },
  { id: "libero", name: "Libero", servers: ["libero.it"] },
  { id: "proofpoint", name: "Proofpoint", servers: ["pphosted.com", "ppe-hosted.com"] },
  { id: "mimecast", name: "Mimecast", servers: ["mimecast.com"] },
  { id: "zoho", name: "Zoho", servers: ["zoho.com", "zoho.eu", "zoho.in"] },
  { id: "fastmail", name: "Fastmail", servers: ["messagingengine.com"] },
  { id: "proton", name: "Proton", servers: ["protonmail.ch"] },
  { id: "yandex", name: "Yandex", servers: ["yandex.net", "yandex.ru"] },
  { id: "mailru", name: "Mail.ru", servers: ["mail.ru"] },
  { id: "qq", name: "QQ", servers: ["qq.com"] },
  { id: "netease", name: "NetEase", servers: ["netease.com"] },
];

const bySuffix = new Map(
  providers.flatMap((provider) => provider.servers.map((suffix) => [suffix, provider] as const)),
);
const byId = new Map(providers.map((provider) => [provider.id, provider]));

/** Returns the provider that a mail server belongs to; null for all others. */
export const providerOfServer = (name: string): Provider | null => {
  const labels = name.toLowerCase().split(".");
  for (let first = 0; first < labels.length - 1; first += 1) {
    const found = bySuffix.get(labels.slice(first).join("."));
    if (found) return found;
  }
  return null;
};

/** Returns the provider that takes mail of a route, by the server that is tried first; null for all others. */
export const providerOf = ({ servers: [first] }: MxRoute): Provider | null =>
  first ? providerOfServer(first.name) : null;

/** Returns the name of a provider as people know it. */
export const providerName = (id: string): string => byId.get(id)?.name ?? id;
