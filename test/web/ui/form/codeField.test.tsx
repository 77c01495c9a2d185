import "../../../support/dom.ts";
import { fireEvent, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect } from "chai";
import fc from "fast-check";
import { useState } from "react";
import { spy } from "sinon";
import { CodeField, digitsIn } from "../../../../web/ui/form/CodeField.tsx";
import { useDom } from "../../../support/jsdom.ts";

const Held = ({ onComplete }: { readonly onComplete?: (code: string) => void }) => {
  const [value, setValue] = useState("");
  return (
    <CodeField
      length={6}
      label="Verification code"
      value={value}
      onChange={setValue}
      onComplete={onComplete}
    />
  );
};

const box = (): HTMLInputElement =>
  screen.getByRole<HTMLInputElement>("textbox", { name: "Verification code" });

const cells = (): readonly string[] =>
  [...document.querySelectorAll(".cell")].map((cell) => cell.textContent ?? "");

describe("CodeField", () => {
  useDom();

  it("is a single numeric field that phones can fill (one-time-code)", () => {
    render(<Held />);
    expect(screen.getAllByRole("textbox")).to.have.length(1);
    expect(box().getAttribute("autocomplete")).to.equal("one-time-code");
    expect(box().getAttribute("inputmode")).to.equal("numeric");
  });

  it("accepts digits only, six at most, and reports when they are complete", async () => {
    const complete = spy();
    render(<Held onComplete={complete} />);
    await userEvent.type(box(), "1a2-3 45");
    expect(cells()).to.deep.equal(["1", "2", "3", "4", "5", ""]);
    expect(complete.callCount).to.equal(0);
    await userEvent.type(box(), "678");
    expect(box().value).to.equal("123456");
    expect(complete.args).to.deep.equal([["123456"]]);
  });

  it("says that a code has six digits when other text is pasted, until a digit is typed", async () => {
    render(<Held />);
    box().focus();
    await userEvent.paste("ada@example.org");
    screen.getByText("A code has 6 digits.");
    await userEvent.paste("1");
    expect(screen.queryByText("A code has 6 digits.")).to.equal(null);
  });

  it("extracts the code from a pasted sentence", async () => {
    const complete = spy();
    render(<Held onComplete={complete} />);
    box().focus();
    await userEvent.paste("Your code is 123 456.");
    expect(cells().join("")).to.equal("123456");
    expect(complete.args).to.deep.equal([["123456"]]);
  });

  it("shows where the next digit goes, and nothing while it is not focused", async () => {
    render(<Held />);
    const current = () =>
      [...document.querySelectorAll(".cell")].findIndex((cell) => cell.classList.contains("current"));
    expect(current()).to.equal(-1);
    await userEvent.type(box(), "12");
    fireEvent.select(box());
    expect(current()).to.equal(2);
    await userEvent.tab();
    expect(current()).to.equal(-1);
  });

  it("moves the caret back to the end, so that a digit never goes into the middle", async () => {
    render(<Held />);
    await userEvent.type(box(), "1234");
    box().setSelectionRange(1, 1);
    fireEvent.select(box());
    expect(box().selectionStart).to.equal(4);
  });

  it("lets the whole code be selected and typed over", async () => {
    render(<Held />);
    await userEvent.type(box(), "1234");
    box().setSelectionRange(0, 4);
    fireEvent.select(box());
    expect(document.querySelectorAll(".current")).to.have.length(4);
    await userEvent.keyboard("9");
    expect(box().value).to.equal("9");
  });

  it("associates its error with the field", () => {
    render(
      <CodeField length={6} label="Verification code" value="" onChange={() => {}} error="Invalid code" />,
    );
    expect(document.getElementById(box().getAttribute("aria-describedby") ?? "")?.textContent).to.equal(
      "Invalid code",
    );
  });

  it("never accepts anything but ASCII digits, nor more than requested", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 10 }), (text, length) => {
        const digits = digitsIn(text, length);
        expect(digits).to.match(/^[0-9]*$/);
        expect(digits.length).to.be.at.most(length);
      }),
    );
  });

  for (const [text, code] of [
    ["Your code to log in to Bauta at 127.0.0.1:4100: 123456", "123456"],
    ["Your code to log in to Bauta at 127.0.0.1:4100:\n\n123456\n\nIt expires in 10 minutes.", "123456"],
    ["at mail.998877.example:4100: 123456. It works once.", "123456"],
    ["042137 is your Bauta sign-in code", "042137"],
    ["20261121 12:30 (042137)", "042137"],
    ["At 127.0.0.1:4100: 123 456.", "123456"],
    ["code:123456", "123456"],
    ["127.0.0.1:4100", "127001"],
    ["１２３", "123"],
    ["١٢٣٤٥٦", "123456"],
    ["۱۲۳۴۵۶", "123456"],
    ["१२३४५६", "123456"],
    ["𞥑𞥒𞥓", "123"],
  ] as const) {
    it(`reads ${JSON.stringify(text)} as ${code}`, () => {
      expect(digitsIn(text, 6)).to.equal(code);
    });
  }

  it("finds the only word of six digits among any others", () => {
    const other = fc.stringMatching(/^([a-z]{1,8}|\d{1,2}|\d{4,5}|\d{7,9}|\d{1,3}\.\d{1,3}\.\d{6}:\d{6})$/);
    fc.assert(
      fc.property(fc.array(other), fc.stringMatching(/^\d{6}$/), fc.array(other), (before, code, after) => {
        fc.pre(!/\d{3}[ -]\d{3}/.test([...before, "|", ...after].join(" ")));
        expect(digitsIn([...before, code, ...after].join(" "), 6)).to.equal(code);
      }),
    );
  });

  it("converts decimal digits of any script", () => {
    const digits = Array.from({ length: 0x110000 }, (_, at) => at)
      .filter((at) => at < 0xd800 || at > 0xdfff)
      .map((at) => String.fromCodePoint(at))
      .filter((text) => /^\p{Nd}$/u.test(text));
    expect(digits.length).to.be.above(600);
    expect(digits.map((digit) => digitsIn(digit, 1)).join("")).to.equal(
      "0123456789".repeat(digits.length / 10),
    );
  });
});
