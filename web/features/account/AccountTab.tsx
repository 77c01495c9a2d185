import { useEffect } from "react";
import { Guarded } from "../../loading/Guarded.tsx";
import { useOpenPage } from "../../navigation/navigation.ts";
import { useFormAction } from "../../react/useAction.ts";
import { useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import styles from "../../ui/layout/Panels.module.css";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { PlanPanel } from "../billing/PlanPanel.tsx";
import { ScorePanel } from "../score/ScorePanel.tsx";
import { DataSection } from "./DataSection.tsx";
import { DeleteAccountSection } from "./DeleteAccountSection.tsx";
import { DetailsPanel } from "./DetailsPanel.tsx";

const OperatorLink = () => {
  const openPage = useOpenPage();
  return (
    <SectionCard
      id="operator-link"
      title="This server"
      text="You run this server. The operator's page shows its health, queue, DNS records and figures."
    >
      <div>
        <Button onPress={() => openPage("operator")}>Open the operator's page</Button>
      </div>
    </SectionCard>
  );
};

/** Shows plan, usage, score and account details (AC1 to AC4); the counts update while the tab is open. */
export const AccountTab = () => {
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
      {details?.isOperator === true && <OperatorLink />}
      <DeleteAccountSection />
      <p>
        <a href="/licenses" target="_blank" rel="noreferrer">
          Licenses of the software in this app
        </a>
      </p>
    </div>
  );
};
