import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request } from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { expect } from "chai";
import { type DnsStub, startDnsStub } from "../server/support/dnsStub.ts";
import { type Pebble, requirePebble, startPebble } from "../server/support/pebble.ts";
import { useTemporaryFolder } from "../server/support/temporaryFolder.ts";
import { until } from "../server/support/until.ts";
import { freePort } from "../support/freePort.ts";
import { type RunningServer, startServer } from "./support/server.ts";

const [app, masks] = ["app.example.org", "masks.example.org"] as const;

describe("a server with ACME_EMAIL", () => {
  const folder = useTemporaryFolder();
  let dns: DnsStub;
  let pebble: Pebble | undefined;
  let server: RunningServer | undefined;
  let https: number;

  before(function () {
    requirePebble(this);
  });
  afterEach(async () => {
    await server?.stop("SIGKILL");
    await server?.removeData();
    pebble?.stop();
    await dns?.close();
  });

  const start = async (): Promise<RunningServer> => {
    dns = await startDnsStub({ [app]: { A: ["127.0.0.1"] }, [masks]: { A: ["127.0.0.1"] } });
    const [acme, management, http] = [await freePort(), await freePort(), await freePort()];
    https = await freePort();
    pebble = await startPebble(folder(), { acme, management, http, https }, dns.address);
    return startServer({
      ACME_EMAIL: "me@example.org",
      ACME_DIRECTORY: pebble.directoryUrl,
      NODE_EXTRA_CA_CERTS: pebble.caFile,
      HTTP_PORT: String(http),
      HTTPS_PORT: String(https),
      MASK_DOMAIN: masks,
      PUBLIC_URL: `https://${app}`,
      SUBMISSION_PORT: "0",
      SUBMISSIONS_PORT: "0",
    });
  };

  /** Loads a page over HTTPS with a proven name; returns its status and the serial number of the certificate. */
  const open = (ca: string) =>
    new Promise<{ readonly status: number; readonly serial: string }>((resolve, reject) => {
      const options = {
        host: "127.0.0.1",
        port: https,
        servername: app,
        headers: { host: app },
        ca,
        agent: false,
      };
      request({ ...options, path: "/healthz" }, (response) => {
        const { serialNumber } = (response.socket as TLSSocket).getPeerCertificate();
        response.resume();
        resolve({ status: response.statusCode ?? 0, serial: serialNumber });
      })
        .on("error", reject)
        .end();
    });

  /** Greets the mail server over STARTTLS with a proven name; returns the serial number of the certificate. */
  const startTls = async (ca: string, port: number): Promise<string> => {
    const socket = connect(port, "127.0.0.1");
    for (const line of ["EHLO sender.example\r\n", "STARTTLS\r\n"]) {
      await once(socket, "data");
      socket.write(line);
    }
    expect(String(await once(socket, "data"))).to.match(/^220 /);
    const secured = connectTls({ socket, servername: masks, ca });
    await once(secured, "secureConnect");
    const { serialNumber } = secured.getPeerCertificate();
    secured.destroy();
    return serialNumber;
  };

  it("serves HTTPS and STARTTLS with one certificate of the authority, also after a restart", async () => {
    server = await start();
    const ca = (await pebble?.issuingRoot()) ?? "";
    const untilOpen = async () => {
      let answer: Awaited<ReturnType<typeof open>> | undefined;
      await until(
        () => `there is a certificate:\n${server?.output()}`,
        async () => {
          answer = await open(ca).catch(() => undefined);
          return answer !== undefined;
        },
      );
      return answer ?? { status: 0, serial: "" };
    };
    const first = await untilOpen();
    expect(first.status).to.equal(200);
    expect(await startTls(ca, server.smtpPort)).to.equal(first.serial);
    expect(await readFile(join(server.dataDir, "tls/certificate.pem"), "utf8")).to.contain("CERTIFICATE");

    await server.stop();
    pebble?.stop();
    server = await server.restart();
    expect((await untilOpen()).serial).to.equal(first.serial);
    expect(await startTls(ca, server.smtpPort)).to.equal(first.serial);
  });
});
