import { entryState } from "../ui/overlay/layers.ts";
import { layersIn } from "../ui/overlay/useBackToClose.ts";
import { addressText, readAddress } from "./address.ts";
import { type FocusTarget, giveFocus } from "./focus.ts";

/** Goes to an address of the page, where `focus` names the part that takes the focus. */
export const goTo = (address: string, focus?: FocusTarget): void => {
  layersIn(window).goTo(address);
  if (focus !== undefined) giveFocus(focus);
};

/** Goes to the address of a page without a tab, from its top. The tab that is shown lies under it. */
export const openPage = (address: string): void => {
  const { tab = readAddress(window).path[0] } = entryState(window);
  layersIn(window).goTo(address, { tab });
  window.scrollTo(0, 0);
};

/** Gives the focus to a part of the masks tab, and shows the tab where another one is shown. */
export const focusOnMasks = (part: FocusTarget): void => {
  const [tab = "masks"] = readAddress(window).path;
  if (tab === "masks") giveFocus(part);
  else goTo(addressText(["masks"]), part);
};
