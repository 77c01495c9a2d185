import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import { expect } from "chai";
import { createTransport } from "nodemailer";
import { readCertificate } from "../../../server/platform/config/configuredResources.ts";
import { SettingError } from "../../../server/platform/config/settings.ts";
import { skipWithout } from "../../support/missing.ts";
import { onEachDatabase } from "../support/databases.ts";
import { maskDomain, startListener } from "../support/listener.ts";
import { addMask, addOwner } from "../support/owners.ts";
import { readQueue } from "../support/queue.ts";
import { useTemporaryFolder } from "../support/temporaryFolder.ts";

describe("Incoming mail over TLS", () => {
  const folder = useTemporaryFolder();
  const files = (name: string) => ({
    cert: join(folder(), `${name}.pem`),
    key: join(folder(), `${name}.key`),
  });
  const make = (name: string) => {
    const { cert, key } = files(name);
    const subject = ["-subj", `/CN=${maskDomain}`, "-addext", `subjectAltName=DNS:${maskDomain}`];
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    execFileSync("openssl", ["req", "-x509", ...curve, "-keyout", key, "-out", cert, ...subject], {
      stdio: "ignore",
    });
    return { cert, key };
  };

  before(function () {
    if (spawnSync("openssl", ["version"]).error) skipWithout(this, "openssl");
  });

  onEachDatabase(({ database }) => {
    it("is offered STARTTLS with the operator's certificate, and its Received field says so", async () => {
      const created = make("mail");
      const certificate = createSecureContext({ ...(await readCertificate(created)) });
      const relay = await startListener(database(), undefined, { secureContext: () => certificate });
      const mask = await addMask(database().db, await addOwner(database().db));
      const transport = createTransport({
        host: "127.0.0.1",
        port: relay.port,
        requireTLS: true,
        tls: { ca: readFileSync(created.cert), servername: maskDomain },
      });
      await transport.sendMail({ from: "a@shop.example", to: mask.email, subject: "Hello", text: "Hello." });
      transport.close();
      const [stored] = await readQueue(database().db);
      expect(stored?.content.toString()).to.match(/^Received: [\s\S]*?with E?SMTPS/);
      const client = await relay.connect();
      client.write("STARTTLS\r\nMAIL FROM:<injected@b.example>\r\n");
      expect(await client.reply(), "nothing said before TLS counts in it").to.match(/^554 5\.5\.0 /);
      await client.closed;
      const confused = await relay.connect();
      expect(await confused.say("STARTTLS")).to.match(/^220/);
      confused.write("no handshake\r\n");
      await confused.closed;
      await relay.close();
    });
  });

  it("needs a certificate and its matching key", async () => {
    const [one, other] = [make("one"), make("other")];
    const refusal = (cert: string, key: string): Promise<string> =>
      readCertificate({ cert, key }).then(
        () => "accepted",
        (error: unknown) => (error instanceof SettingError ? error.message : String(error)),
      );
    expect(await refusal(one.cert, one.key)).to.equal("accepted");
    expect(await refusal(one.cert, other.key)).to.match(/^TLS_KEY is ".+"; expected the key of /);
    expect(await refusal(join(folder(), "none.pem"), one.key)).to.match(/^TLS_CERT is ".+\(ENOENT\)\.$/);
    expect(await refusal(one.key, one.key)).to.match(/^TLS_CERT is ".+; expected a PEM file/);
    expect(await refusal(one.cert, one.cert)).to.match(/^TLS_KEY is ".+; expected a PEM file/);
  });
});
