import "../../../support/dom.ts";
import { render, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect } from "chai";
import { useState } from "react";
import { spy } from "sinon";
import { Checkbox } from "../../../../web/ui/form/Checkbox.tsx";
import { SearchField } from "../../../../web/ui/form/SearchField.tsx";
import { Switch } from "../../../../web/ui/form/Switch.tsx";
import { TextField } from "../../../../web/ui/form/TextField.tsx";
import { useDom } from "../../../support/jsdom.ts";

const descriptionOf = (element: Element): string =>
  (element.getAttribute("aria-describedby") ?? "")
    .split(" ")
    .map((id) => document.getElementById(id)?.textContent ?? "?")
    .join(" | ");

const noop = (): void => {};

describe("TextField", () => {
  useDom();

  it("is found by its label and reports its input", async () => {
    const Held = () => {
      const [value, setValue] = useState("");
      return <TextField label="Description" value={value} onChange={setValue} />;
    };
    render(<Held />);
    await userEvent.type(screen.getByRole("textbox", { name: "Description" }), "Shopping");
    expect(screen.getByRole<HTMLInputElement>("textbox").value).to.equal("Shopping");
  });

  it("keeps password managers off fields that are for no login", () => {
    render(
      <>
        <TextField label="Description" value="" onChange={noop} />
        <TextField label="Email" value="" onChange={noop} autoComplete="username" />
      </>,
    );
    const isIgnored = (name: string): boolean =>
      screen.getByRole("textbox", { name }).hasAttribute("data-1p-ignore");
    expect([isIgnored("Description"), isIgnored("Email")]).to.deep.equal([true, false]);
  });

  it("describes its error before its hint, and is marked invalid", () => {
    render(
      <TextField
        label="Forward to"
        value="x"
        onChange={noop}
        description="Where mail goes."
        error="Please enter a valid email address"
      />,
    );
    const box = screen.getByRole("textbox", { name: "Forward to" });
    expect(descriptionOf(box)).to.equal("Please enter a valid email address | Where mail goes.");
    expect(box.getAttribute("aria-invalid")).to.equal("true");
  });

  it("references no description that does not exist", () => {
    render(<TextField label="Forward to" value="x" onChange={noop} />);
    expect(screen.getByRole("textbox").hasAttribute("aria-describedby")).to.equal(false);
    expect(screen.getByRole("textbox").hasAttribute("aria-invalid")).to.equal(false);
  });

  it("puts a later error into a live region that already existed", () => {
    const { rerender, container } = render(<TextField label="Code" value="" onChange={noop} />);
    const region = container.querySelector<HTMLElement>("[aria-live=polite]");
    rerender(<TextField label="Code" value="" onChange={noop} error="Too short" />);
    expect(region === null ? null : within(region).getByText("Too short")).to.not.equal(null);
  });

  it("accepts at most its maximum length and counts the characters", async () => {
    const Held = () => {
      const [value, setValue] = useState("");
      return <TextField label="Prefix" value={value} onChange={setValue} maxLength={10} showsCount />;
    };
    render(<Held />);
    await userEvent.type(screen.getByLabelText("Prefix"), "abcdefghijklm");
    expect(screen.getByRole<HTMLInputElement>("textbox").value).to.equal("abcdefghij");
    expect(screen.getByText("10/10")).to.not.equal(null);
  });

  it("is read-only without a change handler", () => {
    render(<TextField label="Address" value="a@b.example" />);
    expect(screen.getByRole<HTMLInputElement>("textbox").readOnly).to.equal(true);
  });
});

describe("Checkbox", () => {
  useDom();

  it("is checked by its label and by Space", async () => {
    const change = spy();
    render(<Checkbox label="I accept" isChecked={false} onChange={change} error="You must accept" />);
    await userEvent.click(screen.getByText("I accept"));
    screen.getByRole("checkbox", { name: "I accept" }).focus();
    await userEvent.keyboard(" ");
    expect(change.args).to.deep.equal([
      [true, false],
      [true, false],
    ]);
    expect(descriptionOf(screen.getByRole("checkbox"))).to.equal("You must accept");
  });

  it("says that some of what it stands for is chosen and some is not", () => {
    const box = () => screen.getByRole<HTMLInputElement>("checkbox", { name: "All masks" });
    const { rerender } = render(
      <Checkbox label="All masks" isChecked={false} isMixed onChange={() => undefined} />,
    );
    expect(box().indeterminate).to.equal(true);
    rerender(<Checkbox label="All masks" isChecked onChange={() => undefined} />);
    expect([box().indeterminate, box().checked]).to.deep.equal([false, true]);
  });
});

describe("Switch", () => {
  useDom();

  it("is a switch named by its label, on or off", async () => {
    const change = spy();
    const { rerender } = render(
      <Switch label="Spam filter" description="Refuses spam." isOn onChange={change} />,
    );
    const knob = screen.getByRole<HTMLInputElement>("switch", { name: "Spam filter" });
    expect(knob.checked).to.equal(true);
    expect(descriptionOf(knob)).to.equal("Refuses spam.");
    await userEvent.click(knob);
    rerender(<Switch label="Spam filter" isOn={false} onChange={change} />);
    knob.focus();
    await userEvent.keyboard(" ");
    expect(change.args).to.deep.equal([[false], [true]]);
  });

  it("ignores presses while a change is pending", async () => {
    const change = spy();
    render(<Switch label="Active" isOn isPending onChange={change} />);
    await userEvent.click(screen.getByRole("switch"));
    expect(change.callCount).to.equal(0);
    expect(screen.getByRole<HTMLInputElement>("switch").checked).to.equal(true);
  });
});

describe("SearchField", () => {
  useDom();

  const Held = () => {
    const [value, setValue] = useState("");
    return <SearchField label="Search masks" value={value} onChange={setValue} />;
  };

  it("is cleared by its button, which keeps the focus in the field", async () => {
    render(<Held />);
    const box = screen.getByRole<HTMLInputElement>("searchbox", { name: "Search masks" });
    expect(screen.queryByRole("button")).to.equal(null);
    await userEvent.type(box, "shop");
    await userEvent.click(screen.getByRole("button", { name: "Clear search" }));
    expect(box.value).to.equal("");
    expect(document.activeElement).to.equal(box);
  });

  it("is cleared by Escape, and lets Escape propagate when it is empty", async () => {
    const outer = spy();
    render(
      // biome-ignore lint/a11y/noStaticElementInteractions: stands for the dialog around the box
      <div onKeyDown={outer}>
        <Held />
      </div>,
    );
    const box = screen.getByRole<HTMLInputElement>("searchbox");
    await userEvent.type(box, "shop");
    outer.resetHistory();
    await userEvent.keyboard("{Escape}");
    expect(box.value).to.equal("");
    expect(outer.callCount).to.equal(0);
    await userEvent.keyboard("{Escape}");
    expect(outer.callCount).to.equal(1);
  });
});
