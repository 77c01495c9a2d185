import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { build } from "esbuild";
import type { Frame, Page } from "playwright-core";
import { openMail } from "../../../../adapters/openpgp/openMail.ts";
import { until } from "../../../server/support/until.ts";
import { useBrowser } from "../../../support/browser.ts";
import { onInputs, presentFiles } from "../../../support/corpora.ts";
import { hostileMail } from "./hostileMail.ts";
import type {} from "./mailPage.tsx";
import { newsletters } from "./newsletters.ts";

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

/** The policy of a page that shows HTML as a browser does, with its styles, without a network and without scripts. */
const referencePolicy = "default-src 'none'; style-src 'unsafe-inline'";

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
      const policies: Readonly<Record<string, string>> = { "/": policy, "/reference": referencePolicy };
      const policyOfPage = policies[request.url ?? ""];
      response.writeHead(200, {
        "content-type": "text/html",
        ...(policyOfPage === undefined ? {} : { "content-security-policy": policyOfPage }),
      });
      response.end(request.url === "/" ? page : "<!doctype html><title>Open</title>");
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

  /** Returns the texts that a browser shows of HTML documents, without scripts and without a network. */
  const textsOf = async (documents: readonly string[]): Promise<readonly string[]> => {
    const { page: reference } = await watch("/reference");
    const texts = await reference.evaluate(async (all) => {
      const read: string[] = [];
      for (const html of all) {
        const frame = document.createElement("iframe");
        frame.sandbox.add("allow-same-origin");
        frame.srcdoc = html;
        const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
        document.body.append(frame);
        await loaded;
        for (const image of frame.contentDocument?.images ?? []) image.before(" ");
        read.push(frame.contentDocument?.body?.innerText ?? "");
        frame.remove();
      }
      return read;
    }, documents);
    await reference.context().close();
    return texts;
  };

  /** Shows mails one after the other, and returns the documents of their frames. */
  const showAll = ({ page: shown }: Watch, mails: readonly string[]): Promise<readonly string[]> =>
    shown.evaluate(async (all) => {
      const documents: string[] = [];
      for (const html of all) {
        await window.showMail(html);
        documents.push(document.querySelector("iframe")?.srcdoc ?? "");
      }
      return documents;
    }, mails);

  /** Returns the words of a text that another does not have in this order; white space between words may differ. */
  const missingWords = (text: string, other: string): readonly string[] => {
    const letters = other.normalize("NFKC").replace(/\s+/g, "");
    let at = 0;
    return text
      .normalize("NFKC")
      .split(/\s+/)
      .filter((word) => {
        const found = letters.indexOf(word, at);
        if (found >= 0) at = found + word.length;
        return found < 0;
      });
  };

  interface Sample {
    readonly name: string;
    /** The HTML as its sender wrote it. */
    readonly written: string;
    /** The HTML that the reader gets of its mail. */
    readonly read: string;
  }

  const expectComplete = async (samples: readonly Sample[]): Promise<void> => {
    const watched = await watch("/");
    const documents = await showAll(
      watched,
      samples.map(({ read }) => read),
    );
    await untilShown(watched);
    expect(watched.actions).to.deep.equal([]);
    await watched.page.context().close();
    const texts = await textsOf(samples.map(({ written }) => written));
    const shown = await textsOf(documents);
    const incomplete = samples.flatMap(({ name }, at) => {
      const missing = missingWords(texts[at] ?? "", shown[at] ?? "");
      return missing.length === 0 ? [] : [`${name} lacks ${missing.slice(0, 9).join(" ")}`];
    });
    expect(incomplete.join("\n")).to.equal("");
  };

  const openHtml = async (mail: Uint8Array<ArrayBuffer>): Promise<string | null> =>
    (await openMail(mail, async () => [])).html;

  it("shows all text of 300 newsletters, runs none of their scripts and sends none of their requests", async () => {
    const samples = await Promise.all(
      newsletters().map(async ({ name, mail, html }) => ({
        name,
        written: html,
        read: (await openHtml(mail)) ?? "",
      })),
    );
    expect(samples).to.have.length(300);
    await expectComplete(samples);
  });

  it("shows all text of the HTML mails among the samples and corpora", async () => {
    const opened = await Promise.all(
      presentFiles("oddMails").map(async ({ name, content }) => {
        const html = await openHtml(Uint8Array.from(content)).catch(() => null);
        return html === null ? [] : [{ name, written: html, read: html }];
      }),
    );
    expect(opened.flat()).not.to.have.length(0);
    await expectComplete(opened.flat());
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
    await watched.page.getByText("1 link in this email").click();
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

  it("is shown as plain text when it has too many elements or nests them too deeply, without freezing the page", async () => {
    const watched = await watch("/");
    for (const html of [
      `${"<b>".repeat(50_000)}deep`,
      `${"<div>".repeat(50_000)}deep`,
      `${"<table><tr><td>".repeat(50_000)}deep`,
      `<table>${"<b>".repeat(50_000)}deep`,
      `${Array.from({ length: 2_000 }, (_, at) => `<p><b id=${at}>x</p>`).join("")}deep`,
      `${"<i>x</i>".repeat(40_000)}deep`,
    ]) {
      await watched.page.evaluate((mail) => window.showMail(mail), html);
      await watched.page.getByText("This is its text.").waitFor();
      expect(await watched.page.getByLabel("Text of the email").innerText()).to.match(/deep$/);
    }
    for (const html of [
      `${"<div>".repeat(200)}deep`,
      `<p ${Array.from({ length: 50_000 }, (_, at) => `a${at}`).join(" ")}>deep`,
    ]) {
      await show(watched, html);
      expect(await (await mailFrame(watched.page)).locator("body").innerText()).to.equal("deep");
    }
    expect(watched.actions).to.deep.equal([]);
    await watched.page.context().close();
  });

  it("says so when its formatted version shows nothing", async () => {
    const watched = await watch("/");
    await show(watched, "<html><head><title>x</title></head><body><style>p{}</style></body></html>");
    await watched.page.getByText("The formatted version of this email has no text.").waitFor();
    await watched.page.context().close();
  });

  it("names the true host of each link, and opens neither scripts nor the owner's mail program", async () => {
    const watched = await watch("/");
    await show(
      watched,
      `<base href="https://shop.example/en/">
       <a href="https://bank.example:pw@evil.example/a">https://bank.example/</a>
       <a href="https://bank.example%2Flogin@evil.example/b">Log in</a>
       <a href="https://b\u0430nk.example/">b\u0430nk.example</a>
       <a href="sale?x=\u202egpj.exe">\u202eSale</a>
       <map><area href="//cdn.example/map" alt="Map"></map>
       <a href="#top">Top</a> <a href="javascript:alert(1)">A</a> <a href="data:text/html,x">B</a>
       <a href="blob:https://shop.example/1">C</a> <a href="java\nscript:alert(1)">D</a> <a href="https://">E</a>
       <a href="mailto:help@shop.example?subject=Hi">Help</a>`,
    );
    await watched.page.getByText("6 links in this email").click();
    const links = watched.page.locator("details");
    expect(await links.getByRole("listitem").allInnerTexts()).to.deep.equal([
      "https://bank.example/: https://evil.example/a",
      "Log in: https://evil.example/b",
      "b\u0430nk.example: https://xn--bnk-6cd.example/",
      "\u202eSale: https://shop.example/en/sale?x=%E2%80%AEgpj.exe",
      "Map: https://cdn.example/map",
      "Help: mailto:help@shop.example?subject=Hi",
    ]);
    expect(
      await links.getByRole("link").evaluateAll((all) => all.map((link) => link.getAttribute("href"))),
    ).to.deep.equal([
      "https://evil.example/a",
      "https://evil.example/b",
      "https://xn--bnk-6cd.example/",
      "https://shop.example/en/sale?x=%E2%80%AEgpj.exe",
      "https://cdn.example/map",
    ]);
    expect(watched.actions).to.deep.equal([]);
    await watched.page.context().close();
  });
});
