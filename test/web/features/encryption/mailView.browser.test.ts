import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { build } from "esbuild";
import type { Frame, Page } from "playwright-core";
import { until } from "../../../server/support/until.ts";
import { useBrowser } from "../../../support/browser.ts";
import { onInputs } from "../../../support/corpora.ts";
import { hostileMail } from "./hostileMail.ts";
import type {} from "./mailPage.tsx";

/** The server's Content-Security-Policy without Stripe's hosts. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'nonce-page'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "require-trusted-types-for 'script'",
  "trusted-types serviceWorker keyWorker readMail",
].join("; ");

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mail</title>
<meta property="csp-nonce" content="page"></head><body><div id="root"></div>
<script type="module" src="/page.js"></script></body></html>`;

const bundled = async (): Promise<Uint8Array> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("mailPage.tsx", import.meta.url))],
    bundle: true,
    write: false,
    outdir: "out",
    format: "esm",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    loader: { ".module.css": "local-css" },
  });
  const script = outputFiles.find(({ path }) => path.endsWith(".js"));
  if (!script) throw new Error("nothing was built");
  return script.contents;
};

/** The forbidden actions of a mail that were observed. */
interface Watch {
  readonly page: Page;
  readonly actions: string[];
}

describe("A malicious mail in the reader, in a real browser", () => {
  const browser = useBrowser();
  let server: Server;
  let address: string;
  before(async () => {
    const script = await bundled();
    server = createServer((request, response) => {
      if (request.url === "/page.js") {
        response.writeHead(200, { "content-type": "text/javascript" }).end(script);
        return;
      }
      const isOpen = request.url === "/unprotected";
      response.writeHead(200, {
        "content-type": "text/html",
        ...(isOpen ? {} : { "content-security-policy": policy }),
      });
      response.end(isOpen ? "<!doctype html><title>Open</title>" : page);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  const watch = async (path: string): Promise<Watch> => {
    const context = await browser().newContext();
    await context.route(/.*/, (route) =>
      route.request().url().startsWith(address) ? route.continue() : route.abort(),
    );
    const opened = await context.newPage();
    const actions: string[] = [];
    await opened.goto(`${address}${path}`);
    opened.on("dialog", (dialog) => {
      actions.push(`said ${dialog.message()}`);
      void dialog.dismiss();
    });
    opened.on("request", (request) => {
      if (!/^(data|about):/.test(request.url())) actions.push(`asked for ${request.url()}`);
    });
    opened.on("framenavigated", (frame) => {
      if (!/^about:/.test(frame.url())) actions.push(`went to ${frame.url()}`);
    });
    opened.on("console", (message) => {
      if (message.type() === "error") actions.push(`complained: ${message.text()}`);
    });
    opened.on("pageerror", (error) => actions.push(`threw ${error}`));
    context.on("page", () => actions.push("opened a window"));
    return { page: opened, actions };
  };

  /** Returns the frame of the current mail; the page still lists the previous frame for a moment. */
  const mailFrame = async (shown: Page): Promise<Frame> => {
    const frame = await (await shown.waitForSelector("iframe", { state: "attached" })).contentFrame();
    if (frame === null) throw new Error("the mail has no frame");
    return frame;
  };

  const show = async ({ page: shown }: Watch, html: string): Promise<string> => {
    await shown.evaluate((mail) => window.showMail(mail), html);
    return (await mailFrame(shown)).content();
  };

  /** Waits for two frames of the page, by when a mail that has loaded has done what it does by itself. */
  const untilShown = ({ page: shown }: Watch): Promise<void> =>
    shown.evaluate(
      () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
    );

  /** Returns the document's body, without the head that the reader adds. */
  const bodyOf = (document: string): string => document.slice(document.indexOf("<body"));

  const harmless =
    /^(?!.*<(?:script|svg|math|iframe|object|embed|form|input|link|meta|base|style|template|video|audio)\b)(?!.*\son\w+\s*=)(?!.*javascript:).*$/is;

  const expectHarmless = async (watched: Watch, html: string): Promise<void> => {
    const before = watched.actions.length;
    const document = await show(watched, html);
    expect(document, html).to.include("Content-Security-Policy");
    const plain = bodyOf(document).replace(/ (?:alt|title)="[^"]*"|>[^<]*</g, (found) =>
      found.startsWith(">") ? "><" : "",
    );
    expect(plain, html).to.match(harmless);
    expect(watched.actions.slice(before), html).to.deep.equal([]);
  };

  it("is detected by this test when shown without the reader: its script runs and it sends a request", async () => {
    const watched = await watch("/unprotected");
    await watched.page.evaluate(() => {
      const frame = document.createElement("iframe");
      frame.srcdoc = `<img src="https://evil.example/p" onerror="alert(1)">`;
      document.body.append(frame);
    });
    await until("its script has run", () => watched.actions.includes("said 1"));
    expect(watched.actions).to.include("said 1");
    expect(watched.actions).to.include("asked for https://evil.example/p");
    await watched.page.context().close();
  });

  it(`runs no script, sends no request and does not navigate, in ${hostileMail.length} variants`, async () => {
    const watched = await watch("/");
    for (const html of hostileMail) await expectHarmless(watched, html);
    await untilShown(watched);
    expect(watched.actions).to.deep.equal([]);
    await watched.page.context().close();
  });

  onInputs(["hostileHtml"], ({ areSamples, json }) => {
    it("runs no script of known attacks", async () => {
      const vectors = json<readonly { readonly payload: string }[]>("hostileHtml").flat();
      expect(vectors.length).to.be.greaterThan(areSamples ? 15 : 100);
      const watched = await watch("/");
      for (const { payload } of vectors) await expectHarmless(watched, payload);
      await untilShown(watched);
      expect(watched.actions).to.deep.equal([]);
      await watched.page.context().close();
    });
  });

  it("keeps its text, styles, embedded images and tables; its links are listed beside it", async () => {
    const watched = await watch("/");
    const shown = await show(
      watched,
      `<p title="x">In CSS: style = x, once: onclick=y</p><table width="100%" bgcolor="#eeeeee"><tr><td style="color: rgb(255, 0, 0); padding: 4px">Sale</td></tr></table>
       <img src="cid:pixel" alt="red, one of 'online'"><a href="https://shop.example/sale/on?x=1">To the <b>shop</b></a>`,
    );
    expect(shown).to.match(/<td class="m0">Sale<\/td>/);
    expect(shown).to.include(".m0{color:rgb(255, 0, 0);padding:4px}");
    expect(shown).to.match(/<img[^>]*src="data:image\/gif;base64,/);
    expect(shown).to.match(/<a>To the <b>shop<\/b><\/a>/);
    expect(shown).to.include("<p>In CSS: style = x, once: onclick=y</p>");
    expect(shown).to.include(`alt="red, one of 'online'"`);
    const frame = await mailFrame(watched.page);
    const color = await frame
      .locator("td")
      .evaluate((cell) => (cell.ownerDocument.defaultView ?? window).getComputedStyle(cell).color);
    expect(color).to.equal("rgb(255, 0, 0)");
    await watched.page.getByText("1 link in this mail").click();
    const link = watched.page.getByRole("link", { name: "https://shop.example/sale/on?x=1" });
    expect(await link.getAttribute("rel")).to.equal("noopener noreferrer");
    expect(watched.actions).to.deep.equal([]);
    await watched.page.context().close();
  });

  it("gets the height it needs: one line does not scroll and takes little of the page", async () => {
    const watched = await watch("/");
    for (const html of [
      "See you at noon.",
      "<p>Dear Ada,</p><p>See you at noon.<br>Bring the masks.</p><p>Yours</p>",
    ]) {
      await show(watched, html);
      const frame = await mailFrame(watched.page);
      const { needed, had } = await frame.locator("html").evaluate((root) => ({
        needed: root.getBoundingClientRect().height,
        had: root.ownerDocument.defaultView?.innerHeight ?? 0,
      }));
      expect(had, html)
        .to.be.at.least(needed)
        .and.to.be.below(needed + 120);
    }
    await watched.page.context().close();
  });

  it("is truncated when it is very long, and survives deep nesting", async () => {
    const watched = await watch("/");
    await show(watched, "<i>x</i>".repeat(40_000));
    await watched.page.getByText("This mail is very long. Its end is not shown.").waitFor();
    await show(watched, `${"<div>".repeat(5_000)}deep`);
    expect(watched.actions).to.deep.equal([]);
    await watched.page.context().close();
  });
});
