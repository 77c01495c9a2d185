import { useCallback, useEffect, useState } from "react";
import { createChunk } from "../loading/chunk.ts";
import { Guarded } from "../loading/Guarded.tsx";
import { Lazy } from "../loading/Lazy.tsx";
import { useFormAction } from "../react/useAction.ts";
import { useSignedIn, useTitle } from "../react/useApp.ts";
import { useObservable } from "../react/useObservable.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { entryState } from "../ui/layers.ts";
import { SectionCard } from "../ui/SectionCard.tsx";
import styles from "./AccountTab.module.css";
import { DataSection } from "./DataSection.tsx";
import { DeleteAccountSection } from "./DeleteAccountSection.tsx";
import { DetailsPanel } from "./DetailsPanel.tsx";
import { PlanPanel } from "./PlanPanel.tsx";
import { ScorePanel } from "./ScorePanel.tsx";

const isOperatorEntry = (): boolean => entryState(window).operator === true;

/** Whether the operator's page is shown instead of the Account tab: state of the browser's history, like a tab. */
const useOperatorPage = (): { readonly isShown: boolean; readonly show: () => void } => {
  const [isShown, setShown] = useState(isOperatorEntry);
  useEffect(() => {
    const follow = (): void => setShown(isOperatorEntry());
    window.addEventListener("popstate", follow);
    return () => window.removeEventListener("popstate", follow);
  }, []);
  const show = useCallback(() => {
    window.history.pushState({ tab: entryState(window).tab, operator: true }, "");
    setShown(true);
    window.scrollTo(0, 0);
  }, []);
  return { isShown, show };
};

const operatorPage = createChunk(
  () => import("../operator/OperatorPage.tsx"),
  (module) => module.OperatorPage,
);

const OperatorLink = ({ onOpen }: { readonly onOpen: () => void }) => (
  <SectionCard
    id="operator-link"
    title="This server"
    text="You run this server. The operator's page shows its health, queue, DNS records and figures."
  >
    <div>
      <Button onPress={onOpen}>Open the operator's page</Button>
    </div>
  </SectionCard>
);

/** Shows the account, or the operator's page in its place. */
export const AccountTab = () => {
  const { isShown, show } = useOperatorPage();
  useTitle(isShown ? "Operator" : "Account");
  if (!isShown) return <AccountPanels onOpenOperator={show} />;
  return (
    <Lazy name="operator" chunk={operatorPage} skeleton={null}>
      {(OperatorPage) => <OperatorPage onLeave={() => window.history.back()} />}
    </Lazy>
  );
};

/** Shows plan, usage, score and account details (AC1 to AC4); the counts update while the tab is open. */
const AccountPanels = ({ onOpenOperator }: { readonly onOpenOperator: () => void }) => {
  const { account } = useSignedIn();
  const details = useObservable(account.account$);
  const warning = useObservable(account.warning$);
  const { run: refresh, isRunning, problem } = useFormAction(account.refreshIfOld);
  useEffect(() => refresh(), [refresh]);
  useEffect(() => account.watch(), [account]);
  const isUnavailable = details === null && problem !== null;
  const message = warning ?? problem?.message ?? "";

  return (
    <div className={styles.tab}>
      <h1>Your Account</h1>
      {message !== "" && (
        <Banner
          kind={details === null ? "error" : "warning"}
          action={
            <Button size="small" onPress={() => refresh()} isPending={isRunning}>
              {details === null ? "Try Again" : "Refresh"}
            </Button>
          }
        >
          {message}
        </Banner>
      )}
      <div className={styles.pair}>
        <Guarded part="plan">
          <PlanPanel account={details} isUnavailable={isUnavailable} />
        </Guarded>
        <Guarded part="score">
          <ScorePanel account={details} isUnavailable={isUnavailable} />
        </Guarded>
      </div>
      <Guarded part="account details">
        <DetailsPanel account={details} isUnavailable={isUnavailable} />
      </Guarded>
      <Guarded part="account data">
        <DataSection />
      </Guarded>
      {details?.isOperator === true && <OperatorLink onOpen={onOpenOperator} />}
      <DeleteAccountSection />
    </div>
  );
};
