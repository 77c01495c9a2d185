import {
  createContext,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";

/** The five tabs of the signed-in page (SH1). */
export type TabId = "masks" | "rules" | "insights" | "settings" | "account";

/** A section of a tab that other screens link to. */
type Section = "security" | "content-access" | "plan" | "archive";

/** A target of navigation: a tab and optionally a section of it. */
export interface NavigationTarget {
  readonly tab: TabId;
  readonly section?: Section;
}

/** What the page of held mail shows: the mail of one mask, or of all, and one mail to begin with. */
export interface HeldTarget {
  readonly maskId?: string | undefined;
  readonly mailId?: string | undefined;
}

interface Navigation {
  /** Shows the page of held mail, which has no tab of its own. */
  readonly openHeld: (target: HeldTarget) => void;
  /** Shows the target's tab and, once rendered, its section. */
  readonly navigate: (target: NavigationTarget) => void;
  /** The section to focus once it is rendered; null for none. */
  readonly targetSection: Section | null;
  /** Clears the target section after it has been focused. */
  readonly clearTarget: () => void;
}

/** Provides the navigation; its default does nothing, for components rendered alone. */
export const NavigationContext = createContext<Navigation>({
  openHeld: () => {},
  navigate: () => {},
  targetSection: null,
  clearTarget: () => {},
});

/** Creates the navigation: shows pages by `show` and `openHeld`, and keeps the target section until it has been focused. */
export const useNavigationState = (
  show: (tab: NavigationTarget["tab"]) => void,
  openHeld: Navigation["openHeld"],
): Navigation => {
  const [targetSection, setTargetSection] = useState<Section | null>(null);
  const navigate = useCallback(
    ({ tab, section }: NavigationTarget) => {
      show(tab);
      setTargetSection(section ?? null);
    },
    [show],
  );
  const clearTarget = useCallback(() => setTargetSection(null), []);
  return useMemo(
    () => ({ openHeld, navigate, targetSection, clearTarget }),
    [openHeld, navigate, targetSection, clearTarget],
  );
};

/** The function that navigates to a tab and its section. */
export const useNavigate = (): ((target: NavigationTarget) => void) => useContext(NavigationContext).navigate;

/** The function that shows the page of held mail. */
export const useOpenHeld = (): Navigation["openHeld"] => useContext(NavigationContext).openHeld;

/** Scrolls to a navigation target and focuses it. Attach the ref to the section's heading, with `tabIndex={-1}`. */
export const useFocusOnNavigate = <E extends HTMLElement>(section: Section): RefObject<E | null> => {
  const element = useRef<E>(null);
  const { targetSection, clearTarget } = useContext(NavigationContext);
  useEffect(() => {
    if (targetSection !== section) return;
    element.current?.scrollIntoView({ block: "start" });
    element.current?.focus({ preventScroll: true });
    clearTarget();
  }, [targetSection, section, clearTarget]);
  return element;
};
