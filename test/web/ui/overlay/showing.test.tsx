import "../../../support/dom.ts";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect } from "chai";
import { spy } from "sinon";
import { CopyableText, CopyButton } from "../../../../web/ui/CopyableText.tsx";
import { EmptyState } from "../../../../web/ui/feedback/EmptyState.tsx";
import { ProgressBar, UsageBar } from "../../../../web/ui/feedback/ProgressBar.tsx";
import { Skeleton, SkeletonRegion } from "../../../../web/ui/feedback/Skeleton.tsx";
import { Logo } from "../../../../web/ui/icons/Logo.tsx";
import { Card } from "../../../../web/ui/layout/Card.tsx";
import { Stat, StatList } from "../../../../web/ui/Stat.tsx";
import { useDom } from "../../../support/jsdom.ts";

describe("CopyableText", () => {
  useDom();
  const address = "a.very.long.local.part@masks.example";

  it("copies by one press on the text itself, and has a full accessible name", async () => {
    const copy = spy();
    render(
      <CopyableText text={address} shown="a.very.long.loca…@masks.example" onCopy={copy} isCopied={false} />,
    );
    await userEvent.click(screen.getByText("a.very.long.loca…@masks.example"));
    expect(copy.callCount).to.equal(1);
    expect(screen.getByRole("button", { name: `Copy ${address}` })).to.not.equal(null);
  });

  it("shows Copied for a while, in a live region that already existed", () => {
    const { rerender } = render(<CopyableText text={address} onCopy={() => {}} isCopied={false} />);
    const status = screen.getByRole("status");
    expect(status.textContent).to.equal("");
    rerender(<CopyableText text={address} onCopy={() => {}} isCopied />);
    expect(status.textContent).to.equal("Copied");
  });
});

describe("CopyButton", () => {
  useDom();

  it("keeps its name and shows Copied beside it", async () => {
    const copy = spy();
    render(<CopyButton label="Copy secret" onCopy={copy} isCopied />);
    await userEvent.click(screen.getByRole("button", { name: "Copy secret" }));
    expect(copy.callCount).to.equal(1);
    expect(screen.getByRole("status").textContent).to.equal("Copied");
  });
});

describe("Stat", () => {
  useDom();

  it("shows a number with separators under its label, and a placeholder while it is unknown", () => {
    render(
      <StatList>
        <Stat label="Received" value={12345} />
        <Stat label="Since" value="May" />
        <Stat label="Blocked" value={undefined} />
      </StatList>,
    );
    expect(screen.getAllByRole("term").map((term) => term.textContent)).to.deep.equal([
      "Received",
      "Since",
      "Blocked",
    ]);
    expect(screen.getAllByRole("definition").map((figure) => figure.textContent)).to.deep.equal([
      "12,345",
      "May",
      "",
    ]);
  });
});

describe("Meters", () => {
  useDom();

  it("show how much of an allowance is used, capped at 100 % only in the drawing", () => {
    render(<UsageBar label="Masks" used={12} limit={10} unit="masks" />);
    const meter = screen.getByRole("meter", { name: "Masks" });
    expect(meter.getAttribute("aria-valuetext")).to.equal("12 of 10 masks");
    expect(meter.getAttribute("aria-valuenow")).to.equal("10");
    expect(meter.querySelector<HTMLElement>(".fill")?.style.width).to.equal("100%");
  });

  it("change color at 80 % and again at the limit", () => {
    const { container, rerender } = render(<UsageBar label="Mail" used={79} limit={100} unit="emails" />);
    const fill = () => container.querySelector(".fill")?.className;
    expect(fill()).to.equal("fill calm");
    rerender(<UsageBar label="Mail" used={80} limit={100} unit="emails" />);
    expect(fill()).to.equal("fill near");
    rerender(<UsageBar label="Mail" used={100} limit={100} unit="emails" />);
    expect(fill()).to.equal("fill full");
  });

  it("show that there is no limit where there is none", () => {
    render(<UsageBar label="Mail" used={90210} limit={undefined} unit="emails" />);
    expect(screen.getByRole("meter").getAttribute("aria-valuetext")).to.equal("90,210 emails, no limit");
  });

  it("show progress from 0 to 100 and never beyond", () => {
    const { rerender } = render(<ProgressBar label="Generating keys" value={45} />);
    const now = () =>
      screen.getByRole("progressbar", { name: "Generating keys" }).getAttribute("aria-valuenow");
    expect(now()).to.equal("45");
    rerender(<ProgressBar label="Generating keys" value={130} />);
    expect(now()).to.equal("100");
    rerender(<ProgressBar label="Generating keys" value={-5} />);
    expect(now()).to.equal("0");
  });
});

describe("Placeholders", () => {
  useDom();

  it("announce one sentence for all skeleton shapes", () => {
    const { container } = render(
      <SkeletonRegion label="Loading masks">
        <Skeleton width="12ch" />
        <Skeleton />
      </SkeletonRegion>,
    );
    expect(screen.getByRole("status").textContent).to.equal("Loading masks");
    expect(container.querySelector("[aria-busy=true]")?.textContent).to.equal("Loading masks");
    expect(container.querySelectorAll(".skeleton[aria-hidden=true]")).to.have.length(2);
  });

  it("offer the next action in an empty state", () => {
    render(
      <EmptyState
        title="You don't have any email masks yet."
        action={<button type="button">Create Mask</button>}
      />,
    );
    expect(screen.getByText("You don't have any email masks yet.")).to.not.equal(null);
    expect(screen.getByRole("button", { name: "Create Mask" })).to.not.equal(null);
  });
});

describe("Card and Logo", () => {
  useDom();

  it("render as the elements and names given", () => {
    render(
      <ul>
        <Card as="li" aria-label="Shopping" isHighlighted>
          <Logo name="Bauta" />
        </Card>
      </ul>,
    );
    const card = screen.getByRole("listitem", { name: "Shopping" });
    expect(card.textContent).to.equal("Bauta");
    expect(card.className).to.equal("card inset highlighted");
    expect(card.querySelector("svg")?.getAttribute("aria-hidden")).to.equal("true");
  });
});
