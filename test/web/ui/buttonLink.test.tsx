import "../../support/dom.ts";
import { createEvent, fireEvent, render, screen } from "@testing-library/react";
import { expect } from "chai";
import { spy } from "sinon";
import { ButtonLink } from "../../../web/ui/ButtonLink.tsx";
import { useDom } from "../../support/jsdom.ts";

describe("ButtonLink", () => {
  useDom();

  it("is a link that the page follows by itself on a plain press only", () => {
    const follow = spy();
    render(
      <ButtonLink href="#log" onFollow={follow}>
        Show the log
      </ButtonLink>,
    );
    const link = screen.getByRole("link", { name: "Show the log" });
    expect(link.getAttribute("href")).to.equal("#log");
    const click = (how: object): boolean => {
      const event = createEvent.click(link, how);
      fireEvent(link, event);
      return event.defaultPrevented;
    };
    expect([click({ ctrlKey: true }), click({ metaKey: true }), click({ button: 1 })]).to.deep.equal([
      false,
      false,
      false,
    ]);
    expect(follow.callCount).to.equal(0);
    expect(click({})).to.equal(true);
    expect(follow.callCount).to.equal(1);
  });
});
