import "../../support/dom.ts";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect } from "chai";
import { useSelection } from "../../../web/react/useSelection.ts";
import { Checkbox } from "../../../web/ui/form/Checkbox.tsx";
import { SelectionBar } from "../../../web/ui/layout/SelectionBar.tsx";
import { useDom } from "../../support/jsdom.ts";

const ids = ["a", "b", "c", "d", "e"];

const List = ({ isNarrow = false }: { readonly isNarrow?: boolean }) => {
  const { chosen, has, isAll, toggle, selectAll } = useSelection(ids);
  return (
    <>
      <SelectionBar
        label="Selected letters"
        count={chosen.length}
        isAll={isAll}
        onSelectAll={selectAll}
        isNarrow={isNarrow}
        actions={["Send", "Keep", "Delete"].map((label) => ({ label, onPress: () => {} }))}
      />
      {ids.map((id) => (
        <Checkbox
          key={id}
          label={id}
          isChecked={has(id)}
          onChange={(isSelected, isRange) => toggle(id, isSelected, isRange)}
        />
      ))}
    </>
  );
};

const box = (name: string): HTMLInputElement => screen.getByRole("checkbox", { name });
const chosen = (): string => ids.filter((id) => box(id).checked).join("");

describe("A selection", () => {
  useDom();

  it("takes what lies between two presses of which the second one has Shift, in both directions", async () => {
    render(<List />);
    const user = userEvent.setup();
    await user.click(box("b"));
    await user.keyboard("{Shift>}");
    await user.click(box("d"));
    expect(chosen()).to.equal("bcd");
    await user.click(box("a"));
    expect(chosen()).to.equal("abcd");
    await user.keyboard("{/Shift}");
    await user.click(box("d"));
    await user.keyboard("{Shift>}");
    await user.click(box("b"));
    expect(chosen()).to.equal("a");
  });

  it("offers all of its actions on a wide screen, and the first one with a menu on a narrow one", async () => {
    const buttons = () =>
      screen.getAllByRole("button").map((button) => button.getAttribute("aria-label") ?? button.textContent);
    const { unmount } = render(<List />);
    await userEvent.click(box("a"));
    expect(buttons()).to.deep.equal(["Send", "Keep", "Delete"]);
    unmount();
    render(<List isNarrow />);
    await userEvent.click(box("a"));
    expect(buttons()).to.deep.equal(["Send", "More for what is selected"]);
    screen.getByRole("checkbox", { name: /^Select all, *1 selected$/ });
    await userEvent.click(screen.getByRole("button", { name: "More for what is selected" }));
    const items = (await screen.findAllByRole("menuitem")).map((item) => item.textContent);
    expect(items).to.deep.equal(["Keep", "Delete"]);
  });
});
