import { layersIn } from "../ui/overlay/useBackToClose.ts";
import { addressText, readAddress } from "./address.ts";

/** Goes to an address of the page. The entry of an open dialog is used again, so that one step back leads out of it. */
export const goTo = (address: string): void => {
  layersIn(window).goTo(address);
  window.dispatchEvent(new PopStateEvent("popstate"));
};

/** Calls `use` with the element of a selector as soon as it is on the page, within some seconds. */
const whenShown = (selector: string, use: (element: HTMLElement) => void, frames = 200): void => {
  const element = document.querySelector<HTMLElement>(selector);
  if (element) use(element);
  else if (frames > 0) requestAnimationFrame(() => whenShown(selector, use, frames - 1));
};

/** Shows the masks, and calls `use` with the element of a selector when it is there. */
export const onMasks = (selector: string, use: (element: HTMLElement) => void): void => {
  const [tab = "masks"] = readAddress(window).path;
  if (tab !== "masks") goTo(addressText(["masks"]));
  whenShown(selector, use);
};
