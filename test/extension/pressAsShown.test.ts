import { expect } from "chai";
import { isPressAsShown, type ShownHost } from "../../extension/content/asShown.ts";
import { isPlainlyVisible } from "../../extension/content/focusedField.ts";
import { useDom } from "../support/jsdom.ts";

const size = 24;
const rectOf =
  (left: number, top: number, edge = size) =>
  () => ({
    left,
    top,
    width: edge,
    height: edge,
    right: left + edge,
    bottom: top + edge,
  });

interface Page {
  readonly host: HTMLElement;
  readonly button: HTMLElement;
  readonly shown: ShownHost;
}

/** A host at 100, 50 with a button of its size; jsdom lays nothing out. */
const open = (): Page => {
  document.body.innerHTML = "";
  const host = document.createElement("div");
  const button = document.createElement("button");
  host.append(button);
  document.documentElement.append(host);
  host.style.setProperty("opacity", "1", "important");
  for (const element of [host, button]) Object.assign(element, { getBoundingClientRect: rectOf(100, 50) });
  for (const name of ["offsetWidth", "offsetHeight"]) Object.defineProperty(button, name, { value: size });
  Object.assign(document, { elementFromPoint: () => host });
  return {
    host,
    button,
    shown: { left: 100, top: 50, style: host.getAttribute("style"), parent: document.documentElement },
  };
};

const pointer = { clientX: 110, clientY: 60, detail: 1 };

describe("A press on the button in a field", () => {
  useDom();
  afterEach(() => {
    Reflect.deleteProperty(document, "elementFromPoint");
    for (const host of document.querySelectorAll("html > div")) host.remove();
  });

  it("counts on what the user was shown, by a pointer or a key", () => {
    const { host, button, shown } = open();
    expect(isPressAsShown(host, button, shown, pointer)).to.equal(true);
    expect(isPressAsShown(host, button, shown, { clientX: 0, clientY: 0, detail: 0 })).to.equal(true);
  });

  const lies: readonly (readonly [string, (page: Page) => void])[] = [
    ["fades it a little", ({ host }) => host.style.setProperty("opacity", ".01", "important")],
    ["clips it", ({ host }) => host.style.setProperty("clip-path", "inset(45%)")],
    ["moves it", ({ host }) => Object.assign(host, { getBoundingClientRect: rectOf(90, 50) })],
    ["grows it", ({ button }) => Object.assign(button, { getBoundingClientRect: rectOf(100, 50, 900) })],
    ["takes it into a part of its own", ({ host }) => document.body.append(host)],
    ["covers it", () => Object.assign(document, { elementFromPoint: () => document.body })],
  ];
  for (const [what, lie] of lies)
    it(`counts not when the page ${what}`, () => {
      const page = open();
      lie(page);
      expect(isPressAsShown(page.host, page.button, page.shown, pointer)).to.equal(false);
      page.host.remove();
    });

  it("counts not beside the button", () => {
    const { host, button, shown } = open();
    expect(isPressAsShown(host, button, shown, { ...pointer, clientX: 300 })).to.equal(false);
  });
});

describe("A field", () => {
  useDom();

  for (const [what, outer, inner, isSeen] of [
    ["is seen", "", "", true],
    ["is seen where the page fades it a little", "opacity: .6", "opacity: .8", true],
    ["is not seen at one percent", "", "opacity: .01", false],
    ["is not seen in a part at one percent", "opacity: .01", "", false],
    ["is not seen where several parts fade it together", "opacity: .4", "opacity: .4", false],
    ["is not seen behind a filter", "filter: opacity(1%)", "", false],
  ] as const)
    it(what, () => {
      document.body.innerHTML = `<div style="${outer}"><input style="${inner}"></div>`;
      const field = document.querySelector("input") as HTMLInputElement;
      Object.assign(field, { getBoundingClientRect: rectOf(10, 10), checkVisibility: () => true });
      expect(isPlainlyVisible(field)).to.equal(isSeen);
    });
});
