import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { createOutbox } from "../../../../server/delivery/queue/outbox.ts";
import { createOutboxTransport } from "../../../../server/delivery/queue/outboxTransport.ts";
import { sendRaw } from "../../support/client.ts";
import { withContent } from "../../support/queue.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

const hostile = `From: "Eve <b>bold</b>" <eve@example.net>\r
To: shop@masks.test\r
Subject: <script>alert(1)</script>\r
MIME-Version: 1.0\r
Content-Type: multipart/alternative; boundary=b\r
\r
--b\r
Content-Type: text/plain; charset=utf-8\r
\r
Not https://example.net:pw@evil.example/ but https://example.net/@b\r
See https://example.net/a?b=1&c="x" <img src=x onerror=alert(1)>.\r
--b\r
Content-Type: text/html; charset=utf-8\r
\r
<p>Hello</p><script>alert(2)</script><img src="https://example.net/pixel.gif">\r
--b--\r
`;

const logo = readFileSync(new URL("../../../../web/public/icon.svg", import.meta.url), "utf8");

describe("The outbox page (D39)", () => {
  let server: TestServer;
  let folder: string;
  let count = 0;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "bauta-outbox-"));
    server = await startServer({ outbox: createOutbox(folder) });
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const keep = async (content: string | Uint8Array, recipient = "owner@example.org"): Promise<void> => {
    const mail = { id: `mail${++count}`, createdAt: Date.now() + count, envelopeSender: "", recipient };
    await createOutboxTransport(folder).send(withContent(mail, Buffer.from(content)));
  };
  const page = (path: string) => server.client().call("GET", path, { headers: { accept: "text/html" } });
  const newest = async (): Promise<string> =>
    /href="\.(\/outbox\/[^"/]+)"/.exec((await page("/outbox")).text)?.[1] ?? "";

  it("explains to a new user how to get a first mail, and reloads by itself", async () => {
    const { status, text, headers } = await page("/outbox");
    expect(status).to.equal(200);
    expect(text).to.contain("No mail yet.");
    expect(headers.get("refresh")).to.equal("5");
    const paused = await page("/outbox?paused");
    expect(paused.headers.get("refresh"), "until it is told to stop").to.equal(null);
    expect(headers.get("content-type")).to.equal("text/html; charset=utf-8");
  });

  it("shows the mail with the code, so that a new user can sign in", async () => {
    await server.client().call("POST", "/login", { body: { email: "newcomer@example.org" } });
    const [mail] = await server.mails("newcomer@example.org");
    await keep(mail?.content ?? "", "newcomer@example.org");
    const code = await server.code("newcomer@example.org");
    const list = await page("/outbox");
    expect(list.text).to.contain(`${code} is your Bauta sign-in code`).and.to.contain("newcomer@example.org");
    const opened = await page(await newest());
    expect(opened.status).to.equal(200);
    expect(opened.text).to.contain(`${code} is your Bauta sign-in code</h1>`);
    expect(opened.text).to.contain(`<pre>Your code to log in to Bauta`);
  });

  it("shows a hostile mail safely: escaped, with its HTML in a sandbox", async () => {
    await keep(hostile);
    const list = await page("/outbox");
    expect(list.text).to.contain("&lt;script&gt;alert(1)").and.not.to.contain("<script");
    const path = await newest();
    const mail = await page(path);
    expect(mail.text).not.to.match(/<script|<img|<b>bold/);
    expect(mail.text).to.contain(`<iframe sandbox="" src=".${path}/html"`);
    expect(mail.text).to.contain(
      '<a href="https://example.net/a?b=1&amp;c=" target="_blank" rel="noopener noreferrer">',
    );
    expect(mail.text, "the host is not the first thing in it").not.to.contain('href="https://example.net:pw');
    expect(mail.text).to.contain('href="https://example.net/@b"');
    expect(mail.headers.get("content-security-policy"))
      .to.contain("default-src 'none'")
      .and.not.to.contain("script-src");

    const html = await page(`${path}/html`);
    expect(html.text).to.contain("<p>Hello</p>");
    const policy = html.headers.get("content-security-policy") ?? "";
    expect(policy)
      .to.match(/^sandbox; default-src 'none'; img-src data:;/)
      .and.to.contain("frame-ancestors 'self'");
    expect(html.headers.get("x-frame-options")).to.equal("SAMEORIGIN");
  });

  it("marks an encrypted mail as encrypted, and explains how to read it", async () => {
    await keep(
      'From: a@masks.test\r\nSubject: ...\r\nContent-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b\r\n\r\n' +
        "--b\r\nContent-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n" +
        "--b\r\nContent-Type: application/octet-stream; name=encrypted.asc\r\n\r\n-----BEGIN PGP MESSAGE-----\r\n--b--\r\n",
    );
    expect((await page("/outbox")).text).to.contain('<span class="subject">Encrypted mail</span>');
    const path = await newest();
    const { text } = await page(path);
    expect(text).to.contain("<h1>Encrypted mail</h1>").and.to.contain("<title>Encrypted mail &middot;");
    expect(text).to.contain("“Open a mail”").and.to.contain(`href=".${path}/raw"`);
    expect(text).to.contain("<li>application/pgp-encrypted").and.not.to.contain("(no name)");
    expect(text).to.match(/\d:\d\d:\d\d\s[AP]M/);
  });

  it("shows the icon of the app", async () => {
    const shapes = [...logo.matchAll(/ d="([^"]+)"/g)].map(([, shape = ""]) => shape);
    expect(shapes.length).to.be.greaterThan(2);
    const { text } = await page("/outbox");
    for (const shape of shapes) expect(text).to.contain(shape);
  });

  it("returns the stored bytes of a mail", async () => {
    await keep(hostile);
    const raw = await page(`${await newest()}/raw`);
    expect(raw.text).to.equal(`X-Outbox-From: <>\r\nX-Outbox-To: owner@example.org\r\n${hostile}`);
    expect(raw.headers.get("content-type")).to.equal("message/rfc822");
    expect(raw.headers.get("content-disposition")).to.contain("attachment");
  });

  it("answers 404 for a mail that does not exist, whatever the id", async () => {
    for (const id of ["nothing", "..%2f..%2fetc%2fpasswd", "%00", "a".repeat(1_000)])
      for (const part of ["", "/html", "/raw"])
        expect((await page(`/outbox/${id}${part}`)).status, id).to.equal(404);
  });

  it("does not exist for requests from other machines", async () => {
    await keep(hostile);
    const path = await newest();
    const { port } = server;
    for (const headers of [
      { "x-forwarded-for": "127.0.0.1" },
      { "x-forwarded-host": "localhost" },
      { forwarded: "for=127.0.0.1" },
      { via: "1.1 proxy" },
      { "x-real-ip": "127.0.0.1" },
      { host: "mail.example.org" },
      { host: `rebound.example:${port}` },
      { host: "localhost.evil.example" },
      { host: "127.0.0.1.evil.example" },
    ] as readonly Readonly<Record<string, string>>[])
      for (const at of ["/outbox", path, `${path}/html`, `${path}/raw`]) {
        const { status, text } = await sendRaw(server.origin, { path: at, headers });
        expect(status, JSON.stringify(headers)).to.equal(404);
        expect(text).to.equal('{"message":"There is nothing here."}');
      }
    for (const host of ["localhost", `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
      expect((await sendRaw(server.origin, { path: "/outbox", headers: { host } })).status, host).to.equal(
        200,
      );
  });

  it("does not exist on a server with a public URL, even if its proxy omits the forwarding headers", async () => {
    const open = await startServer({ outbox: createOutbox(folder), publicUrl: "https://mail.example.org" });
    for (const path of ["/outbox", "/outbox/x", "/outbox/x/html"])
      expect((await sendRaw(open.origin, { path })).status, path).to.equal(404);
    await open.stop();
  });

  it("does not exist when mail is delivered to a next hop", async () => {
    const sending = await startServer();
    for (const path of ["/outbox", "/outbox/x", "/outbox/x/html"])
      expect((await sending.client().call("GET", path)).status).to.equal(404);
    await sending.stop();
  });
});
