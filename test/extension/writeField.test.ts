import "../support/dom.ts";
import { expect } from "chai";
import { writeCode, writeText } from "../../extension/content/writeField.ts";
import { useDom } from "../support/jsdom.ts";

const fields = (): readonly HTMLInputElement[] => [...document.querySelectorAll("input")];

describe("What is written into a field", () => {
  useDom();
  const { Event: ofNode } = globalThis;
  beforeEach(() => Object.assign(globalThis, { Event: document.defaultView?.Event }));
  afterEach(() => Object.assign(globalThis, { Event: ofNode }));

  it("leaves the focus where the user types by now", () => {
    document.body.innerHTML = '<input id="mail"><input id="password" type="password">';
    const [mail, password] = fields();
    password?.focus();
    if (mail !== undefined) writeText(mail, "a@masks.example");
    expect([mail?.value, document.activeElement]).to.deep.equal(["a@masks.example", password]);
  });

  it("goes into the boxes of a code, one character each", () => {
    document.body.innerHTML = `<form>${'<input maxlength="1">'.repeat(4)}</form>`;
    const [first] = fields();
    if (first !== undefined) writeCode(first, "4821");
    expect(fields().map(({ value }) => value)).to.deep.equal(["4", "8", "2", "1"]);
  });
});
