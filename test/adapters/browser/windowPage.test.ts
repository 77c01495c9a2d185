import { expect } from "chai";
import { useFakeTimers } from "sinon";
import { createPainted, createWindowPage } from "../../../adapters/browser/windowPage.ts";
import { pageContract } from "../../contracts/pageContract.ts";
import { openWindow } from "./browserWindow.ts";

describe("The browser's window", () => {
  pageContract(() => {
    const { window, setMedia, clipboard } = openWindow();
    return {
      page: createWindowPage(window),
      systemPrefers: (theme) => setMedia("(prefers-color-scheme: dark)", theme === "dark"),
      createNarrow: (isNarrow) => setMedia("(max-width: 767.98px)", isNarrow),
      shownTheme: () => window.document.documentElement.getAttribute("data-theme"),
      clipboard: () => clipboard.text,
      refuseCopies: () => {
        clipboard.refuses = true;
      },
      setCookie: (name, value) => {
        window.document.cookie = `${name}=${encodeURIComponent(value)}`;
      },
    };
  });

  it("pushes each path onto the history, and follows back navigation", async () => {
    const { window } = openWindow();
    const page = createWindowPage(window);
    const seen: string[] = [];
    page.path$.subscribe((path) => seen.push(path));
    page.navigate("/login");
    const back = new Promise((resolve) => window.addEventListener("popstate", resolve));
    window.history.back();
    await back;
    expect(seen).to.deep.equal(["/", "/login", "/"]);
  });

  it("keeps the place that the address names where it is asked to, but neither a search nor an invitation", () => {
    const { window } = openWindow();
    const page = createWindowPage(window);
    for (const [before, after] of [
      ["#masks/a/edit?search=shop", "#masks/a/edit"],
      ["#rules", "#rules"],
      ["#invite=secret", ""],
    ] as const) {
      window.location.hash = before;
      page.navigate("/login", { keepsPlace: true });
      expect(window.location.hash).to.equal(after);
    }
    window.location.hash = "#rules";
    page.navigate("/login");
    expect(window.location.hash).to.equal("");
  });

  it("adds the path that the app has on its host to the addresses of its pages, and takes it off again", () => {
    const { window } = openWindow();
    const page = createWindowPage(window, "/bauta");
    page.navigate("/login");
    expect([window.location.pathname, page.path$.value]).to.deep.equal(["/bauta/login", "/login"]);
    window.document.cookie = "csrfToken=a; Path=/bauta";
    window.document.cookie = "csrfToken=b; Path=/";
    page.expireCookie("csrfToken");
    expect(page.cookie("csrfToken"), "that of an installation that has the host itself").to.equal("b");
  });

  it("reports that copying is unavailable where there is no clipboard", async () => {
    const { window } = openWindow();
    const bare = new Proxy(window, {
      get: (real, name) => (name === "navigator" ? {} : (Reflect.get(real, name) as unknown)),
    });
    expect(await createWindowPage(bare).copy("a")()).to.have.nested.property("left.kind", "unavailable");
  });

  it("reads an unencoded cookie unchanged", () => {
    const { window } = openWindow();
    window.document.cookie = "csrfToken=100%";
    expect(createWindowPage(window).cookie("csrfToken")).to.equal("100%");
  });

  it("has painted 50 ms after the second frame, so that the rest of the start does not delay what is shown", () => {
    const clock = useFakeTimers();
    try {
      const seen: number[] = [];
      createPainted(clock as unknown as Window).subscribe(() => seen.push(clock.now));
      const cancelled = createPainted(clock as unknown as Window).subscribe(() => seen.push(-1));
      clock.tick(16);
      cancelled.unsubscribe();
      clock.tick(1_000);
      expect(seen).to.deep.equal([82]);
    } finally {
      clock.restore();
    }
  });
});
