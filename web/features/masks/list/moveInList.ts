/** The names in the list, each of which leads to the page of its mask. */
const links = '[aria-label="Email masks"] a[data-mask]';

const isOnScreen = (element: Element): boolean => element.getBoundingClientRect().top >= 0;

/** Moves the focus to the next mask of the list, or to the one before; to the first on the screen from elsewhere. */
export const moveInList = (step: 1 | -1): void => {
  const all = [...document.querySelectorAll<HTMLElement>(links)];
  const item = document.activeElement?.closest("[data-row], li");
  const at = all.findIndex((link) => item?.contains(link));
  const next = at < 0 ? all.find(isOnScreen) : all[at + step];
  next?.focus();
  next?.closest("[data-row], li")?.scrollIntoView({ block: "nearest" });
};
