import { readFileSync } from "node:fs";
import { expect } from "chai";
import { createSandbox } from "sinon";
import { startFailureMessage } from "../../core/api/errorMessages.ts";
import { takeEarlyList } from "../../web/loading/earlyList.ts";
import { useDom } from "../support/jsdom.ts";

let runs = 0;

/** Runs the script as the page does, once, before the first paint; returns the applied theme. */
const runThemeScript = async (): Promise<string | undefined> => {
  runs += 1;
  await import(`../../web/theme.ts?run=${runs}`);
  return document.documentElement.dataset["theme"];
};

const sandbox = createSandbox();

const systemPrefersDark = (): void => {
  sandbox.replace(globalThis, "matchMedia", ((media: string) => ({
    media,
    matches: /dark/.test(media),
  })) as typeof matchMedia);
};

describe("The theme before the first paint", () => {
  useDom();
  afterEach(() => sandbox.restore());

  it("is the stored theme, whatever the system prefers (SH5)", async () => {
    systemPrefersDark();
    localStorage.setItem("theme", "light");
    expect(await runThemeScript()).to.equal("light");
    localStorage.setItem("theme", "dark");
    expect(await runThemeScript()).to.equal("dark");
  });

  it("is the system's theme when none, or an invalid one, is stored (SH5)", async () => {
    expect(await runThemeScript()).to.equal("light");
    systemPrefersDark();
    expect(await runThemeScript()).to.equal("dark");
    localStorage.setItem("theme", "<script>");
    expect(await runThemeScript()).to.equal("dark");
  });

  it("works without a storage", async () => {
    sandbox.replace(localStorage, "getItem", () => {
      throw new Error("SecurityError");
    });
    expect(await runThemeScript()).to.equal("light");
  });
});

describe("The page without the script of the app", () => {
  useDom();
  const html = readFileSync(new URL("../../web/index.html", import.meta.url), "utf8");
  const [body = ""] = /<body>[\s\S]*<\/body>/.exec(html) ?? [];
  it("says so (SE10)", async () => {
    document.body.innerHTML = body;
    await runThemeScript();
    const sentence = document.getElementById("start-failure");
    expect([sentence?.hidden, sentence?.textContent]).to.deep.equal([true, startFailureMessage]);
    window.dispatchEvent(new window.Event("appmissing"));
    expect(sentence?.hidden).to.equal(false);
  });
});

describe("The start of the page in a browser that was signed in", () => {
  useDom();
  const requested: string[] = [];
  let sent = new Headers();
  beforeEach(() => {
    requested.length = 0;
    sandbox.replace(globalThis, "fetch", async (url, options) => {
      sent = new Headers(options?.headers);
      requested.push(`${String(url)} ${new Headers(options?.headers).get("authorization")}`);
      return new Response("{}");
    });
  });
  afterEach(() => {
    void takeEarlyList(window, "/masks?limit=500", "a.b.c");
    sandbox.restore();
  });

  it("requests the list before the app runs, for the first request with the same token", async () => {
    localStorage.setItem("authToken", "a.b.c");
    await runThemeScript();
    expect(requested).to.deep.equal(["/masks?limit=500 Bearer a.b.c"]);
    expect(takeEarlyList(window, "/account", "a.b.c")).to.equal(undefined);
    expect(await takeEarlyList(window, "/masks?limit=500", "a.b.c")).to.be.instanceOf(Response);
    expect(takeEarlyList(window, "/masks?limit=500", "a.b.c"), "once").to.equal(undefined);
  });

  it("requests it with the headers of every request (RQ1, RQ2)", async () => {
    localStorage.setItem("authToken", "a.b.c");
    localStorage.setItem("csrfToken", "stored");
    await runThemeScript();
    expect(sent.get("x-request-id")).to.match(/^[0-9a-f]{32}$/);
    expect(sent.get("x-csrf-token")).to.equal("stored");
    sandbox.replaceGetter(document, "cookie", () => "theme=dark; csrfToken=a%2Bb%3D");
    await runThemeScript();
    expect(sent.get("x-csrf-token"), "the cookie comes first").to.equal("a+b=");
  });

  it("finds its server, its files and what it has stored under the path that it has on its host", async () => {
    document.head.innerHTML = '<meta name="base-address" content="/bauta">';
    localStorage.setItem("authToken", "another installation's");
    localStorage.setItem("authToken/bauta", "a.b.c");
    try {
      await runThemeScript();
      expect(requested).to.deep.equal(["/bauta/masks?limit=500 Bearer a.b.c"]);
      expect(await takeEarlyList(window, "/bauta/masks?limit=500", "a.b.c")).to.be.instanceOf(Response);
    } finally {
      document.head.innerHTML = "";
    }
  });

  it("requests nothing of its own server for a page of another one (D3)", async () => {
    document.head.innerHTML = '<meta name="base-address" content="https://mail.example.org">';
    localStorage.setItem("authToken", "a.b.c");
    await runThemeScript();
    document.head.innerHTML = "";
    expect(requested).to.deep.equal([]);
  });

  it("does not give the list to another session", async () => {
    localStorage.setItem("authToken", "a.b.c");
    await runThemeScript();
    expect(takeEarlyList(window, "/masks?limit=500", "d.e.f")).to.equal(undefined);
    expect(takeEarlyList(window, "/masks?limit=500", "a.b.c")).to.equal(undefined);
  });

  it("requests nothing for a visitor, and nothing with a session that has expired", async () => {
    await runThemeScript();
    localStorage.setItem("authToken", "a.b.c");
    localStorage.setItem("tokenExpiry", "1000");
    await runThemeScript();
    expect(requested).to.deep.equal([]);
  });
});
