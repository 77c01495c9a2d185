import { once } from "node:events";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { cryptoRandom, systemClock } from "../../../../adapters/system/clockAndRandom.ts";
import { domainOf } from "../../../../core/mail/emailAddress.ts";
import { createNextHopTransport } from "../../../../server/delivery/nextHopTransport.ts";
import { createSigningTransport } from "../../../../server/delivery/signingTransport.ts";
import type { Transport } from "../../../../server/delivery/transport.ts";
import { createDnsCache, createMailLookup } from "../../../../server/platform/dns/dnsCache.ts";
import { createDnsClient } from "../../../../server/platform/dns/dnsClient.ts";
import { createSeal } from "../../../../server/platform/ops/secrets.ts";
import {
  createPublicHttpClient,
  type PostToPublicHost,
} from "../../../../server/platform/outgoing/publicHttpClient.ts";
import { DkimKeys } from "../../../../server/proof/dkimRotation.ts";
import { judgeSender } from "../../../../server/proof/judgeSender.ts";
import { createSignMail } from "../../../../server/proof/signMail.ts";
import { named } from "../../../support/domainNames.ts";
import { keyRecord, signed } from "../../relay/encrypt/signedMail.ts";
import { createTestAuthority, type TestAuthority } from "../../support/certificates.ts";
import { type DnsStub, startDnsStub } from "../../support/dnsStub.ts";
import { letter } from "../../support/heldServer.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import { type RunningDelivery, startDelivery } from "../../support/runningDelivery.ts";
import { newSecrets } from "../../support/serverContext.ts";
import { type Sink, startSink } from "../../support/sink.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { until } from "../../support/until.ts";

const owner = "lovelace.ada@home.example";
const traces = /home\.example|lovelace|ada\b/i;
const maskDomain = named("masks.test");
const publicUrl = "https://mail.masks.test";

/** The web server of a list, which keeps all that it receives. */
const startListServer = async (authority: TestAuthority) => {
  const requests: string[] = [];
  const server: Server = createServer(authority.issue("lists.example"), async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    requests.push(`${request.method} ${request.url}\n${request.rawHeaders.join("\n")}\n\n${body}`);
    const [, status = "200"] = /\/answer-(\d{3})/.exec(request.url ?? "") ?? [];
    response.writeHead(Number(status), { location: "https://127.0.0.1/" }).end("done");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    requests,
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

describe("Unsubscribing, between a mailing list, a mask and its owner's provider", () => {
  const authority = createTestAuthority();
  let list: Awaited<ReturnType<typeof startListServer>>;
  let dns: DnsStub;
  let listMail: Sink;
  let provider: Sink;
  let relay: RunningListener;
  let delivery: RunningDelivery;
  let server: TestServer;
  let mask: { readonly id: string; readonly maskEmail: string };
  /** The networks besides public ones that the server may reach. */
  let networks: readonly string[];

  beforeEach(async () => {
    networks = ["loopback"];
    list = await startListServer(authority);
    dns = await startDnsStub({
      "lists.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
      "mail._domainkey.lists.example": { TXT: [keyRecord] },
      [maskDomain]: { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
    });
    [listMail, provider] = await Promise.all([startSink(), startSink()]);
    const secrets = newSecrets();
    // The list listens on another port than 443, which no link may name.
    const postToPublicHost: PostToPublicHost = (post) =>
      createPublicHttpClient({
        networks,
        isOwnListener: () => false,
        resolve: async () => ["127.0.0.1"],
        ca: authority.cert,
      })({ ...post, url: post.url.replace(".example/", `.example:${list.port}/`) });
    server = await startServer({ secrets, publicUrl, postToPublicHost });
    const { database } = server;
    const keys = new DkimKeys({
      database,
      seal: createSeal(secrets.sealing, cryptoRandom),
      clock: systemClock,
      domain: maskDomain,
    });
    await keys.ensure();
    dns.zone = {
      ...dns.zone,
      ...Object.fromEntries((await keys.list()).map(({ record }) => [record.name, { TXT: [record.value] }])),
    };
    const hopTo = ({ port }: Sink): Transport =>
      createNextHopTransport({ host: "127.0.0.1", port, secure: false }, maskDomain, 2);
    const [toProvider, toList] = [hopTo(provider), hopTo(listMail)];
    const byDomain: Transport = {
      send: (mail) => (domainOf(mail.recipient) === "home.example" ? toProvider : toList).send(mail),
      abort: () => {
        toProvider.abort();
        toList.abort();
      },
    };
    const signMail = createSignMail({ domain: maskDomain, activeKeys: keys.active, clock: systemClock });
    const fail = (error: unknown): never => {
      throw error;
    };
    delivery = startDelivery(database, createSigningTransport(byDomain, signMail, fail), systemClock);
    relay = await startListener(database, undefined, {
      maskDomain,
      publicUrl,
      dnsServer: dns.address,
      trustedNetworks: [],
      secrets,
      onQueued: () => delivery.wake(),
    });
    const ada = await server.signIn(owner);
    mask = (await ada.call("POST", "/masks", { body: { description: "News", localPart: "news" } }))
      .json as typeof mask;
    await ada.call("PUT", "/account/profile", { body: { unsubscribe: "through-mask" } });
  });
  afterEach(async () => {
    await relay.close();
    await delivery.stop();
    await server.stop();
    await Promise.all([list.close(), listMail.close(), provider.close(), dns.close()]);
  });

  /** The list writes to the mask; returns the link in what the owner's provider gets. */
  const receive = async (...fields: readonly string[]): Promise<string> => {
    // The provider gets the mails of the service too.
    const forwarded = () => provider.mails.filter(({ content }) => content.includes("X-Bauta-Mask:"));
    const before = forwarded().length;
    const sent = await signed(letter("News <news@lists.example>", fields), "lists.example", [
      "List-Unsubscribe",
      "List-Unsubscribe-Post",
    ]);
    const client = await relay.connect();
    expect(await client.mail("news@lists.example", [mask.maskEmail], sent)).to.match(/^250/);
    client.destroy();
    await until("it arrives", () => forwarded().length > before);
    const mail = forwarded().at(-1);
    const envelope = { sender: mail?.from ?? "", helo: maskDomain, remoteAddress: "127.0.0.1" } as const;
    const options = { host: "mx.home.example", trustedSealers: [], judgesPrivate: true };
    const lookup = createMailLookup(createDnsCache(createDnsClient(dns.address), systemClock));
    const evidence = await judgeSender(mail?.content ?? Buffer.alloc(0), envelope, options, lookup);
    expect(evidence.authentication.dkim).to.equal("pass");
    const { oneClick } = evidence.unsubscribeSigners;
    expect(oneClick.includes(maskDomain) || !fields.join().includes("Post"), "signed by us").to.equal(true);
    const [, url = ""] =
      /^List-Unsubscribe:\s+<https:\/\/mail\.masks\.test(\S+)>/m.exec(String(mail?.content)) ?? [];
    return url;
  };
  /** The provider presses "Unsubscribe", without cookies (RFC 8058, 3.2). */
  const press = (link: string) =>
    server.client().call("POST", link, {
      raw: "List-Unsubscribe=One-Click",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
  const oneClick = "List-Unsubscribe-Post: List-Unsubscribe=One-Click";

  it("works by one click and by mail, and the list finds no trace of the owner", async () => {
    const click = await receive("List-Unsubscribe: <https://lists.example/u/1>", oneClick);
    expect((await press(click)).status).to.equal(200);
    const mail = await receive("List-Unsubscribe: <mailto:leave@lists.example?subject=leave>");
    expect((await press(mail)).status).to.equal(200);
    delivery.wake();
    await until("the mail arrives", () => listMail.mails.length === 1);
    const gone = await receive("List-Unsubscribe: <https://lists.example/answer-404>", oneClick);
    expect((await press(gone)).text).to.contain("the list answered 404");
    const moved = await receive("List-Unsubscribe: <https://lists.example/answer-302>", oneClick);
    expect((await press(moved)).text).to.contain("the list answered 302");

    expect(list.requests.map((request) => request.split("\n", 1)[0])).to.deep.equal([
      "POST /u/1",
      "POST /answer-404",
      "POST /answer-302",
    ]);
    expect(list.requests[0])
      .to.contain("\n\nList-Unsubscribe=One-Click")
      .and.not.to.match(/cookie|referer/i);
    const [left] = listMail.mails;
    expect([left?.from, left?.to]).to.deep.equal([mask.maskEmail, "leave@lists.example"]);
    const everything = [
      ...list.requests,
      ...listMail.mails.map((one) => JSON.stringify({ ...one, content: String(one.content) })),
    ];
    for (const received of everything) expect(traces.exec(received)?.[0], received).to.equal(undefined);
    expect(list.requests.join("\n"), "nor of the mask").not.to.contain(mask.maskEmail);
  });

  it("reaches no private network by a name of the list", async () => {
    networks = [];
    const link = await receive("List-Unsubscribe: <https://lists.example/u/1>", oneClick);
    expect((await press(link)).text).to.contain("its address leads to a private network");
    expect(list.requests).to.deep.equal([]);
  });
});
