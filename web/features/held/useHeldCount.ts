import { useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import type { NavBarLink } from "../../ui/NavBar.tsx";

/** The number of held mails, as it is shown in the navigation. */
export const useHeldCount = (): NonNullable<NavBarLink<string>["badge"]> => {
  const { account } = useSignedIn();
  return { count: useObservable(account.account$)?.usage?.held ?? 0, label: "held" };
};
