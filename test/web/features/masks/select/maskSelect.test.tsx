import "../../../../support/dom.ts";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect } from "chai";
import { useState } from "react";
import { MaskSelect } from "../../../../../web/features/masks/select/MaskSelect.tsx";
import { createMask } from "../../../../fakes/productServer.ts";
import { useDom } from "../../../../support/jsdom.ts";

const masks = Array.from({ length: 10_000 }, (_, n) => createMask(`m${n}`, { description: `Mask ${n}` }));

const Choice = ({ chosen }: { readonly chosen: string }) => {
  const [value, setValue] = useState(chosen);
  return (
    <MaskSelect
      value={value}
      onChange={setValue}
      masks={masks}
      others={[{ value: "all", label: "All masks" }]}
    />
  );
};

const options = (): readonly (string | null)[] =>
  screen.getAllByRole("option").map(({ textContent }) => textContent);

describe("Choosing one of 10,000 masks", () => {
  useDom();

  it("draws 20 of them, with the chosen one, and says how many more there are", async () => {
    render(<Choice chosen="m9000" />);
    await userEvent.click(screen.getByRole("button", { name: "Mask 9000 Mask" }));
    expect(options()).to.have.length(20);
    expect(options().slice(0, 3)).to.deep.equal([
      "All masks",
      "Mask 9000m9000@masks.example",
      "Mask 0m0@masks.example",
    ]);
    screen.getByRole("option", { name: /^Mask 9000/, selected: true });
    expect(screen.getByText("9,981 more: type to narrow").getAttribute("role")).to.equal("status");
    expect(document.querySelectorAll("*").length, "elements of the page").to.be.below(300);
  });

  it("finds one by a part of its name or address, chooses it by keys, and begins anew", async () => {
    render(<Choice chosen="all" />);
    await userEvent.click(screen.getByRole("button", { name: "All masks Mask" }));
    const field = screen.getByRole("combobox", { name: "Search the masks" });
    expect(document.activeElement).to.equal(field);
    await userEvent.keyboard("MASK 987");
    expect(options().slice(0, 2)).to.deep.equal([
      "Mask 987m987@masks.example",
      "Mask 9870m9870@masks.example",
    ]);
    expect(options()).to.have.length(11);
    await userEvent.clear(field);
    await userEvent.keyboard("m9871@");
    await userEvent.keyboard("{ArrowDown}{Enter}");
    await userEvent.click(screen.getByRole("button", { name: "Mask 9871 Mask" }));
    expect(options()).to.have.length(20);
    await userEvent.keyboard("zebra");
    screen.getByText("No matches.");
    await userEvent.keyboard("{Escape}");
    expect(options(), "the first Escape clears the search").to.have.length(20);
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("listbox")).to.equal(null);
  });
});
