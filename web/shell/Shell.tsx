import { type ReactNode, useEffect, useMemo, useRef } from "react";
import type { App } from "../../core/app.ts";
import type { Reporter } from "../../core/ports/reporter.ts";
import { AppContext } from "../binding/AppContext.ts";
import { ThemeProvider } from "../binding/ThemeProvider.tsx";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Late } from "../loading/Late.tsx";
import { SignInScreen } from "../signIn/SignInScreen.tsx";
import { ErrorBanner } from "./ErrorBanner.tsx";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { frame, prefetchFrame } from "./frame.ts";
import { Messages } from "./Messages.tsx";
import { StartingScreen } from "./StartingScreen.tsx";
import { ThemeToggle } from "./ThemeToggle.tsx";

type SessionKind = App["session"]["state$"]["value"]["kind"];

const screenOf = (kind: SessionKind): ReactNode => {
  if (kind === "starting") return <StartingScreen />;
  if (kind === "signed-out") return <SignInScreen corner={<ThemeToggle />} onCodeSent={prefetchFrame} />;
  return <Late chunk={frame} skeleton={<StartingScreen />} />;
};

/** Signing in and out show another page: reading begins at its top, unless it has put the focus somewhere itself. */
const Screen = () => {
  const { session } = useApp();
  const { kind } = useObservable(session.state$);
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(kind);
  useEffect(() => {
    if (before.current === kind) return;
    before.current = kind;
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, [kind]);
  return (
    <div ref={place} tabIndex={-1}>
      {screenOf(kind)}
    </div>
  );
};

interface ShellProps {
  readonly app: App;
  readonly reporter: Reporter;
}

const Foundation = ({ app, reporter, children }: ShellProps & { readonly children: ReactNode }) => {
  const foundation = useMemo(() => ({ app, reporter }), [app, reporter]);
  return <AppContext value={foundation}>{children}</AppContext>;
};

/** The whole page: the screen that belongs to the session, and the messages above it. */
export const Shell = ({ app, reporter }: ShellProps) => (
  <Foundation app={app} reporter={reporter}>
    <ErrorBoundary reporter={reporter} part="page">
      <ThemeProvider>
        <ErrorBanner />
        <Screen />
        <Messages />
      </ThemeProvider>
    </ErrorBoundary>
  </Foundation>
);
