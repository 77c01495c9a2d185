import "../../support/dom.ts";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect } from "chai";
import { useState } from "react";
import { spy } from "sinon";
import { Button } from "../../../web/ui/Button.tsx";
import { IconButton } from "../../../web/ui/IconButton.tsx";
import { Dialog } from "../../../web/ui/overlay/Dialog.tsx";
import { Tooltips } from "../../../web/ui/Tooltip.tsx";
import { useDom } from "../../support/jsdom.ts";

const Page = () => {
  const [isOpen, setOpen] = useState(false);
  return (
    <main>
      <IconButton label="Edit" icon={null} onPress={() => setOpen(true)} />
      <IconButton label="Delete" icon={null} />
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Edit Mask">
        <Button>Save</Button>
      </Dialog>
      <Tooltips />
    </main>
  );
};

const shown = (): string | null => document.querySelector('[role="tooltip"]')?.textContent ?? null;

const button = (name: string): HTMLElement => screen.getByRole("button", { name });

/** Moves a pointer of a kind onto a button. */
const point = (name: string, pointerType: "mouse" | "touch"): void => {
  fireEvent.pointerOver(button(name), { pointerType });
};

describe("Tooltip", () => {
  useDom();

  it("opens when the pointer has rested on a button, and closes by Escape", async () => {
    render(<Page />);
    point("Edit", "mouse");
    expect(shown()).to.equal(null);
    await waitFor(() => expect(shown()).to.equal("Edit"));
    await userEvent.keyboard("{Escape}");
    expect(shown()).to.equal(null);
  });

  it("opens as soon as the keyboard moves to a button, and goes on with it", async () => {
    render(<Page />);
    await userEvent.tab();
    expect(shown()).to.equal("Edit");
    await userEvent.tab();
    expect(shown()).to.equal("Delete");
    await userEvent.keyboard("{Escape}");
    expect(shown()).to.equal(null);
  });

  it("repeats the name of its button to eyes only", async () => {
    render(<Page />);
    await userEvent.tab();
    expect(shown()).to.equal("Edit");
    expect(screen.queryByRole("tooltip")).to.equal(null);
  });

  it("is not opened by focus that returns from a dialog", async () => {
    render(<Page />);
    await userEvent.tab();
    await userEvent.keyboard("{Enter}");
    const dialog = await screen.findByRole("dialog");
    await waitFor(() => expect(dialog.contains(document.activeElement)).to.equal(true));
    await userEvent.tab();
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).to.equal(button("Edit")));
    expect(shown()).to.equal(null);
  });

  it("does not open by touch", () => {
    render(<Page />);
    const timer = spy(window, "setTimeout");
    point("Edit", "touch");
    act(() => button("Edit").focus());
    expect(timer.callCount).to.equal(0);
    expect(shown()).to.equal(null);
    timer.restore();
  });
});
