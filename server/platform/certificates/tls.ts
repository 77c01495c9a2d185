import { X509Certificate } from "node:crypto";
import type { Server } from "node:http";
import { join } from "node:path";
import { createSecureContext, type SecureContext } from "node:tls";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Config } from "../config/config.ts";
import { readCertificate, startListening } from "../config/configuredResources.ts";
import { createIsInNetworks } from "../dns/networkRanges.ts";
import type { Part } from "../ops/lifecycle.ts";
import type { Log } from "../ops/log.ts";
import { type Certificates, createCertificates } from "./certificates.ts";
import { createWebListeners } from "./webListeners.ts";

/** The certificates of the server, and the listeners that need them. */
export interface Tls {
  /** Returns the current certificate; null without one. */
  readonly secureContext: () => SecureContext | null;
  /** Returns when the certificate of new connections ends, in milliseconds since 1970; null without one. */
  readonly validUntil: () => number | null;
  /** Returns the HTTP and HTTPS listeners; none without certificates of our own. */
  readonly parts: (app: Server) => readonly Part[];
}

/** Creates the certificates: from an ACME authority, from the files of TLS_CERT and TLS_KEY, or none. */
export const createTls = async (
  config: Pick<Config, "acme" | "tls" | "maskDomain" | "publicUrl" | "dataDir" | "trustedProxies">,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<Tls> => {
  const { acme, maskDomain, publicUrl, dataDir, trustedProxies } = config;
  const isProxy = createIsInNetworks(trustedProxies);
  const files = await readCertificate(config.tls);
  const ofFiles = files && createSecureContext({ ...files });
  const endOfFiles = files && Date.parse(new X509Certificate(files.cert).validTo);
  if (acme === null) return { secureContext: () => ofFiles, validUntil: () => endOfFiles, parts: () => [] };

  const certificates: Certificates = createCertificates({
    directoryUrl: acme.directoryUrl,
    email: acme.email,
    names: [...new Set([new URL(publicUrl).hostname, maskDomain])],
    optionalNames: [`mta-sts.${maskDomain}`],
    folder: join(dataDir, "tls"),
    clock,
    log,
  });
  return {
    secureContext: () => ofFiles ?? certificates.secureContext(),
    validUntil: () => endOfFiles ?? certificates.validUntil(),
    parts: (app) => {
      const { httpPort, httpsPort } = acme;
      const listeners = createWebListeners({
        certificates,
        app,
        publicUrl,
        isProxy,
        httpPort,
        httpsPort,
        log,
      });
      const at = (portVariable: string, port: number) => ({
        portVariable,
        port,
        hostVariable: "HOST",
        host: "all addresses",
      });
      let stopOrders = (): void => {};
      return [
        {
          name: "web",
          start: async () => {
            await startListening(at("HTTP_PORT", httpPort), listeners.startHttp);
            await startListening(at("HTTPS_PORT", httpsPort), listeners.startHttps);
          },
          stop: listeners.stop,
        },
        {
          name: "certificates",
          start: () => {
            stopOrders = certificates.start();
          },
          stop: () => stopOrders(),
        },
      ];
    },
  };
};
