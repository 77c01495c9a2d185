import { useCallback, useEffect, useRef, useState } from "react";
import { createChunk } from "../loading/chunk.ts";
import { Lazy } from "../loading/Lazy.tsx";
import { NavigationContext, type TabId, useNavigationState } from "../navigation/navigation.ts";
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

const keySetup = createChunk(
  () => import("../encryption/KeySetupScreen.tsx"),
  (module) => module.KeySetupScreen,
);

/** The tab that the current entry of the browser's history names; the masks tab where it names none. */
const tabInHistory = (): TabId => tabs.find(({ id }) => id === entryState(window).tab)?.id ?? masksTab.id;

/** The selected tab, which survives a reload and follows the back and forward buttons. */
const useSelectedTab = (): readonly [TabId, (id: TabId) => void] => {
  const [selected, select] = useState<TabId>(tabInHistory);
  useEffect(() => {
    const follow = (): void => select(tabInHistory());
    window.addEventListener("popstate", follow);
    return () => window.removeEventListener("popstate", follow);
  }, []);
  const selectAsNewEntry = useCallback((id: TabId) => {
    if (id !== tabInHistory()) window.history.pushState({ tab: id }, "");
    select(id);
  }, []);
  return [selected, selectAsNewEntry];
};

/** The header and the selected one of the five tabs; the selection is state of the browser's history, not a URL (SH1). */
const TabbedPage = () => {
  const [selected, select] = useSelectedTab();
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
  const navigation = useNavigationState(showTab);
  const tab = findTab(selected);
  useTitle(tab.label);
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
          <Lazy key={selected} name={selected} chunk={tab.chunk} skeleton={<TabSkeleton tab={selected} />}>
            {(Screen) => <Screen />}
          </Lazy>
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
