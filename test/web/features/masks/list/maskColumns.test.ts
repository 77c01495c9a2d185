import { expect } from "chai";
import { defaultListSettings } from "../../../../../core/masks/maskListSettings.ts";
import {
  columnsInOrder,
  columnWidths,
  fittingColumns,
} from "../../../../../web/features/masks/list/maskColumns.ts";

describe("The columns of a table of masks", () => {
  const { columns } = defaultListSettings;

  it("leave one after the other where there is no room: destinations, labels, the last mail", () => {
    expect(fittingColumns(columns, 80)).to.deep.equal(columns);
    expect(fittingColumns(columns, 61)).to.have.members(columns.filter((one) => one !== "forwardTo"));
    expect(fittingColumns(columns, 48)).to.have.members(["address", "forwarded", "blocked", "lastMail"]);
    expect(fittingColumns(columns, 45)).to.deep.equal(["address", "forwarded", "blocked"]);
  });

  it("leave the name at least 12rem, also of all that can be chosen", () => {
    for (const room of [45, 48, 61, 64, 80]) {
      const shown = fittingColumns(columnsInOrder, room);
      const others = shown.reduce((sum, one) => sum + columnWidths[one], 0);
      const { mark, menu } = columnWidths;
      expect(room - others - mark - columnWidths.switch - menu, `at ${room}rem`).to.be.at.least(12);
    }
  });
});
