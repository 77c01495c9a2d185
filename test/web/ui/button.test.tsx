import "../../support/dom.ts";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect } from "chai";
import { spy } from "sinon";
import { Button } from "../../../web/ui/Button.tsx";
import { IconButton } from "../../../web/ui/IconButton.tsx";
import { PlusIcon } from "../../../web/ui/icons/PlusIcon.tsx";
import { useDom } from "../../support/jsdom.ts";

describe("Button", () => {
  useDom();

  it("acts on a click, on Enter and on Space", async () => {
    const press = spy();
    render(<Button onPress={press}>Save</Button>);
    const button = screen.getByRole("button", { name: "Save" });
    await userEvent.click(button);
    button.focus();
    await userEvent.keyboard("{Enter}");
    await userEvent.keyboard(" ");
    expect(press.callCount).to.equal(3);
  });

  it("does nothing while pending, by mouse or keyboard, and keeps the focus", async () => {
    const press = spy();
    render(
      <Button onPress={press} isPending>
        Save
      </Button>,
    );
    const button = screen.getByRole("button", { name: "Save" });
    await userEvent.click(button);
    await userEvent.keyboard("{Enter} ");
    expect(press.callCount).to.equal(0);
    expect(document.activeElement).to.equal(button);
    expect(button.getAttribute("aria-disabled")).to.equal("true");
    expect(button.getAttribute("aria-busy")).to.equal("true");
  });

  it("does not submit its form a second time while pending", async () => {
    const submit = spy((event: { preventDefault: () => void }) => event.preventDefault());
    const form = (isPending: boolean) => (
      <form onSubmit={submit}>
        <input aria-label="Name" />
        <Button type="submit" isPending={isPending}>
          Save
        </Button>
      </form>
    );
    const { rerender } = render(form(false));
    await userEvent.type(screen.getByLabelText("Name"), "a{Enter}");
    expect(submit.callCount).to.equal(1);
    rerender(form(true));
    await userEvent.type(screen.getByLabelText("Name"), "b{Enter}");
    await userEvent.click(screen.getByRole("button"));
    expect(submit.callCount).to.equal(1);
  });

  it("does not act while disabled", async () => {
    const press = spy();
    render(
      <Button onPress={press} isDisabled>
        Save
      </Button>,
    );
    await userEvent.click(screen.getByRole("button"));
    expect(press.callCount).to.equal(0);
    expect(screen.getByRole<HTMLButtonElement>("button").disabled).to.equal(true);
  });

  it("reserves the width of its pending label from the start", () => {
    const { rerender } = render(<Button pendingLabel="Saving...">Save Rule</Button>);
    const texts = () =>
      [...screen.getByRole("button").querySelectorAll(".text")].map((text) => text.className);
    expect(texts()).to.deep.equal(["text", "text away"]);
    rerender(
      <Button pendingLabel="Saving..." isPending>
        Save Rule
      </Button>,
    );
    expect(texts()).to.deep.equal(["text away", "text"]);
  });
});

describe("IconButton", () => {
  useDom();

  it("has an accessible name though it shows only an icon", async () => {
    const press = spy();
    render(<IconButton label="Create Mask" icon={<PlusIcon />} onPress={press} />);
    await userEvent.click(screen.getByRole("button", { name: "Create Mask" }));
    expect(press.callCount).to.equal(1);
  });

  it("does nothing while pending", async () => {
    const press = spy();
    render(<IconButton label="Refresh" icon={<PlusIcon />} onPress={press} isPending />);
    await userEvent.click(screen.getByRole("button", { name: "Refresh" }));
    expect(press.callCount).to.equal(0);
  });
});
