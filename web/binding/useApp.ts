import { useContext } from "react";
import type { App } from "../../core/app.ts";
import type { Reporter } from "../../core/ports/reporter.ts";
import { AppContext, type Foundation } from "./AppContext.ts";

const useFoundation = (): Foundation => {
  const foundation = useContext(AppContext);
  if (!foundation) throw new Error("useApp must be used within an AppContext");
  return foundation;
};

/** The product, as this page was given it. */
export const useApp = (): App => useFoundation().app;

/** Where a screen tells its crash (SH4). */
export const useReporter = (): Reporter => useFoundation().reporter;
