import { expect } from "chai";
import type { Page, Theme } from "../../core/ports/page.ts";

export interface PageSubject {
  readonly page: Page;
  readonly systemPrefers: (theme: Theme) => void;
  readonly createNarrow: (isNarrow: boolean) => void;
  readonly shownTheme: () => string | null;
  readonly clipboard: () => string | null;
  readonly refuseCopies: () => void;
  readonly setCookie: (name: string, value: string) => void;
}

/** The tests that every page must pass. */
export const pageContract = (make: () => PageSubject): void => {
  it("reports the current path, each new one once", () => {
    const { page } = make();
    const seen: string[] = [];
    const watching = page.path$.subscribe((path) => seen.push(path));
    page.navigate("/login");
    page.navigate("/login");
    page.navigate("/");
    watching.unsubscribe();
    expect(seen).to.deep.equal(["/", "/login", "/"]);
    expect(page.path$.value).to.equal("/");
  });

  it("follows the system's theme and the window's width", () => {
    const { page, systemPrefers, createNarrow } = make();
    const seen: unknown[] = [];
    page.systemTheme$.subscribe((theme) => seen.push(theme));
    page.narrow$.subscribe((narrow) => seen.push(narrow));
    systemPrefers("dark");
    createNarrow(true);
    expect(seen).to.deep.equal(["light", false, "dark", true]);
    expect([page.systemTheme$.value, page.narrow$.value]).to.deep.equal(["dark", true]);
  });

  it("writes the theme to the document", () => {
    const { page, shownTheme } = make();
    page.showTheme("dark");
    expect(shownTheme()).to.equal("dark");
    page.showTheme("light");
    expect(shownTheme()).to.equal("light");
  });

  it("copies text, or reports that it is not allowed to", async () => {
    const { page, clipboard, refuseCopies } = make();
    expect(await page.copy("a@masks.example")()).to.have.property("_tag", "Right");
    expect(clipboard()).to.equal("a@masks.example");
    refuseCopies();
    expect(await page.copy("b@masks.example")()).to.have.nested.property("left.kind", "unavailable");
    expect(clipboard()).to.equal("a@masks.example");
  });

  it("reads the cookies that scripts may read", () => {
    const { page, setCookie } = make();
    setCookie("other", "x");
    setCookie("csrfToken", "a+b/c=");
    expect(page.cookie("csrfToken")).to.equal("a+b/c=");
    expect(page.cookie("csrf")).to.equal(null);
    expect(page.cookie("Token")).to.equal(null);
    page.expireCookie("csrfToken");
    expect(page.cookie("csrfToken")).to.equal(null);
    expect(page.cookie("other")).to.equal("x");
  });
};
