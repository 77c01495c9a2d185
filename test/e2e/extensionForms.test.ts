import { expect } from "chai";
import type { Frame, Locator, Page } from "playwright-core";
import { connectByHand, useExtension } from "./support/extension.ts";
import { formWith, useSites } from "./support/forms.ts";
import { sendMail } from "./support/mail.ts";
import { useServer } from "./support/product.ts";

interface ListedMask {
  readonly id: string;
  readonly maskEmail: string;
  readonly madeFor?: string;
}

/** The place that the extension has added to a page or a frame. */
const place = "div[popover]";

describe("The extension in the forms of sites, in a real browser", () => {
  const server = useServer();
  const browser = useExtension();
  const sites = useSites();
  let token = "";
  before(async () => {
    token = await connectByHand(browser, server, "forms@example.org");
    // A field that nothing tells as one for an address.
    sites.serve("/odd", formWith("", '<input id="odd" name="x7" aria-label="Contact">'));
  });

  const masks = async (): Promise<readonly ListedMask[]> => {
    const answer = await fetch(`${server.url}/masks`, { headers: { authorization: `Bearer ${token}` } });
    return ((await answer.json()) as { readonly masks: readonly ListedMask[] }).masks;
  };

  /** Has the codes of a site's mask shown, which its owner has to want. */
  const showCodes = async (site: string): Promise<void> => {
    const mask = (await masks()).find(({ madeFor }) => madeFor === site);
    const answer = await fetch(`${server.url}/masks/${mask?.id}`, {
      method: "PUT",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ settings: { showCodes: true } }),
    });
    expect(answer.status).to.equal(200);
  };

  const open = async (site: string, path: string): Promise<Page> => {
    const page = await browser.context.newPage();
    await page.goto(sites.at(site, path));
    return page;
  };

  /** Presses the button at the end of a field, once it stands there, until `isDone`. */
  const pressButton = async (page: Page, field: Locator, isDone: () => Promise<boolean>): Promise<void> => {
    const box = await field.boundingBox();
    if (box === null) throw new Error("the field is not visible");
    // A press within the first moment does not count.
    while (!(await isDone())) {
      await page.mouse.click(box.x + box.width - 18, box.y + box.height / 2);
      await page.evaluate(() => new Promise((painted) => requestAnimationFrame(painted)));
    }
  };

  /** Clicks into a field and presses the button that appears in it, as a user does; returns the new value. */
  const fill = async (page: Page, field: Locator, frame: Page | Frame = page): Promise<string> => {
    const before = await field.inputValue();
    await field.click();
    await frame.locator(place).waitFor({ state: "attached" });
    await pressButton(page, field, async () => (await field.inputValue()) !== before);
    return field.inputValue();
  };

  /** The steps before the field is there, by the path of the form. */
  const steps: Readonly<Record<string, (page: Page) => Promise<void>>> = {
    "/routed": (page) => page.locator("#go").click(),
    "/disabled": (page) => page.locator("#terms").check(),
    "/late": (page) => page.locator("#open").click(),
  };

  for (const path of [
    "/plain",
    "/react",
    "/vue",
    "/vue-lazy",
    "/svelte",
    "/angular",
    "/shadow",
    "/strict",
    "/routed",
    "/steps",
    "/prefilled",
    "/masked",
    "/disabled",
    "/late",
  ])
    it(`fills in a new mask, which the page's own script sees, and finds it at the second visit: ${path}`, async () => {
      const site = `${path.slice(1)}.example`;
      const first = await open(site, path);
      await steps[path]?.(first);
      const address = await fill(first, first.locator("#mail"));
      const made = (await masks()).filter(({ madeFor }) => madeFor === site);
      expect(made.map(({ maskEmail }) => maskEmail)).to.deep.equal([address]);
      expect(await first.title()).to.equal(address);
      await first.close();
      const second = await open(`www.${site}`, path);
      await steps[path]?.(second);
      expect(await fill(second, second.locator("#mail"))).to.equal(address);
      expect((await masks()).filter(({ madeFor }) => madeFor === site)).to.have.lengthOf(1);
      await second.close();
    });

  for (const path of ["/frame", "/srcdoc"])
    it(`fills in a frame of the same site: ${path}`, async () => {
      const page = await open("framed.example", path);
      const frame = page.frames()[1];
      if (frame === undefined) throw new Error("there is no frame");
      const address = await fill(page, frame.locator("#mail"), frame);
      const made = (await masks()).filter(({ madeFor }) => madeFor === "framed.example");
      expect(made.map(({ maskEmail }) => maskEmail)).to.deep.equal([address]);
      await page.close();
    });

  it("fills in a field that the page hides from scripts in a closed shadow root", async () => {
    const page = await open("closed.example", "/closed");
    const host = page.locator("#host");
    await host.click();
    await page.locator(place).waitFor({ state: "attached" });
    await pressButton(page, host, async () => (await page.title()) !== "");
    expect((await masks()).find(({ madeFor }) => madeFor === "closed.example")?.maskEmail).to.equal(
      await page.title(),
    );
    await page.close();
  });

  it("sends the button away by Escape, until the focus comes again", async () => {
    const page = await open("escape.example", "/plain");
    await page.locator("#mail").click();
    await page.locator(place).waitFor({ state: "attached" });
    await page.keyboard.press("Escape");
    await page.locator(place).waitFor({ state: "detached" });
    await page.keyboard.type("ada");
    await page.keyboard.press("Tab");
    expect(await page.locator(place).count()).to.equal(0);
    await page.keyboard.press("Shift+Tab");
    await page.locator(place).waitFor({ state: "attached" });
    await page.close();
  });

  it("fills in by the shortcut, also a field that it does not know as one for an address", async () => {
    const page = await open("keyboard.example", "/odd");
    await page.keyboard.press("Tab");
    await browser.pressShortcut(page);
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>("#odd")?.value !== "");
    const address = await page.locator("#odd").inputValue();
    await page.keyboard.press("Tab");
    await page.locator(place).waitFor({ state: "attached" });
    await browser.pressShortcut(page);
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>("#mail")?.value !== "");
    expect(await page.locator("#mail").inputValue()).to.equal(address);
    await page.close();
  });

  it("fills in by the menu of a field, in the page or in a frame of it", async () => {
    const page = await open("menu.example", "/odd");
    await page.locator("#odd").click({ button: "right" });
    await browser.chooseInMenu(page);
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>("#odd")?.value !== "");
    const address = await page.locator("#odd").inputValue();
    await page.close();
    const framed = await open("menu.example", "/frame");
    const field = framed.frames()[1]?.locator("#mail");
    await field?.click();
    await browser.chooseInMenu(framed, "/plain");
    await framed.frames()[1]?.waitForFunction(() => document.querySelector("input")?.value !== "");
    expect(await field?.inputValue()).to.equal(address);
    await framed.close();
  });

  it("offers the code that arrives at the mask of the site in the field that waits for it, once", async () => {
    sites.serve(
      "/code",
      formWith("", '<label>Code <input id="code" autocomplete="one-time-code" style="width:300px"></label>'),
    );
    const page = await open("codes.example", "/code");
    const address = await fill(page, page.locator("#mail"));
    await showCodes("codes.example");
    const code = page.locator("#code");
    await code.click();
    await sendMail(server, address, {
      from: "Codes <noreply@codes.example>",
      subject: "Your sign-in code",
      text: "Your verification code is 482199. It works for 10 minutes.",
    });
    await page.locator(place).waitFor({ state: "attached" });
    const box = await code.boundingBox();
    if (box === null) throw new Error("the field is not visible");
    while ((await code.inputValue()) === "") {
      await page.mouse.click(box.x + box.width - 20, box.y + box.height + 16);
      await page.evaluate(() => new Promise((painted) => requestAnimationFrame(painted)));
    }
    expect(await code.inputValue()).to.equal("482199");
    await page.close();
  });

  describe("that lie", () => {
    /** Waits until the extension has answered a user in another page, after what a lying page has done before. */
    const untilOtherPageIsFilled = async (site: string): Promise<void> => {
      const honest = await open(site, "/plain");
      await fill(honest, honest.locator("#mail"));
      await honest.close();
    };
    const countFor = async (site: string): Promise<number> =>
      (await masks()).filter(({ madeFor }) => madeFor === site).length;

    it("get nothing by events and messages of their own", async () => {
      sites.serve(
        "/events",
        formWith(`
          const field = document.getElementById("mail");
          for (let times = 0; times < 2_000; times += 1) {
            field.focus();
            for (const type of ["pointerdown", "pointerup", "click", "keydown", "keyup", "focusin"])
              field.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
            field.click();
          }
          for (const kind of ["fill", "mask", "code", "token", "handover"])
            for (const message of [{ kind }, { bauta: "connect", step: "give", kind, token: "bauta_x" }])
              window.postMessage(message, "*");
          Object.prototype.kind = "fill";
          Object.prototype.address = "evil@evil.example";
          document.title = "done";`),
      );
      const page = await open("events.example", "/events");
      await page.waitForFunction(() => document.title === "done");
      await untilOtherPageIsFilled("honest-one.example");
      expect(await page.locator(place).count()).to.equal(0);
      expect(await countFor("events.example")).to.equal(0);
      // The user gets what belongs to the site all the same.
      expect(await fill(page, page.locator("#mail"))).to.match(/@masks\.localhost$/);
      await page.close();
    });

    it("get nothing in a frame of another site, or in a sandbox", async () => {
      const inner = sites.at("tracker.example", "/plain");
      sites.serve("/foreign", formWith("", `<iframe src="${inner}" width="600" height="120"></iframe>`));
      sites.serve(
        "/sandboxed",
        formWith("", '<iframe src="/plain" sandbox="allow-scripts" width="600" height="120"></iframe>'),
      );
      for (const path of ["/foreign", "/sandboxed"]) {
        const page = await open("framing.example", path);
        const frame = page.frames()[1];
        await frame?.locator("#mail").click();
        await page.keyboard.press("Shift");
        await untilOtherPageIsFilled("honest-two.example");
        expect(await frame?.locator(place).count()).to.equal(0);
        await page.close();
      }
      expect([await countFor("tracker.example"), await countFor("framing.example")]).to.deep.equal([0, 0]);
    });

    it("get nothing by a field or a button that the user cannot see", async () => {
      const unseen: readonly (readonly [string, string])[] = [
        ["clear", "opacity = '0'"],
        ["faint", "opacity = '.01'"],
        ["filtered", "filter = 'opacity(1%)'"],
      ];
      for (const [name, style] of unseen) {
        sites.serve(`/${name}`, formWith(`document.getElementById("mail").parentElement.style.${style};`));
        const page = await open(`${name}.example`, `/${name}`);
        await page.locator("#mail").click();
        await page.keyboard.press("Shift");
        await untilOtherPageIsFilled("honest-three.example");
        expect(await page.locator(place).count(), name).to.equal(0);
        await page.close();
      }
      const veils: readonly (readonly [string, string])[] = [
        ["hidden", "host.style.setProperty('opacity', '0', 'important');"],
        ["thin", "host.style.setProperty('opacity', '.01', 'important');"],
        ["huge", "host.style.setProperty('transform', 'scale(60)', 'important');"],
        ["clipped", "host.style.setProperty('clip-path', 'inset(45%)', 'important');"],
        [
          "covered",
          `const veil = document.createElement("div");
           veil.popover = "manual";
           veil.style.cssText =
             "position:fixed;inset:0;width:100vw;height:100vh;background:#fff;pointer-events:none";
           document.body.append(veil);
           setTimeout(() => veil.showPopover(), 50);`,
        ],
      ];
      for (const [name, veil] of veils) {
        sites.serve(
          `/${name}`,
          formWith(`new MutationObserver((records) => {
            for (const { addedNodes } of records)
              for (const host of addedNodes) if (host.popover === "manual" && host.id === "") { ${veil} }
          }).observe(document.documentElement, { childList: true });`),
        );
        const page = await open(`${name}.example`, `/${name}`);
        const field = page.locator("#mail");
        await field.click();
        await page.locator(place).first().waitFor({ state: "attached" });
        const box = await field.boundingBox();
        for (let times = 0; times < 60 && box !== null; times += 1) {
          await page.mouse.click(box.x + box.width - 18, box.y + box.height / 2);
          await page.evaluate(() => new Promise((painted) => requestAnimationFrame(painted)));
        }
        await untilOtherPageIsFilled("honest-three.example");
        expect(await countFor(`${name}.example`), name).to.equal(0);
        await page.close();
      }
    });
  });
});
