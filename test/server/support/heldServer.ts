import { createNextHopTransport } from "../../../server/delivery/nextHopTransport.ts";
import type { Secrets } from "../../../server/platform/ops/secrets.ts";
import type { Database } from "../../../server/platform/store/database.ts";
import { createVirtualClock } from "../../fakes/virtualClock.ts";
import { named } from "../../support/domainNames.ts";
import { keyRecord } from "../relay/encrypt/signedMail.ts";
import type { Client } from "./client.ts";
import { type DnsStub, startDnsStub, type Zone } from "./dnsStub.ts";
import { type ListenerOptions, type RunningListener, startListener } from "./listener.ts";
import { giveUpWith, type RunningDelivery, startDelivery } from "./runningDelivery.ts";
import { newSecrets } from "./serverContext.ts";
import { type Sink, startSink } from "./sink.ts";
import { type ServerOptions, startServer, type TestServer } from "./startServer.ts";
import type { TestStore } from "./stores.ts";

const maskDomain = named("masks.test");

const zone: Zone = {
  "shop.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
  "home.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
  "elsewhere.example": { TXT: ["v=spf1 -all"] },
  "news.example": { TXT: ["v=spf1 -all"] },
  "_dmarc.news.example": { TXT: ["v=DMARC1; p=quarantine"] },
  "bank.example": { TXT: ["v=spf1 -all"] },
  "_dmarc.bank.example": { TXT: ["v=DMARC1; p=reject"] },
  "mail._domainkey.signed.example": { TXT: [keyRecord] },
};

/** The product between a stranger and the next hop: DNS, SMTP, delivery and HTTP on one database. */
export interface HeldServer {
  readonly server: TestServer;
  readonly relay: RunningListener;
  readonly delivery: RunningDelivery;
  readonly sink: Sink;
  readonly secrets: Secrets;
  /** The owner at home.example, signed in, and their mask. */
  readonly ada: Client;
  readonly mask: { readonly id: string; readonly maskEmail: string };
  /** Sends a mail to the mask from outside and returns the reply. */
  readonly send: (sender: string, content: string | Uint8Array, to?: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

export const adaEmail = "ada@home.example";

export const startHeldServer = async (
  store: TestStore,
  options: Partial<ListenerOptions> = {},
  optionsOf: (database: Database) => Partial<ListenerOptions> = () => ({}),
  ofServer: ServerOptions = {},
): Promise<HeldServer> => {
  const secrets = newSecrets();
  const server = await startServer({
    store,
    secrets,
    ...ofServer,
  });
  const dns: DnsStub = await startDnsStub(zone);
  const sink = await startSink();
  const clock = { ...createVirtualClock(), now: () => server.clock.now() };
  const relay = await startListener(server.database, clock, {
    maskDomain,
    dnsServer: dns.address,
    trustedNetworks: [],
    secrets,
    ...options,
    ...optionsOf(server.database),
  });
  const hop = { host: "127.0.0.1", port: sink.port, secure: false };
  const delivery = startDelivery(
    server.database,
    createNextHopTransport(hop, maskDomain, 4),
    server.clock,
    4,
    { giveUp: giveUpWith(server.database, secrets, maskDomain) },
  );
  const ada = await server.signIn(adaEmail);
  const mask = (await ada.call("POST", "/masks", { body: { description: "Shop" } }))
    .json as HeldServer["mask"];
  return {
    server,
    relay,
    delivery,
    sink,
    secrets,
    ada,
    mask,
    send: async (sender, content, to = mask.maskEmail) => {
      const client = await relay.connect();
      const answer = await client.mail(sender, [to], content);
      client.destroy();
      return answer;
    },
    stop: async () => {
      await delivery.stop();
      await relay.close();
      await sink.close();
      await dns.close();
      await server.stop();
    },
  };
};

/** A mail from a sender, with more fields. */
export const letter = (from: string, more: readonly string[] = [], subject = "Your order"): string =>
  [
    ...more,
    `From: ${from}`,
    "To: mask@masks.test",
    `Subject: ${subject}`,
    "Date: Fri, 20 Nov 2026 10:00:00 +0000",
    "Message-ID: <1@shop.example>",
    "",
    "It is on its way.",
    "",
  ].join("\r\n");
