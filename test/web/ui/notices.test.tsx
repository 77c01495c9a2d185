import "../../support/dom.ts";
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect } from "chai";
import { useState } from "react";
import { replace, restore, spy } from "sinon";
import { Banner } from "../../../web/ui/feedback/Banner.tsx";
import { ToastRegion } from "../../../web/ui/overlay/ToastRegion.tsx";
import { useDom } from "../../support/jsdom.ts";

const hello = { id: "a", kind: "info", text: "Hello" } as const;

describe("ToastRegion", () => {
  useDom();

  const region = (): HTMLElement => screen.getByRole("region", { name: "Messages" });
  const live = (urgency: string): HTMLElement => {
    const list = region().querySelector<HTMLElement>(`[aria-live=${urgency}]`);
    if (list === null) throw new Error(`no ${urgency} live region`);
    return list;
  };

  it("keeps both live regions while it is empty, so that the first message is announced", () => {
    render(<ToastRegion toasts={[]} shown={undefined} onClose={() => {}} />);
    expect(live("polite").childElementCount).to.equal(0);
    expect(live("assertive").childElementCount).to.equal(0);
  });

  it("announces errors assertively and everything else politely", () => {
    const toasts = [
      { id: "1", kind: "success", text: "Mask created successfully" },
      { id: "2", kind: "error", text: "Connection issue. Please try again later." },
      { id: "3", kind: "warning", text: "Rules saved locally. Will sync when online." },
    ] as const;
    render(<ToastRegion toasts={toasts} shown={toasts[1]} onClose={() => {}} />);
    expect(within(live("assertive")).getByText("Connection issue. Please try again later.")).to.not.equal(
      null,
    );
    expect(within(live("polite")).getByText("Mask created successfully")).to.not.equal(null);
    expect(live("polite").textContent).to.include("Warning: Rules saved locally.");
  });

  it("shows one message and how many there are, and closes it by its button", async () => {
    const close = spy();
    const toasts = ["a", "b"].map((id) => ({ id, kind: "info" as const, text: `Message ${id}` }));
    render(<ToastRegion toasts={toasts} shown={toasts[1]} onClose={close} />);
    expect(screen.getByText("Message a").closest("[hidden]")).to.not.equal(null);
    expect(screen.getByText("Message b").closest("[hidden]")).to.equal(null);
    expect(screen.getByText("Message b").closest("[aria-live] > *")?.textContent).to.include("1 of 2");
    await userEvent.click(screen.getByRole("button", { name: "Close" }));
    expect(close.args).to.deep.equal([["b"]]);
  });

  it("reports to its caller while it is hovered or focused", () => {
    const keepOpen = spy();
    render(<ToastRegion toasts={[hello]} shown={hello} onClose={() => {}} onKeepOpen={keepOpen} />);
    fireEvent.pointerEnter(region());
    fireEvent.pointerLeave(region());
    fireEvent.focus(screen.getByRole("button", { name: "Close" }));
    fireEvent.blur(screen.getByRole("button", { name: "Close" }));
    expect(keepOpen.args).to.deep.equal([[true], [false], [true], [false]]);
  });

  it("reports the focus as gone when the message that had it is removed", () => {
    const keepOpen = spy();
    const { rerender } = render(
      <ToastRegion toasts={[hello]} shown={hello} onClose={() => {}} onKeepOpen={keepOpen} />,
    );
    screen.getByRole("button", { name: "Close" }).focus();
    rerender(<ToastRegion toasts={[]} shown={undefined} onClose={() => {}} onKeepOpen={keepOpen} />);
    expect(keepOpen.lastCall.args).to.deep.equal([false]);
  });
});

describe("The place of a ToastRegion", () => {
  useDom();
  afterEach(restore);

  /** Shows a region, and returns how its height changes and what height the page was told. */
  const showRegion = () => {
    const measures: (() => void)[] = [];
    class Observer {
      readonly measure: () => void;
      constructor(measure: () => void) {
        this.measure = measure;
      }
      observe(element: Element): void {
        if (element.matches("section")) measures.push(this.measure);
      }
      disconnect(): void {}
    }
    replace(globalThis, "ResizeObserver", Observer as unknown as typeof ResizeObserver);
    render(<ToastRegion toasts={[hello]} shown={hello} onClose={() => {}} />);
    const region = screen.getByRole("region", { name: "Messages" });
    return {
      grow: (height: number): void => {
        Object.defineProperty(region, "offsetHeight", { configurable: true, value: height });
        for (const measure of measures) measure();
      },
      told: () => document.documentElement.style.getPropertyValue("--toast-height"),
    };
  };
  const first = { isPrimary: true, button: 0 };

  it("does not move under a pressed pointer, until that one is released", async () => {
    const { grow, told } = showRegion();
    fireEvent.pointerDown(document.body, first);
    grow(40);
    fireEvent.pointerDown(document.body, { isPrimary: false, button: 0 });
    fireEvent.pointerUp(document.body, { isPrimary: false });
    grow(50);
    expect(told()).to.equal("");
    fireEvent.pointerUp(document.body, first);
    await waitFor(() => expect(told()).to.equal("50px"));
  });

  it("is not held by a press that opens a context menu, nor by another finger", () => {
    const { grow, told } = showRegion();
    fireEvent.pointerDown(document.body, { isPrimary: true, button: 2 });
    fireEvent.pointerDown(document.body, { isPrimary: false, button: 0 });
    grow(40);
    expect(told()).to.equal("40px");
    fireEvent.pointerDown(document.body, first);
    fireEvent.contextMenu(document.body);
    grow(50);
    expect(told()).to.equal("50px");
  });
});

describe("The focus in a ToastRegion", () => {
  useDom();

  const Held = () => {
    const [toasts, setToasts] = useState(
      ["a", "b"].map((id) => ({ id, kind: "info" as const, text: `Message ${id}` })),
    );
    const add = (): void => setToasts((all) => [...all, { id: "c", kind: "info", text: "Message c" }]);
    return (
      <>
        <button type="button" onClick={add}>
          Before
        </button>
        <ToastRegion
          toasts={toasts}
          shown={toasts.at(-1)}
          onClose={(id) => setToasts((all) => all.filter((toast) => toast.id !== id))}
        />
      </>
    );
  };

  it("moves to the next message when one is closed, and returns to its origin after the last", async () => {
    render(<Held />);
    await userEvent.tab();
    await userEvent.tab();
    await userEvent.keyboard("{Enter}");
    expect(document.activeElement).to.equal(screen.getByRole("button", { name: "Close" }));
    await userEvent.keyboard("{Enter}");
    expect(screen.queryByRole("button", { name: "Close" })).to.equal(null);
    expect(document.activeElement).to.equal(screen.getByRole("button", { name: "Before" }));
  });

  it("moves to a newer message that takes the place of the one that has it", async () => {
    render(<Held />);
    await userEvent.tab();
    await userEvent.tab();
    fireEvent.click(screen.getByRole("button", { name: "Before" }));
    expect(document.activeElement).to.equal(screen.getByRole("button", { name: "Close" }));
    expect(document.activeElement?.closest("[aria-live] > *")?.textContent).to.include("Message c");
    await userEvent.keyboard("{Escape}{Escape}{Escape}");
    expect(document.activeElement).to.equal(screen.getByRole("button", { name: "Before" }));
  });

  it("comes by F6 and goes back by F6, and Escape closes the message", async () => {
    render(<Held />);
    screen.getByRole("button", { name: "Before" }).focus();
    await userEvent.keyboard("{F6}");
    expect(document.activeElement).to.equal(screen.getByRole("button", { name: "Close" }));
    await userEvent.keyboard("{F6}");
    expect(document.activeElement).to.equal(screen.getByRole("button", { name: "Before" }));
    await userEvent.keyboard("{F6}{Escape}{Escape}");
    expect(screen.queryByRole("button", { name: "Close" })).to.equal(null);
    expect(document.activeElement).to.equal(screen.getByRole("button", { name: "Before" }));
  });
});

describe("Banner", () => {
  useDom();

  it("announces an error assertively and the rest politely", () => {
    const { rerender } = render(<Banner kind="error">Server error</Banner>);
    expect(screen.getByRole("alert").textContent).to.equal("Error: Server error");
    rerender(<Banner kind="info">Using cached mask data.</Banner>);
    expect(screen.getByRole("status").textContent).to.equal("Using cached mask data.");
  });

  it("is dismissed by its button, which only exists when it is dismissible", async () => {
    const dismiss = spy();
    const { rerender } = render(<Banner onDismiss={dismiss}>Hello</Banner>);
    await userEvent.click(screen.getByRole("button", { name: "Dismiss" }));
    expect(dismiss.callCount).to.equal(1);
    rerender(<Banner>Hello</Banner>);
    expect(screen.queryByRole("button")).to.equal(null);
  });
});
