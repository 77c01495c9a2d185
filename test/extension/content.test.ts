import { expect } from "chai";
import { spy } from "sinon";
import { settled } from "../fakes/virtualClock.ts";
import { useDom } from "../support/jsdom.ts";

const manyFields = 5_000;

describe("The script of the extension in a page", () => {
  useDom();

  it("reads nothing of a page with thousands of fields when it loads, nor for what the page does by itself", async () => {
    document.body.innerHTML = '<input type="email" name="email">'.repeat(manyFields);
    const sent: unknown[] = [];
    const runtime = {
      id: "own",
      sendMessage: async (message: unknown) => sent.push(message),
      onMessage: { addListener: () => {} },
    };
    Object.assign(globalThis, { chrome: { runtime } });
    const reads: string[] = [];
    const watched = [
      [Document.prototype, "activeElement"],
      [Document.prototype, "querySelectorAll"],
      [Document.prototype, "getElementsByTagName"],
      [Element.prototype, "querySelectorAll"],
      [Element.prototype, "getAttribute"],
      [HTMLInputElement.prototype, "type"],
      [HTMLInputElement.prototype, "value"],
    ] as const;
    const kept = watched.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name));
    const listening = spy(window, "addEventListener");
    const beginning = spy(globalThis, "setTimeout");
    for (const [n, [owner, name]] of watched.entries())
      Object.defineProperty(owner, name, {
        configurable: true,
        get: () => {
          reads.push(name);
          return kept[n]?.value;
        },
      });
    await import("../../extension/content/content.ts");
    for (let times = 0; times < 1_000; times += 1)
      for (const type of ["pointerup", "click", "keyup", "keydown", "focusin", "input", "message"]) {
        const event = document.createEvent("Event");
        event.initEvent(type, true);
        window.dispatchEvent(event);
      }
    for (const [n, [owner, name]] of watched.entries())
      Object.defineProperty(owner, name, kept[n] as PropertyDescriptor);
    Reflect.deleteProperty(globalThis, "chrome");
    expect([reads, sent, beginning.callCount]).to.deep.equal([[], [], 0]);
    expect(listening.args.map(([type]) => type)).to.deep.equal(["pointerup", "click", "keyup"]);
    listening.restore();
    beginning.restore();
  });

  it("asks by the shortcut for a code in a field for one, and for a mask in any other", async () => {
    const sent: unknown[] = [];
    const listeners: ((message: unknown, sender: object) => void)[] = [];
    const runtime = {
      id: "own",
      sendMessage: async (message: unknown) => {
        sent.push(message);
        return {};
      },
      onMessage: { addListener: (listener: (typeof listeners)[number]) => void listeners.push(listener) },
    };
    Object.assign(globalThis, { chrome: { runtime } });
    Reflect.deleteProperty(globalThis, Symbol.for("bauta.content"));
    const script = "../../extension/content/content.ts?shortcut";
    await import(script);
    const rect = () => ({ width: 200, height: 30, top: 10, left: 10, bottom: 40, right: 210 });
    Object.assign(document, { hasFocus: () => true });
    for (const field of ['<input autocomplete="one-time-code">', '<input name="x7">']) {
      document.body.innerHTML = field;
      const input = document.querySelector("input") as HTMLInputElement;
      Object.assign(input, { getBoundingClientRect: rect, checkVisibility: () => true });
      input.focus();
      for (const listener of listeners) listener({ kind: "fill" }, { id: "own" });
      await settled();
    }
    Reflect.deleteProperty(document, "hasFocus");
    Reflect.deleteProperty(globalThis, "chrome");
    expect(sent).to.deep.equal([
      { kind: "code", isCalled: true },
      { kind: "mask", isCalled: true },
    ]);
  });
});
