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

interface Navigation {
  /** Shows the target's tab and, once rendered, its section. */
  readonly navigate: (target: NavigationTarget) => void;
  /** The section to focus once it is rendered; null for none. */
  readonly targetSection: Section | null;
  /** Clears the target section after it has been focused. */
  readonly clearTarget: () => void;
}

/** Provides the navigation; its default does nothing, for components rendered alone. */
export const NavigationContext = createContext<Navigation>({
  navigate: () => {},
  targetSection: null,
  clearTarget: () => {},
});

/** Creates the navigation: shows tabs by `show` and keeps the target section until it has been focused. */
export const useNavigationState = (show: (tab: NavigationTarget["tab"]) => void): Navigation => {
  const [targetSection, setTargetSection] = useState<Section | null>(null);
  const navigate = useCallback(
    ({ tab, section }: NavigationTarget) => {
      show(tab);
      setTargetSection(section ?? null);
    },
    [show],
  );
  const clearTarget = useCallback(() => setTargetSection(null), []);
  return useMemo(() => ({ navigate, targetSection, clearTarget }), [navigate, targetSection, clearTarget]);
};

/** The function that navigates to a tab and its section. */
export const useNavigate = (): ((target: NavigationTarget) => void) => useContext(NavigationContext).navigate;

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
