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
import { addressText } from "./address.ts";
import { goTo } from "./goTo.ts";

/** The five tabs of the signed-in page (SH1). */
export type TabId = "masks" | "rules" | "insights" | "settings" | "account";

/** A section of a tab that other screens link to. */
type Section = "security" | "content-access" | "plan" | "archive";

/** The sections that have an address of their own. */
const addressOf: Readonly<Partial<Record<Section, string>>> = {
  security: addressText(["settings", "security"]),
  "content-access": addressText(["settings", "privacy"]),
};

/** A target of navigation: a tab and optionally a section of it. */
export interface NavigationTarget {
  readonly tab: TabId;
  readonly section?: Section;
}

/** The address of a target: of its section, where that has one, else of its tab. */
export const addressOfTarget = ({ tab, section }: NavigationTarget): string =>
  (section && addressOf[section]) ?? addressText([tab]);

/** The pages that have no tab of their own. */
export type PageName = "developers" | "held" | "log" | "mailbox" | "mask" | "operator";

/** The values that such a page shows, by the names in its address. */
export type PageParams = Readonly<Record<string, string | undefined>>;

/** The props of such a page. */
export interface PageProps {
  readonly params: PageParams;
  /** Shows something else on the page. */
  readonly onShow: (params: PageParams) => void;
  /** The address of the tab under the page. */
  readonly backTo: string;
  /** Shows the tab under the page. */
  readonly onLeave: () => void;
}

interface Navigation {
  /** Shows a page that has no tab of its own. */
  readonly openPage: (name: PageName, params?: PageParams) => void;
  /** Shows the target's tab and, once rendered, its section. */
  readonly navigate: (target: NavigationTarget) => void;
  /** The section to focus once it is rendered; null for none. */
  readonly targetSection: Section | null;
  /** Clears the target section after it has been focused. */
  readonly clearTarget: () => void;
}

/** Provides the navigation; its default does nothing, for components rendered alone. */
export const NavigationContext = createContext<Navigation>({
  openPage: () => {},
  navigate: () => {},
  targetSection: null,
  clearTarget: () => {},
});

/** Creates the navigation: shows pages by the given functions, and keeps the target section until it has been focused. */
export const useNavigationState = (
  show: (tab: NavigationTarget["tab"]) => void,
  openPage: Navigation["openPage"],
): Navigation => {
  const [targetSection, setTargetSection] = useState<Section | null>(null);
  const navigate = useCallback(
    ({ tab, section }: NavigationTarget) => {
      const address = section && addressOf[section];
      if (address !== undefined) goTo(address);
      else show(tab);
      setTargetSection(address === undefined ? (section ?? null) : null);
    },
    [show],
  );
  const clearTarget = useCallback(() => setTargetSection(null), []);
  return useMemo(
    () => ({ openPage, navigate, targetSection, clearTarget }),
    [openPage, navigate, targetSection, clearTarget],
  );
};

/** The function that navigates to a tab and its section. */
export const useNavigate = (): ((target: NavigationTarget) => void) => useContext(NavigationContext).navigate;

/** The function that shows a page that has no tab of its own. */
export const useOpenPage = (): Navigation["openPage"] => useContext(NavigationContext).openPage;

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
