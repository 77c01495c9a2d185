import { createServer, request } from "node:http";
import { connect, type Socket } from "node:net";
import { expect } from "chai";
import { useBrowser } from "../support/browser.ts";
import { freePort } from "../support/freePort.ts";
import { choose } from "./support/choose.ts";
import { sendMail } from "./support/mail.ts";
import { useServer } from "./support/product.ts";
import { mailInOutbox } from "./support/server.ts";
import { createMask, maskCard, openSettings, signUp, untilKept, visit } from "./support/visitor.ts";

const path = "/bauta";

/** A proxy that takes the path off, at a port of its own; what is not below it has no such page. */
const useStrippingProxy = (): { port: number; app: number } => {
  const ports = { port: 0, app: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((asked, answer) => {
    const { method, headers, url = "" } = asked;
    if (!url.startsWith(path)) return void answer.writeHead(404).end();
    const sent = request(
      { port: ports.app, method, headers, path: url.slice(path.length) || "/" },
      (received) => received.pipe(answer.writeHead(received.statusCode ?? 502, received.headers)),
    );
    sent.on("error", () => answer.destroy());
    asked.pipe(sent);
  });
  server.on("connection", (socket) => sockets.add(socket));
  server.on("upgrade", ({ url = "", rawHeaders }, socket) => {
    const upstream = connect(ports.app, "127.0.0.1");
    const lines = rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join("");
    upstream.write(`GET ${url.slice(path.length)} HTTP/1.1\r\n${lines}\r\n`);
    socket.pipe(upstream).pipe(socket);
    for (const end of [socket, upstream])
      end.on("error", () => [socket, upstream].map((one) => one.destroy()));
  });
  before(async () => {
    ports.port = await freePort();
    await new Promise<void>((listening) => server.listen(ports.port, "127.0.0.1", listening));
  });
  after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return ports;
};

for (const isStripped of [false, true])
  describe(`the app under a path that the proxy ${isStripped ? "takes off" : "passes on"}, in a real browser`, () => {
    const proxy = useStrippingProxy();
    const server = useServer(() => ({
      PUBLIC_URL: `http://127.0.0.1:${isStripped ? proxy.port : "{port}"}${path}`,
    }));
    const browser = useBrowser();

    it("a new user signs up, gets mail, opens the link in it, and opens the app without a network", async () => {
      proxy.app = Number(new URL(server.url).port);
      const url = isStripped ? `http://127.0.0.1:${proxy.port}${path}` : `${server.url}${path}`;
      const visitor = await visit(browser(), { url }, { theme: "light", width: 1280 });
      const { page, context } = visitor;
      const pathname = () => new URL(page.url()).pathname;
      expect(pathname(), "the address without a slash").to.equal(`${path}/`);
      await signUp(visitor, server, "guest@example.org");
      expect(pathname()).to.equal(`${path}/`);
      await openSettings(page, "mail");
      await choose(page, page.getByRole("button", { name: /Links in forwarded mail/ }), /^In the header/);
      await page.goto(`${url}/#masks`);

      const address = await createMask(page, "Corner Shop");
      await sendMail(server, address);
      const figure = maskCard(page, "Corner Shop").getByRole("term").filter({ hasText: "Emails received" });
      await figure.locator("xpath=..").getByText("1", { exact: true }).waitFor();

      const mail = await mailInOutbox(server, `X-Bauta-Mask: ${address}`);
      const link = /^X-Bauta-Switch-Off:\s+<(.+)>/m.exec(mail)?.[1] ?? "";
      expect(link.startsWith(`${url}/`), link).to.equal(true);
      const other = await context.newPage();
      await other.goto(link);
      await other.getByRole("button", { name: "Switch off" }).click();
      await other.getByRole("heading", { name: "The mask is switched off" }).waitFor();
      await other.close();
      await page.getByRole("switch", { name: "Corner Shop forwards mail", checked: false }).waitFor();

      await untilKept(page);
      await context.setOffline(true);
      expect((await page.goto(`${url}/`))?.fromServiceWorker()).to.equal(true);
      await maskCard(page, "Corner Shop").waitFor();
      const names = await page.evaluate(async () => [
        ...Object.keys(localStorage),
        ...Object.keys(sessionStorage),
        ...(await caches.keys()).map((name) => name.replace("bauta/shell-", "shell/bauta")),
      ]);
      expect(names.filter((name) => !name.includes(path))).to.deep.equal([]);
      expect(visitor.complaints.filter((text) => !text.includes("ERR_INTERNET_DISCONNECTED"))).to.deep.equal(
        [],
      );
      await visitor.leave();
    });
  });
