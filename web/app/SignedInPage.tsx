import { useCallback, useEffect, useRef, useState } from "react";
import { createChunk } from "../loading/chunk.ts";
import { Lazy } from "../loading/Lazy.tsx";
import {
  type HeldTarget,
  NavigationContext,
  type TabId,
  useNavigationState,
} from "../navigation/navigation.ts";
import { useReceivedNotifications } from "../notifications/Bell.tsx";
import { useApp, useSignedIn, useTitle } from "../react/useApp.ts";
import { useObservable } from "../react/useObservable.ts";
import { entryState } from "../ui/layers.ts";
import { TabBar, TabPanel, tabId } from "../ui/TabBar.tsx";
import { Header } from "./Header.tsx";
import { OfflineHelp } from "./OfflineHelp.tsx";
import styles from "./SignedInPage.module.css";
import { StartingScreen } from "./StartingScreen.tsx";
import { ThemeToggle } from "./ThemeToggle.tsx";
import { masksTab, TabSkeleton, tabs } from "./tabs.tsx";

const activityEvents = ["pointerdown", "keydown", "focus"] as const;

/** Reports user activity to the realtime connection, which closes after a period without it (RT6). */
const useActivity = (): void => {
  const { realtime } = useSignedIn();
  useEffect(() => {
    for (const event of activityEvents)
      window.addEventListener(event, realtime.markActive, { capture: true });
    return () => {
      for (const event of activityEvents)
        window.removeEventListener(event, realtime.markActive, { capture: true });
    };
  }, [realtime]);
};

const tabBarName = "sections";

const findTab = (id: TabId) => tabs.find((tab) => tab.id === id) ?? masksTab;

const heldPage = createChunk(
  () => import("../held/HeldPage.tsx"),
  (module) => module.HeldPage,
);

const keySetup = createChunk(
  () => import("../encryption/KeySetupScreen.tsx"),
  (module) => module.KeySetupScreen,
);

/** The tab that the current entry of the browser's history names; the masks tab where it names none. */
const tabInHistory = (): TabId => tabs.find(({ id }) => id === entryState(window).tab)?.id ?? masksTab.id;

/** What is shown: a tab, or the page of held mail instead of it. */
interface Place {
  readonly tab: TabId;
  readonly held: HeldTarget | null;
}

const placeInHistory = (): Place => ({ tab: tabInHistory(), held: entryState(window).held ?? null });

/** The shown place, which survives a reload and follows the back and forward buttons. */
const usePlace = () => {
  const [place, setPlace] = useState<Place>(placeInHistory);
  useEffect(() => {
    const follow = (): void => setPlace(placeInHistory());
    window.addEventListener("popstate", follow);
    return () => window.removeEventListener("popstate", follow);
  }, []);
  const selectTab = useCallback((tab: TabId) => {
    const before = placeInHistory();
    if (tab !== before.tab || before.held) window.history.pushState({ tab }, "");
    setPlace({ tab, held: null });
  }, []);
  const openHeld = useCallback((held: HeldTarget) => {
    const place = { tab: tabInHistory(), held };
    // The entry of an open panel is used again, so that one step back leads to the tab.
    if (entryState(window).layers) window.history.replaceState(place, "");
    else window.history.pushState(place, "");
    setPlace(place);
    window.scrollTo(0, 0);
  }, []);
  return { ...place, selectTab, openHeld };
};

/** The header and the selected one of the five tabs, or the page of held mail; the selection is state of the browser's history, not a URL (SH1). */
const TabbedPage = () => {
  const { tab: selected, held, selectTab: select, openHeld } = usePlace();
  const { session } = useApp();
  const state = useObservable(session.state$);
  /** Selects a tab and focuses its button, because the element that led to it may be gone. */
  const showTab = useCallback(
    (id: TabId) => {
      select(id);
      window.scrollTo(0, 0);
      document.getElementById(tabId(tabBarName, id))?.focus({ preventScroll: true });
    },
    [select],
  );
  const navigation = useNavigationState(showTab, openHeld);
  const tab = findTab(selected);
  useTitle(held ? "Held mail" : tab.label);
  useActivity();
  useReceivedNotifications();
  useEffect(() => {
    window.scrollTo(0, 0);
  }, []);

  return (
    <NavigationContext value={navigation}>
      <Header email={state.kind === "signed-in" ? state.user.email : ""}>
        <TabBar
          label="Sections"
          name={tabBarName}
          tabs={tabs}
          selected={selected}
          onSelect={(id) => navigation.navigate({ tab: id })}
          onIntent={(id) => findTab(id).chunk.prefetch()}
        />
      </Header>
      <OfflineHelp />
      <main className={styles.main}>
        <TabPanel bar={tabBarName} tab={selected} className={styles.panel}>
          {held ? (
            <Lazy name="held mail" chunk={heldPage} skeleton={null}>
              {(HeldPage) => (
                <HeldPage
                  target={held}
                  onShow={openHeld}
                  onLeave={() => navigation.navigate({ tab: selected })}
                />
              )}
            </Lazy>
          ) : (
            <Lazy key={selected} name={selected} chunk={tab.chunk} skeleton={<TabSkeleton tab={selected} />}>
              {(Screen) => <Screen />}
            </Lazy>
          )}
        </TabPanel>
      </main>
    </NavigationContext>
  );
};

/** The page of a signed-in user, or the key setup as the last step of signing in for a user without a key (SI1). */
export const SignedInPage = () => {
  const { signIn } = useApp();
  const isKeySetup = useObservable(signIn.isKeySetup$);
  const container = useRef<HTMLDivElement>(null);
  const wasKeySetup = useRef(isKeySetup);
  useEffect(() => {
    if (wasKeySetup.current && !isKeySetup) container.current?.focus({ preventScroll: true });
    wasKeySetup.current = isKeySetup;
  }, [isKeySetup]);
  return (
    <div ref={container} tabIndex={-1}>
      {isKeySetup ? (
        <Lazy chunk={keySetup} skeleton={<StartingScreen />}>
          {(KeySetupScreen) => <KeySetupScreen corner={<ThemeToggle />} />}
        </Lazy>
      ) : (
        <TabbedPage />
      )}
    </div>
  );
};
