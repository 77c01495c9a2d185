import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { expect } from "chai";
import { pino } from "pino";
import { asyncScheduler } from "rxjs";
import {
  type CertificatesDeps,
  createCertificates,
} from "../../../../server/platform/certificates/certificates.ts";
import { createWebListeners } from "../../../../server/platform/certificates/webListeners.ts";
import { freePort } from "../../../support/freePort.ts";
import { type DnsStub, startDnsStub } from "../../support/dnsStub.ts";
import { type Pebble, requirePebble, startPebble } from "../../support/pebble.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";
import { until } from "../../support/until.ts";

const names = ["app.example.org", "masks.example.org"];
const mtaSts = "mta-sts.masks.example.org";

describe("Certificates from an ACME authority", () => {
  const folder = useTemporaryFolder();
  let dns: DnsStub;
  let stops: (() => void)[] = [];
  let pebble: Pebble;
  let ports: { acme: number; management: number; http: number; https: number };

  before(function () {
    requirePebble(this);
  });
  beforeEach(async () => {
    dns = await startDnsStub(Object.fromEntries(names.map((name) => [name, { A: ["127.0.0.1"] }])));
    ports = {
      acme: await freePort(),
      management: await freePort(),
      http: await freePort(),
      https: await freePort(),
    };
    pebble = await startPebble(folder(), ports, dns.address);
    stops.push(pebble.stop);
  });
  afterEach(async () => {
    for (const stop of stops) stop();
    stops = [];
    await dns.close();
  });

  let offset = 0;
  const serve = async (options: Partial<CertificatesDeps> = {}) => {
    const app: Server = createServer((_request, response) => response.end("the app"));
    const certificates = createCertificates({
      directoryUrl: pebble.directoryUrl,
      email: "me@example.org",
      names,
      optionalNames: [mtaSts],
      folder: join(folder(), "tls"),
      clock: { now: () => Date.now() + offset, scheduler: asyncScheduler },
      log: pino({ level: "silent" }),
      ...options,
    });
    const listeners = createWebListeners({
      isProxy: () => true,
      certificates,
      app,
      publicUrl: "https://app.example.org",
      httpPort: ports.http,
      httpsPort: ports.https,
      log: pino({ level: "silent" }),
    });
    await listeners.startHttp();
    await listeners.startHttps();
    stops.push(listeners.stop);
    return certificates;
  };

  /** Loads the app over HTTPS; returns its text with the names and the serial number of the certificate. */
  const open = async (name = names[0]) => {
    const ca = await pebble.issuingRoot();
    return new Promise<{ text: string; alternatives: string; serial: string }>((resolve, reject) => {
      const sent = request(
        {
          host: "127.0.0.1",
          port: ports.https,
          servername: `${name}`,
          headers: { host: `${name}` },
          ca,
          agent: false,
        },
        (response) => {
          const { subjectaltname = "", serialNumber } = (response.socket as TLSSocket).getPeerCertificate();
          response
            .setEncoding("utf8")
            .on("data", (text: string) =>
              resolve({ text, alternatives: subjectaltname, serial: serialNumber }),
            );
        },
      );
      sent.on("error", reject).end();
    });
  };

  it("serve the app, are stored, and are renewed without a restart after two thirds of their lifetime", async () => {
    dns.zone = { ...dns.zone, [mtaSts]: { A: ["127.0.0.1"] } };
    const certificates = await serve();
    const stop = certificates.start();
    await until("there is a certificate", () => certificates.secureContext() !== null);
    const first = await open();
    expect(first.text).to.equal("the app");
    for (const name of [...names, mtaSts]) expect(first.alternatives).to.contain(`DNS:${name}`);
    expect(statSync(join(folder(), "tls/certificate.pem")).mode & 0o777).to.equal(0o600);
    stop();

    certificates.start()();
    expect((await open()).serial).to.equal(first.serial);
    const pem = readFileSync(join(folder(), "tls/certificate.pem"), "utf8");

    const { validFrom, validTo } = new X509Certificate(pem.slice(pem.indexOf("-----BEGIN CERTIFICATE")));
    offset = (Date.parse(validTo) - Date.parse(validFrom)) * 0.7;
    stops.push(certificates.start());
    const before = certificates.secureContext();
    await until("there is another certificate", () => certificates.secureContext() !== before);
    expect((await open()).serial).not.to.equal(first.serial);
    offset = 0;
  });

  it("omit the MTA-STS host name while it does not point to this server", async () => {
    const certificates = await serve();
    stops.push(certificates.start());
    await until("there is a certificate", () => certificates.secureContext() !== null);
    expect((await open()).alternatives).not.to.contain(mtaSts);
  });

  it("are missing while a name is not validated", async () => {
    dns.zone = {};
    const lines: string[] = [];
    const log = pino({ level: "error" }, { write: (line: string) => void lines.push(line) });
    const certificates = await serve({ log });
    stops.push(certificates.start());
    await until("a failure is logged", () => lines.length >= 1);
    expect(certificates.secureContext()).to.equal(null);
    expect(lines.at(-1)).to.contain("was not proved");
  });
});
