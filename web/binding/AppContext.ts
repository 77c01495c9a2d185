import { createContext } from "react";
import type { App } from "../../core/app.ts";
import type { Reporter } from "../../core/ports/reporter.ts";

/** What the page stands on: the product, and where its crashes are told. */
export interface Foundation {
  readonly app: App;
  readonly reporter: Reporter;
}

export const AppContext = createContext<Foundation | null>(null);
