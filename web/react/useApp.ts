import { createContext, useContext, useEffect } from "react";
import type { App } from "../../core/app/createApp.ts";
import type { SignedIn } from "../../core/app/signedIn.ts";
import type { Reporter } from "../../core/ports/reporter.ts";

/** The values that every component can use: the app, and the reporter for crashes. */
export interface AppContextValue {
  readonly app: App;
  readonly reporter: Reporter;
}

/** Provides the app and the reporter to the components; null outside of the root component. */
export const AppContext = createContext<AppContextValue | null>(null);

const useAppContext = (): AppContextValue => {
  const value = useContext(AppContext);
  if (!value) throw new Error("useApp must be used within an AppContext");
  return value;
};

/** The app of this page; throws outside of an AppContext. */
export const useApp = (): App => useAppContext().app;

/** The reporter for crashes (SH4); null for components rendered alone. */
export const useReporter = (): Reporter | null => useContext(AppContext)?.reporter ?? null;

/** Provides the signed-in part of the app to the screens of a signed-in user; null outside of them. */
export const SignedInContext = createContext<SignedIn | null>(null);

/** Returns the state of the signed-in user: masks, rules, account; throws outside of a SignedInContext. */
export const useSignedIn = (): SignedIn => {
  const value = useContext(SignedInContext);
  if (!value) throw new Error("useSignedIn must be used within a SignedInContext");
  return value;
};

/**
 * The one instance of a feature that single screens need: `useFeature(createInsights)`. Changes of what it shows are received
 * while a component uses it.
 */
export const useFeature: SignedIn["feature"] = (create) => {
  const { feature, follow } = useSignedIn().shownFeature(create);
  useEffect(follow, [follow]);
  return feature;
};

/** Sets the document title: "Masks · Bauta". A title that contains the brand is used alone. */
export const useTitle = (title: string): void => {
  const { brand } = useApp().configuration;
  useEffect(() => {
    document.title = title.includes(brand) ? title : `${title} · ${brand}`;
  }, [title, brand]);
};
