import type { Account } from "../../core/account/accountDetails.ts";

/** What each panel of the tab is given. */
export interface AccountPanelProps {
  /** Null while it is not known. */
  readonly account: Account | null;
  /** It could not be had: nothing is on its way. */
  readonly isMissing: boolean;
}
