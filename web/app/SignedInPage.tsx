import { useCallback, useEffect, useRef, useState } from "react";
import { useHeldCount } from "../features/held/useHeldCount.ts";
import { useReceivedNotifications } from "../features/notifications/Bell.tsx";
import { createChunk } from "../loading/chunk.ts";
import { Lazy, useChunk } from "../loading/Lazy.tsx";
import { addressText, nameEntry, readAddress } from "../navigation/address.ts";
import { giveFocus, onFocusGiven } from "../navigation/focus.ts";
import { goTo, openPage } from "../navigation/goTo.ts";
import type { PageParams } from "../navigation/pageProps.ts";
import { PartTitle } from "../navigation/partTitle.ts";
import { useApp, useSignedIn, useTitle } from "../react/useApp.ts";
import { useObservable } from "../react/useObservable.ts";
import { NavBar } from "../ui/NavBar.tsx";
import { entryState } from "../ui/overlay/layers.ts";
import { layersIn } from "../ui/overlay/useBackToClose.ts";
import type { PressedKey } from "./commands/Commands.tsx";
import { Header } from "./Header.tsx";
import { MoreMenu } from "./MoreMenu.tsx";
import { masksTab, type Page, pages, type Tab, tabs } from "./routes/routes.tsx";
import styles from "./SignedInPage.module.css";
import { StartingScreen } from "./StartingScreen.tsx";
import { ThemeToggle } from "./ThemeToggle.tsx";

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

const navLinks = tabs.map(({ path, title, icon: Icon }) => ({
  id: path[0],
  label: title,
  icon: <Icon />,
  href: addressText(path),
}));

const findTab = (name: unknown): Tab => tabs.find(({ path }) => path[0] === name) ?? masksTab;

/** The pages that are one press away: held mail with its number, and the log. */
const HeaderPages = ({ shown }: { readonly shown: Page | null }) => {
  const held = useHeldCount();
  const listed = pages.filter(({ isInHeader }) => isInHeader);
  const links = listed.map(({ path: [id = ""], title, icon: Icon }) => ({
    id,
    label: title,
    icon: Icon && <Icon />,
    href: addressText([id]),
    badge: id === "held" ? held : undefined,
  }));
  return (
    <NavBar
      label="Held mail and log"
      isAside
      links={links}
      current={{ id: shown?.path[0] ?? "", isPage: true }}
      onFollow={(name) => openPage(addressText([name]))}
      onIntent={(name) => listed.find(({ path }) => path[0] === name)?.chunk.prefetch()}
    />
  );
};

const keysChunk = createChunk(
  () => import("./commands/Keys.tsx"),
  (module) => module.Keys,
);

const laterChunk = createChunk(
  () => import("./LaterParts.tsx"),
  (module) => module.LaterParts,
);

const keySetup = createChunk(
  () => import("../features/encryption/KeySetupScreen.tsx"),
  (module) => module.KeySetupScreen,
);

const twoFactorSetup = createChunk(
  () => import("../features/session/twoFactor/TwoFactorSetupScreen.tsx"),
  (module) => module.TwoFactorSetupScreen,
);

const proofQuestion = createChunk(
  () => import("./ProofQuestion.tsx"),
  (module) => module.ProofQuestion,
);

/** A step after the sign-in, with the question that it asks when it has taken more than five minutes. */
const SetupStep = ({ chunk }: { readonly chunk: typeof keySetup }) => {
  const { part: ProofQuestion } = useChunk(proofQuestion);
  return (
    <>
      {ProofQuestion && <ProofQuestion />}
      <Lazy chunk={chunk} skeleton={<StartingScreen />}>
        {(Screen) => <Screen corner={<ThemeToggle />} />}
      </Lazy>
    </>
  );
};

/** The tab that is shown, or the page instead of it. */
interface Place {
  readonly tab: Tab;
  readonly page: Page | null;
  readonly params: PageParams;
}

/** The place that the address names; the masks tab where it names none. Under a page lies the tab it was opened from. */
const placeInAddress = (): Place => {
  const { path, params } = readAddress(window);
  const page = pages.find((one) => one.path.every((part, n) => part === path[n])) ?? null;
  const isBelowTab = page === null || page.path.length > 1;
  return { tab: findTab(isBelowTab ? path[0] : entryState(window).tab), page, params };
};

const firstPlace = (): Place => {
  for (const { path, paramsAt } of pages) {
    const params = paramsAt?.(window.location);
    // The fragment replaces the address that was typed.
    if (params) nameEntry(`/${addressText(path, params)}`);
  }
  return placeInAddress();
};

/** The shown place, which has an address and so survives a reload and follows the back and forward buttons. */
const usePlace = (): Place => {
  const [place, setPlace] = useState<Place>(firstPlace);
  const [firstHash] = useState(window.location.hash);
  useEffect(() => {
    const follow = (): void => setPlace(placeInAddress());
    // The address may have changed between the first rendering and this moment.
    if (window.location.hash !== firstHash) follow();
    return layersIn(window).onMove(follow);
  }, [firstHash]);
  return place;
};

/** Shows a tab from its top, where the keyboard and screen readers go on. */
const showTab = (tab: Tab): void => {
  const shown = placeInAddress();
  const isToStartOver = tab.startsOver && readAddress(window).path.length > 1;
  if (tab !== shown.tab || shown.page || isToStartOver) goTo(addressText(tab.path), "content");
  else giveFocus("content");
};

const mainId = "content";

/** Skips the header: the first stop of the keyboard, which is seen only then. */
const SkipLink = ({ onFollow }: { readonly onFollow: () => void }) => (
  <a
    href={`#${mainId}`}
    className={styles.skip}
    onClick={(event) => {
      // The fragment of the address names what is shown.
      event.preventDefault();
      onFollow();
    }}
  >
    Skip to content
  </a>
);

/** The header and the selected one of the five tabs, or a page; what is shown has an address, but no route of its own (SH1). */
const TabbedPage = () => {
  const { tab, page, params } = usePlace();
  const { session } = useApp();
  const state = useObservable(session.state$);
  const main = useRef<HTMLElement>(null);
  const focusMain = useCallback(() => main.current?.focus({ preventScroll: true }), []);
  useEffect(
    () =>
      onFocusGiven("content", () => {
        window.scrollTo(0, 0);
        focusMain();
      }),
    [focusMain],
  );
  const [tabName] = tab.path;
  const { title } = page ?? tab;
  const [part, setPart] = useState<string | null>(null);
  useTitle(part === null ? title : `${part} · ${title}`);
  const [pressed, setPressed] = useState<PressedKey | null>(null);
  const press = useCallback(
    (key: string) => setPressed((before) => ({ key, count: (before?.count ?? 0) + 1 })),
    [],
  );
  const { part: Keys } = useChunk(keysChunk);
  const { part: LaterParts } = useChunk(laterChunk);
  useActivity();
  useReceivedNotifications();
  useEffect(() => {
    window.scrollTo(0, 0);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what led here may be gone with the focus
  useEffect(() => {
    if (document.activeElement === document.body) focusMain();
    if (page !== null) window.scrollTo(0, 0);
  }, [tab, page, focusMain]);

  return (
    <>
      <SkipLink onFollow={focusMain} />
      <Header email={state.kind === "signed-in" ? state.user.email : ""} onSearch={() => press("palette")}>
        <NavBar
          label="Main"
          links={navLinks}
          current={{ id: tabName, isPage: page === null }}
          onFollow={(name) => showTab(findTab(name))}
          onIntent={(id) => findTab(id).chunk.prefetch()}
        >
          <MoreMenu onKey={press} />
        </NavBar>
        <HeaderPages shown={page} />
      </Header>
      {Keys && <Keys pressed={pressed} onPress={press} />}
      {LaterParts && <LaterParts isFirstScreen={page === null && tab === masksTab} />}
      <main className={styles.main} id={mainId} tabIndex={-1} aria-label={title} ref={main}>
        <div className={styles.panel}>
          <PartTitle value={setPart}>
            {page ? (
              <Lazy key={page.title} name={page.path.at(-1) ?? ""} chunk={page.chunk} skeleton={null}>
                {(Shown) => (
                  <Shown
                    params={params}
                    onShow={(shown) => openPage(addressText(page.path, shown))}
                    backTo={addressText(tab.path)}
                    onLeave={() => showTab(tab)}
                  />
                )}
              </Lazy>
            ) : (
              <Lazy key={tabName} name={tabName} chunk={tab.chunk} skeleton={tab.skeleton}>
                {(Screen) => <Screen />}
              </Lazy>
            )}
          </PartTitle>
        </div>
      </main>
    </>
  );
};

/** The page of a signed-in user, or a last step of signing in: key (SI1), and two-factor for a new account (SI16). */
export const SignedInPage = () => {
  const { signIn } = useApp();
  const isKeySetup = useObservable(signIn.isKeySetup$);
  const container = useRef<HTMLDivElement>(null);
  const isTwoFactorSetup = useObservable(signIn.isTwoFactorSetup$);
  const step = isKeySetup ? keySetup : isTwoFactorSetup ? twoFactorSetup : null;
  const stepBefore = useRef(step);
  useEffect(() => {
    if (stepBefore.current !== null && step === null) container.current?.focus({ preventScroll: true });
    stepBefore.current = step;
  }, [step]);
  return (
    <div ref={container} tabIndex={-1}>
      {step === null ? (
        <TabbedPage />
      ) : (
        <SetupStep key={step === keySetup ? "key" : "two-factor"} chunk={step} />
      )}
    </div>
  );
};
