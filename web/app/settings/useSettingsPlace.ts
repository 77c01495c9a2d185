import { type RefObject, useEffect, useRef, useState } from "react";
import { addressText, namesTab, readAddress } from "../../navigation/address.ts";
import { focusAgainMs } from "../../navigation/usePageHeading.ts";
import { layersIn } from "../../ui/overlay/useBackToClose.ts";
import { onNextAct, pressesAndScrolling, runUnlessUserActs } from "../../ui/unlessUserActs.ts";
import { type SettingsSection, settingsSections } from "./settingsSections.ts";

/** The part of the settings that the address names: the list of sections, a section, or a card of it. */
interface SettingsPlace {
  readonly section: SettingsSection | null;
  /** The id of a card's title. */
  readonly card: string | null;
}

const placeInAddress = (): SettingsPlace => {
  const [, name, id] = readAddress(window).path;
  const section = settingsSections.find(({ path }) => path[1] === name) ?? null;
  return { section, card: section?.cards.find((card) => card.id === id)?.id ?? null };
};

const focusAgain = (find: () => HTMLElement | null): (() => void) => {
  const focus = (): void => find()?.focus({ preventScroll: true });
  focus();
  return runUnlessUserActs(focusAgainMs, () => {
    const element = find();
    if (element && !element.closest("main")?.contains(document.activeElement)) focus();
  });
};

/** Shows a card at the upper edge, and keeps it there while cards above it load, until the user presses or scrolls. */
const keepInView = (page: HTMLElement, find: () => HTMLElement | null): (() => void) => {
  const show = (): void => find()?.scrollIntoView({ block: "start" });
  const observer = new ResizeObserver(show);
  show();
  observer.observe(page);
  const stopListening = onNextAct(() => observer.disconnect(), pressesAndScrolling);
  return () => {
    observer.disconnect();
    stopListening();
  };
};

interface ShownSettings extends SettingsPlace {
  /** The section that a wide screen shows: the first before one is chosen. */
  readonly shown: SettingsSection;
  readonly page: RefObject<HTMLDivElement | null>;
  readonly heading: RefObject<HTMLHeadingElement | null>;
}

/**
 * Follows the address. The heading of a section that is opened, or of the card that the address names, has the focus; in the
 * list of sections the one that was left has it.
 */
export const useSettingsPlace = (): ShownSettings => {
  const [place, setPlace] = useState(placeInAddress);
  const page = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const left = useRef<SettingsSection | null>(null);

  useEffect(() => {
    // The palette and links of other screens may name what is shown already.
    const follow = (isOwn: boolean): void => {
      if (!namesTab(window, "settings")) return;
      const next = placeInAddress();
      setPlace((shown) =>
        !isOwn && shown.section === next.section && shown.card === next.card ? shown : next,
      );
    };
    return layersIn(window).onMove(follow);
  }, []);

  useEffect(() => {
    const before = left.current;
    left.current = place.section;
    if (place.section !== null) {
      const { card } = place;
      const find = (): HTMLElement | null =>
        (card === null ? null : document.getElementById(card)) ?? heading.current;
      const stopFocusing = focusAgain(find);
      if (card === null || page.current === null) {
        window.scrollTo(0, 0);
        return stopFocusing;
      }
      const stopKeeping = keepInView(page.current, find);
      return () => {
        stopFocusing();
        stopKeeping();
      };
    }
    if (before === null) return undefined;
    const { activeElement, body } = document;
    const isLost = activeElement === body || page.current?.contains(activeElement) === true;
    if (!isLost) return undefined;
    return focusAgain(
      () => page.current?.querySelector<HTMLElement>(`nav a[href="${addressText(before.path)}"]`) ?? null,
    );
  }, [place]);

  return { ...place, shown: place.section ?? settingsSections[0], page, heading };
};
