import { type ReactNode, useEffect, useMemo, useRef } from "react";
import type { App } from "../../core/app/createApp.ts";
import { findShownToast } from "../../core/kernel/toast.ts";
import type { Reporter } from "../../core/ports/reporter.ts";
import { tableChunk } from "../features/masks/list/tableChunk.ts";
import { SignInScreen } from "../features/session/signIn/SignInScreen.tsx";
import { createChunk } from "../loading/chunk.ts";
import { Lazy, LoadFailure } from "../loading/Lazy.tsx";
import { ThemeProvider } from "../react/ThemeProvider.tsx";
import { AppContext, SignedInContext, useApp } from "../react/useApp.ts";
import { useObservable } from "../react/useObservable.ts";
import { Banner } from "../ui/feedback/Banner.tsx";
import { ToastRegion } from "../ui/overlay/ToastRegion.tsx";
import { PageBoundary } from "./CrashPage.tsx";
import { masksScreen, signedInCode } from "./firstChunks.ts";
import styles from "./Shell.module.css";
import { StartingScreen } from "./StartingScreen.tsx";
import { ThemeToggle } from "./ThemeToggle.tsx";

const signedInPage = createChunk(
  () => import("./SignedInPage.tsx"),
  (module) => module.SignedInPage,
);

/** Loads what a signed-in user needs first, in parallel; the code of rows too where this device shows them. */
export const prefetchSignedInPage = (listSettings: string | null = null): void => {
  signedInPage.prefetch();
  if (listSettings?.includes('"rows"')) tableChunk.prefetch();
  signedInCode.prefetch();
  masksScreen.prefetch();
};

/** The page-wide error banner; it stays until it is dismissed (SH3). */
const ErrorBanner = () => {
  const { banner } = useApp();
  const message = useObservable(banner.message$);
  if (message === null) return null;
  return (
    <div className={styles.place}>
      <Banner kind="error" onDismiss={banner.dismiss}>
        {message}
      </Banner>
    </div>
  );
};

/** The toasts above every screen (SH3). */
const Toasts = () => {
  const { toasts } = useApp();
  const list = useObservable(toasts.list$);
  return (
    <ToastRegion
      toasts={list}
      shown={findShownToast(list)}
      onClose={toasts.close}
      onKeepOpen={toasts.keepOpen}
    />
  );
};

const SignedInScreen = () => {
  const { signedIn } = useApp();
  const state = useObservable(signedIn.state$);
  if (state.kind === "failed") return <LoadFailure failures={1} onRetry={signedIn.retry} />;
  return (
    <Lazy chunk={signedInPage} skeleton={<StartingScreen />}>
      {(SignedInPage) =>
        state.kind === "loaded" ? (
          <SignedInContext value={state.value}>
            <SignedInPage />
          </SignedInContext>
        ) : (
          <StartingScreen />
        )
      }
    </Lazy>
  );
};

type SessionKind = App["session"]["state$"]["value"]["kind"];

const screenOf = (kind: SessionKind): ReactNode => {
  if (kind === "starting") return <StartingScreen />;
  if (kind === "signed-out")
    return <SignInScreen corner={<ThemeToggle />} onCodeSent={prefetchSignedInPage} />;
  return <SignedInScreen />;
};

/** The screen of the current session state. After signing in or out, the focus moves to its top unless it already set one. */
const Screen = () => {
  const { session } = useApp();
  const { kind } = useObservable(session.state$);
  const container = useRef<HTMLDivElement>(null);
  const previousKind = useRef(kind);
  useEffect(() => {
    if (previousKind.current === kind) return;
    previousKind.current = kind;
    if (document.activeElement === document.body) container.current?.focus({ preventScroll: true });
  }, [kind]);
  return (
    <div ref={container} tabIndex={-1}>
      {screenOf(kind)}
    </div>
  );
};

interface ShellProps {
  readonly app: App;
  readonly reporter: Reporter;
}

const AppProvider = ({ app, reporter, children }: ShellProps & { readonly children: ReactNode }) => {
  const value = useMemo(() => ({ app, reporter }), [app, reporter]);
  return <AppContext value={value}>{children}</AppContext>;
};

/** The root component: the screen of the session state, the error banner and the toasts. */
export const Shell = ({ app, reporter }: ShellProps) => (
  <AppProvider app={app} reporter={reporter}>
    <PageBoundary reporter={reporter}>
      <ThemeProvider>
        <ErrorBanner />
        <Screen />
        <Toasts />
      </ThemeProvider>
    </PageBoundary>
  </AppProvider>
);
