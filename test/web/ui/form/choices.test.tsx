import "../../../support/dom.ts";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect } from "chai";
import fc from "fast-check";
import { useRef, useState } from "react";
import { spy } from "sinon";
import { ChipGroup } from "../../../../web/ui/form/ChipGroup.tsx";
import { Pagination, pageNumbers } from "../../../../web/ui/Pagination.tsx";
import { TabBar, TabPanel } from "../../../../web/ui/TabBar.tsx";
import { useDom } from "../../../support/jsdom.ts";

const ids = ["masks", "rules", "insights", "settings", "account"] as const;
type Tab = (typeof ids)[number];

const Tabs = ({ onIntent }: { readonly onIntent?: (id: Tab) => void }) => {
  const [selected, setSelected] = useState<Tab>("masks");
  return (
    <>
      <TabBar
        label="Sections"
        name="main"
        tabs={ids.map((id) => ({
          id,
          label: id,
          icon: <svg />,
          badge: { count: id === "insights" ? 3 : 0, label: "new" },
        }))}
        selected={selected}
        onSelect={setSelected}
        onIntent={onIntent}
      />
      <TabPanel bar="main" tab={selected}>
        The {selected} panel
      </TabPanel>
    </>
  );
};

const selectedTab = (): string | null => screen.getByRole("tab", { selected: true }).textContent;

describe("TabBar", () => {
  useDom();

  it("is a list of five tabs with one Tab stop", async () => {
    render(<Tabs />);
    expect(screen.getByRole("tablist", { name: "Sections" })).to.not.equal(null);
    expect(screen.getAllByRole("tab")).to.have.length(5);
    await userEvent.tab();
    expect(document.activeElement).to.equal(screen.getByRole("tab", { name: "masks" }));
    await userEvent.tab();
    expect(screen.getByRole("tablist").contains(document.activeElement)).to.equal(false);
  });

  it("moves by the arrow keys with wrap-around, and by Home and End", async () => {
    render(<Tabs />);
    await userEvent.tab();
    const steps = [
      ["{ArrowRight}", "rules"],
      ["{ArrowLeft}", "masks"],
      ["{ArrowLeft}", "account"],
      ["{ArrowRight}", "masks"],
      ["{End}", "account"],
      ["{Home}", "masks"],
    ] as const;
    for (const [key, tab] of steps) {
      await userEvent.keyboard(key);
      expect(selectedTab()).to.equal(tab);
      expect(document.activeElement).to.equal(screen.getByRole("tab", { name: tab }));
    }
  });

  it("labels its panel with the selected tab", async () => {
    render(<Tabs />);
    await userEvent.click(screen.getByRole("tab", { name: "settings" }));
    const panel = screen.getByRole("tabpanel", { name: "settings" });
    expect(panel.textContent).to.equal("The settings panel");
    expect(screen.getByRole("tab", { name: "settings" }).getAttribute("aria-controls")).to.equal(panel.id);
  });

  it("announces what a badge counts, and shows none at 0", () => {
    render(<Tabs />);
    expect(screen.getByRole("tab", { name: "insights 3 new" })).to.not.equal(null);
    expect(screen.getByRole("tab", { name: "rules" }).textContent).to.equal("rules");
  });

  it("reports when a tab is hovered, before it is selected", async () => {
    const intent = spy();
    render(<Tabs onIntent={intent} />);
    await userEvent.hover(screen.getByRole("tab", { name: "rules" }));
    expect(intent.args).to.deep.equal([["rules"]]);
    expect(selectedTab()).to.equal("masks");
  });
});

describe("ChipGroup", () => {
  useDom();

  const Chips = () => {
    const [value, setValue] = useState<"all" | "active" | "disabled">("all");
    return (
      <ChipGroup
        label="Show"
        value={value}
        onChange={setValue}
        chips={[
          { value: "all", label: "All Masks", count: 14 },
          { value: "active", label: "Active", count: 12 },
          { value: "disabled", label: "Disabled" },
        ]}
      />
    );
  };

  it("is a single choice, changed by a click, with counts in the names", async () => {
    render(<Chips />);
    expect(screen.getByRole("radiogroup", { name: "Show" })).to.not.equal(null);
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "All Masks 14" }).checked).to.equal(true);
    await userEvent.click(screen.getByText("Active"));
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "Active 12" }).checked).to.equal(true);
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "All Masks 14" }).checked).to.equal(false);
  });

  it("is changed by the arrow keys", async () => {
    render(<Chips />);
    await userEvent.tab();
    await userEvent.keyboard("{ArrowRight}{ArrowRight}");
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "Disabled" }).checked).to.equal(true);
  });
});

describe("Pagination", () => {
  useDom();

  interface PagesProps {
    readonly count: number;
    readonly inList?: HTMLElement | null;
  }

  const Pages = ({ count, inList = null }: PagesProps) => {
    const [page, setPage] = useState(1);
    const list = useRef(inList);
    return <Pagination page={page} pageCount={count} onChange={setPage} list={list} />;
  };

  const statusText = (): string | null => screen.getByRole("status").textContent;

  it("announces Page 2 of 5 after moving there", async () => {
    render(<Pages count={5} />);
    expect(statusText()).to.equal("Page 1 of 5");
    await userEvent.click(screen.getByRole("button", { name: "Next page" }));
    expect(statusText()).to.equal("Page 2 of 5");
    expect(screen.getByRole("button", { current: "page" }).textContent).to.equal("2");
  });

  it("goes straight to a page by its number", async () => {
    render(<Pages count={5} />);
    await userEvent.click(screen.getByRole("button", { name: "Page 4" }));
    expect(statusText()).to.equal("Page 4 of 5");
  });

  it("brings the start of the list into view when it is above, after a step only", async () => {
    const list = document.createElement("ul");
    render(<Pages count={3} inList={list} />);
    const shown: unknown[] = [];
    let top = -400;
    list.getBoundingClientRect = () => new DOMRect(0, top, 300, 2_000);
    list.scrollIntoView = (how) => shown.push(how);
    await userEvent.click(screen.getByRole("button", { name: "Next page" }));
    expect(shown).to.deep.equal([{ block: "start" }]);
    top = 20;
    await userEvent.click(screen.getByRole("button", { name: "Page 3" }));
    expect(shown).to.have.length(1);
  });

  it("stays at either end and keeps the focus there", async () => {
    render(<Pages count={2} />);
    const next = screen.getByRole("button", { name: "Next page" });
    next.focus();
    await userEvent.keyboard("{Enter}{Enter}{Enter}");
    expect(statusText()).to.equal("Page 2 of 2");
    expect(next.getAttribute("aria-disabled")).to.equal("true");
    expect(document.activeElement).to.equal(next);
    await userEvent.click(screen.getByRole("button", { name: "Previous page" }));
    await userEvent.click(screen.getByRole("button", { name: "Previous page" }));
    expect(statusText()).to.equal("Page 1 of 2");
  });

  it("is hidden when one page holds everything", () => {
    const { container } = render(<Pages count={1} />);
    expect(container.innerHTML).to.equal("");
  });

  it("shows at most seven entries, always the first, the last and the current page, in order", () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 500 })
          .chain((count) => fc.tuple(fc.integer({ min: 1, max: count }), fc.constant(count))),
        ([page, count]) => {
          const entries = pageNumbers(page, count);
          const numbers = entries.filter((entry) => typeof entry === "number");
          expect(entries.length).to.equal(Math.min(count, 7));
          expect(new Set(entries).size).to.equal(entries.length);
          expect(numbers).to.include.members([1, page, count]);
          expect(numbers).to.deep.equal([...numbers].sort((a, b) => a - b));
        },
      ),
    );
  });
});
