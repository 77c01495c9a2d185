import "../../../support/dom.ts";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect } from "chai";
import fc from "fast-check";
import { useRef, useState } from "react";
import { spy } from "sinon";
import { ChipGroup } from "../../../../web/ui/form/ChipGroup.tsx";
import { NavBar } from "../../../../web/ui/NavBar.tsx";
import { Pagination, pageNumbers } from "../../../../web/ui/Pagination.tsx";
import { useDom } from "../../../support/jsdom.ts";

const ids = ["masks", "rules", "insights", "settings", "account"] as const;
type Id = (typeof ids)[number];

interface LinksProps {
  readonly isPage?: boolean;
  readonly onIntent?: (id: Id) => void;
}

const Links = ({ isPage = true, onIntent }: LinksProps) => {
  const [shown, setShown] = useState<Id>("masks");
  return (
    <NavBar
      label="Main"
      links={ids.map((id) => ({
        id,
        label: id,
        href: `#${id}`,
        icon: <svg />,
        badge: { count: id === "insights" ? 3 : 0, label: "new" },
      }))}
      current={{ id: shown, isPage }}
      onFollow={setShown}
      onIntent={onIntent}
    />
  );
};

const link = (name: string): HTMLElement => screen.getByRole("link", { name });
const currentOf = (name: string): string | null => link(name).getAttribute("aria-current");

describe("NavBar", () => {
  useDom();

  it("is a navigation with a link for each of five, each a Tab stop", async () => {
    render(<Links />);
    expect(screen.getByRole("navigation", { name: "Main" })).to.not.equal(null);
    expect(screen.getAllByRole("link").map((one) => one.getAttribute("href"))).to.deep.equal(
      ids.map((id) => `#${id}`),
    );
    for (const name of ["masks", "rules", "insights 3 new", "settings", "account"]) {
      await userEvent.tab();
      expect(document.activeElement).to.equal(link(name));
    }
  });

  it("follows a link by a click and by Enter, and marks it as the current page", async () => {
    render(<Links />);
    expect(currentOf("masks")).to.equal("page");
    await userEvent.click(link("settings"));
    expect(currentOf("settings")).to.equal("page");
    expect(currentOf("masks")).to.equal(null);
    link("rules").focus();
    await userEvent.keyboard("{Enter}");
    expect(currentOf("rules")).to.equal("page");
  });

  it("marks the link that leads back from a page below it as current, but not as the page", () => {
    render(<Links isPage={false} />);
    expect(currentOf("masks")).to.equal("true");
  });

  it("announces what a badge counts, and shows none at 0", () => {
    render(<Links />);
    expect(link("insights 3 new")).to.not.equal(null);
    expect(link("rules").textContent).to.equal("rules");
  });

  it("reports when a link is hovered, before it is followed", async () => {
    const intent = spy();
    render(<Links onIntent={intent} />);
    await userEvent.hover(link("rules"));
    expect(intent.args).to.deep.equal([["rules"]]);
    expect(currentOf("masks")).to.equal("page");
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
