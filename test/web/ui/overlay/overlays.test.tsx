import "../../../support/dom.ts";
import { render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect } from "chai";
import { useState } from "react";
import { spy } from "sinon";
import { Button } from "../../../../web/ui/Button.tsx";
import { Select } from "../../../../web/ui/form/Select.tsx";
import { ConfirmDialog } from "../../../../web/ui/overlay/ConfirmDialog.tsx";
import { Dialog } from "../../../../web/ui/overlay/Dialog.tsx";
import { Menu } from "../../../../web/ui/overlay/Menu.tsx";
import { ToastRegion } from "../../../../web/ui/overlay/ToastRegion.tsx";
import { useDom } from "../../../support/jsdom.ts";

const items = (chosen: (id: string) => void) => [
  { id: "copy", label: "Copy mask", onSelect: () => chosen("copy") },
  { id: "edit", label: "Edit mask", onSelect: () => chosen("edit") },
  { id: "delete", label: "Delete mask", isDanger: true, onSelect: () => chosen("delete") },
];

describe("Menu", () => {
  useDom();

  const trigger = (): HTMLElement =>
    screen.getByRole("button", { name: "Actions for Shopping", hidden: true });

  it("opens by a click, runs the pressed item and closes", async () => {
    const chosen = spy();
    render(<Menu label="Actions for Shopping" items={items(chosen)} />);
    expect(trigger().getAttribute("aria-haspopup")).to.equal("menu");
    await userEvent.click(trigger());
    const names = (await screen.findAllByRole("menuitem")).map((item) => item.textContent);
    expect(names).to.deep.equal(["Copy mask", "Edit mask", "Delete mask"]);
    expect(trigger().getAttribute("aria-expanded")).to.equal("true");
    await userEvent.click(screen.getByRole("menuitem", { name: "Delete mask" }));
    expect(chosen.args).to.deep.equal([["delete"]]);
    await waitFor(() => expect(screen.queryByRole("menu")).to.equal(null));
    expect(trigger().getAttribute("aria-expanded")).to.equal("false");
  });

  it("opens at its first item by Down, at its last by Up, and moves by the arrow keys and letters", async () => {
    const chosen = spy();
    render(<Menu label="Actions for Shopping" items={items(chosen)} />);
    const focused = (name: string) =>
      waitFor(() => expect(document.activeElement).to.equal(screen.getByRole("menuitem", { name })));
    await userEvent.tab();
    await userEvent.keyboard("{ArrowUp}");
    await focused("Delete mask");
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).to.equal(trigger()));
    await userEvent.keyboard("{ArrowDown}");
    await focused("Copy mask");
    await userEvent.keyboard("{ArrowDown}");
    await focused("Edit mask");
    await userEvent.keyboard("d");
    await focused("Delete mask");
    await userEvent.keyboard("{Enter}");
    expect(chosen.args).to.deep.equal([["delete"]]);
  });

  it("returns the focus to its button on Escape", async () => {
    render(<Menu label="Actions for Shopping" items={items(() => {})} />);
    await userEvent.click(trigger());
    await screen.findByRole("menu");
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("menu")).to.equal(null));
    await waitFor(() => expect(document.activeElement).to.equal(trigger()));
  });
});

const saved = { id: "1", kind: "info", text: "Saved" } as const;

const Asking = ({ onSubmit }: { readonly onSubmit?: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>Create</Button>
      <p>Behind</p>
      <ToastRegion toasts={[saved]} shown={saved} onClose={() => {}} />
      <Dialog
        isOpen={isOpen}
        onClose={close}
        title="Create Mask"
        onSubmit={onSubmit}
        footer={<Button type="submit">Save</Button>}
      >
        <input aria-label="Description" />
      </Dialog>
    </>
  );
};

describe("Dialog", () => {
  useDom();

  const open = async (): Promise<HTMLElement> => {
    await userEvent.click(screen.getByRole("button", { name: "Create" }));
    return screen.findByRole("dialog", { name: "Create Mask" });
  };

  it("takes the focus, traps it, and restores it on Escape", async () => {
    render(<Asking />);
    const opener = screen.getByRole("button", { name: "Create" });
    const dialog = await open();
    await waitFor(() => expect(dialog.contains(document.activeElement)).to.equal(true));
    for (let presses = 0; presses < 6; presses++) {
      await userEvent.tab();
      expect(dialog.contains(document.activeElement)).to.equal(true);
    }
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).to.equal(null));
    await waitFor(() => expect(document.activeElement).to.equal(opener));
  });

  it("hides the page behind it from screen readers, but not the toasts", async () => {
    render(<Asking />);
    await open();
    expect(screen.queryByRole("button", { name: "Create" })).to.equal(null);
    expect(screen.getByRole("region", { name: "Messages" })).to.not.equal(null);
  });

  it("closes by its button", async () => {
    render(<Asking />);
    const dialog = await open();
    await userEvent.click(within(dialog).getByRole("button", { name: "Close", description: "" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).to.equal(null));
  });

  it("is one form: Enter in a field and the button in the footer submit it", async () => {
    const submit = spy();
    render(<Asking onSubmit={submit} />);
    await open();
    await userEvent.type(screen.getByLabelText("Description"), "Shop{Enter}");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    expect(submit.callCount).to.equal(2);
  });
});

describe("ConfirmDialog", () => {
  useDom();

  const question = (isPending: boolean, confirm: () => void, cancel: () => void) => (
    <ConfirmDialog
      isOpen
      title="Delete Shopping?"
      confirmLabel="Delete mask"
      isDanger
      isPending={isPending}
      onConfirm={confirm}
      onCancel={cancel}
    >
      This action cannot be undone.
    </ConfirmDialog>
  );

  it("focuses the cancel button first, so that Enter loses nothing", async () => {
    const [confirm, cancel] = [spy(), spy()];
    render(question(false, confirm, cancel));
    const dialog = screen.getByRole("alertdialog", { name: "Delete Shopping?" });
    expect(document.getElementById(dialog.getAttribute("aria-describedby") ?? "")?.textContent).to.equal(
      "This action cannot be undone.",
    );
    await waitFor(() =>
      expect(document.activeElement).to.equal(screen.getByRole("button", { name: "Cancel" })),
    );
    await userEvent.keyboard("{Enter}");
    expect([confirm.callCount, cancel.callCount]).to.deep.equal([0, 1]);
  });

  it("confirms by its button and cancels by Escape", async () => {
    const [confirm, cancel] = [spy(), spy()];
    render(question(false, confirm, cancel));
    await userEvent.click(screen.getByRole("button", { name: "Delete mask" }));
    await userEvent.keyboard("{Escape}");
    expect([confirm.callCount, cancel.callCount]).to.deep.equal([1, 1]);
  });

  it("neither closes nor confirms twice while the result is pending", async () => {
    const [confirm, cancel] = [spy(), spy()];
    render(question(true, confirm, cancel));
    await userEvent.click(screen.getByRole("button", { name: "Delete mask" }));
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    await userEvent.keyboard("{Escape}");
    expect([confirm.callCount, cancel.callCount]).to.deep.equal([0, 0]);
  });
});

describe("Select", () => {
  useDom();

  const Choosing = ({ onChange }: { readonly onChange: (value: string) => void }) => {
    const [value, setValue] = useState<"shop" | "news" | undefined>(undefined);
    return (
      <Select
        label="Mask"
        value={value}
        onChange={(chosen) => {
          setValue(chosen);
          onChange(chosen);
        }}
        options={[
          { value: "shop", label: "Shopping", description: "shop@masks.example" },
          { value: "news", label: "Newsletters" },
        ]}
        error={value === undefined ? "Please select a mask first" : undefined}
      />
    );
  };

  const box = (): HTMLElement => screen.getByRole("button", { name: /Mask/ });

  it("shows the selected option after a click on it", async () => {
    const change = spy();
    render(<Choosing onChange={change} />);
    expect(box().textContent).to.equal("Choose…");
    await userEvent.click(box());
    await userEvent.click(await screen.findByRole("option", { name: /Newsletters/ }));
    expect(change.args).to.deep.equal([["news"]]);
    await waitFor(() => expect(box().textContent).to.equal("Newsletters"));
  });

  it("works by keyboard alone", async () => {
    const change = spy();
    render(<Choosing onChange={change} />);
    await userEvent.tab();
    await userEvent.keyboard("{ArrowDown}");
    await screen.findByRole("listbox");
    await userEvent.keyboard("{ArrowDown}{Enter}");
    await waitFor(() => expect(change.callCount).to.equal(1));
    await waitFor(() => expect(document.activeElement).to.equal(box()));
  });

  it("associates its error with the field", () => {
    render(<Choosing onChange={() => {}} />);
    const described = box().getAttribute("aria-describedby") ?? "";
    const texts = described.split(" ").map((id) => document.getElementById(id)?.textContent);
    expect(texts).to.include("Please select a mask first");
  });
});
