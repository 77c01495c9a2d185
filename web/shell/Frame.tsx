import { useCallback, useEffect, useRef, useState } from "react";
import { useApp, useReporter } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { useTitle } from "../binding/useTitle.ts";
import { makeChunk } from "../loading/chunk.ts";
import { Late } from "../loading/Late.tsx";
import { useReceivedNotifications } from "../notifications/useReceivedNotifications.ts";
import { JourneyContext, type TabId } from "../places/place.ts";
import { useJourney } from "../places/useJourney.ts";
import { TabBar } from "../ui/TabBar.tsx";
import { TabPanel } from "../ui/TabPanel.tsx";
import { tabId } from "../ui/tabIds.ts";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import styles from "./Frame.module.css";
import { Header } from "./Header.tsx";
import { OfflineHelp } from "./OfflineHelp.tsx";
import { StartingScreen } from "./StartingScreen.tsx";
import { TabSkeleton } from "./TabSkeleton.tsx";
import { ThemeToggle } from "./ThemeToggle.tsx";
import { masksTab, tabs } from "./tabs.tsx";
import { useActivity } from "./useActivity.ts";

const bar = "sections";

const tabOf = (id: TabId) => tabs.find((tab) => tab.id === id) ?? masksTab;

const keySetup = makeChunk(
  () => import("../encryption/KeySetupScreen.tsx"),
  (module) => module.KeySetupScreen,
);

/** Header, five tabs by internal state, and the chosen one (SH1). */
const Sections = () => {
  const [selected, select] = useState<TabId>("masks");
  const reporter = useReporter();
  const { session } = useApp();
  const state = useObservable(session.state$);
  /** What led to a tab may be gone with the one before: the focus goes on from the tab chosen. */
  const show = useCallback((id: TabId) => {
    select(id);
    window.scrollTo(0, 0);
    document.getElementById(tabId(bar, id))?.focus({ preventScroll: true });
  }, []);
  const journey = useJourney(show);
  const tab = tabOf(selected);
  useTitle(tab.label);
  useActivity();
  useReceivedNotifications();
  useEffect(() => {
    window.scrollTo(0, 0);
  }, []);

  return (
    <JourneyContext value={journey}>
      <Header email={state.kind === "signed-in" ? state.user.email : ""}>
        <TabBar
          label="Sections"
          name={bar}
          tabs={tabs}
          selected={selected}
          onSelect={(id) => journey.go({ tab: id })}
          onIntent={(id) => tabOf(id).chunk.prefetch()}
        />
      </Header>
      <OfflineHelp />
      <main className={styles.main}>
        <TabPanel bar={bar} tab={selected} className={styles.panel}>
          <ErrorBoundary key={selected} reporter={reporter} part={selected}>
            <Late chunk={tab.chunk} skeleton={<TabSkeleton tab={selected} />} />
          </ErrorBoundary>
        </TabPanel>
      </main>
    </JourneyContext>
  );
};

/** The signed-in page; before it, the last step of signing in for somebody without a key (SI1). */
export const Frame = () => {
  const { signIn } = useApp();
  const isKeySetup = useObservable(signIn.isKeySetup$);
  const place = useRef<HTMLDivElement>(null);
  const wasKeySetup = useRef(isKeySetup);
  useEffect(() => {
    if (wasKeySetup.current && !isKeySetup) place.current?.focus({ preventScroll: true });
    wasKeySetup.current = isKeySetup;
  }, [isKeySetup]);
  return (
    <div ref={place} tabIndex={-1}>
      {isKeySetup ? (
        <Late chunk={keySetup} skeleton={<StartingScreen />} corner={<ThemeToggle />} />
      ) : (
        <Sections />
      )}
    </div>
  );
};
