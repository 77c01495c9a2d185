import { useEffect } from "react";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import styles from "./AccountTab.module.css";
import { DataSection } from "./DataSection.tsx";
import { DeleteAccountSection } from "./DeleteAccountSection.tsx";
import { DetailsPanel } from "./DetailsPanel.tsx";
import { PlanPanel } from "./PlanPanel.tsx";
import { ScorePanel } from "./ScorePanel.tsx";

/** Plan, usage, safety, and who the user is (AC1 to AC4). What is counted moves while it is looked at. */
export const AccountTab = () => {
  const { account } = useApp();
  const known = useObservable(account.account$);
  const warning = useObservable(account.warning$);
  const { run: refresh, isRunning, problem } = useAction(account.refresh);
  useEffect(() => refresh(), [refresh]);
  useEffect(() => account.watch(), [account]);
  const isMissing = known === null && problem !== null;
  const sentence = warning ?? problem?.sentence ?? "";

  return (
    <div className={styles.tab}>
      <h1>Your Account</h1>
      {sentence !== "" && (
        <Banner
          kind={known === null ? "error" : "warning"}
          action={
            <Button size="small" onPress={() => refresh()} isPending={isRunning}>
              {known === null ? "Try Again" : "Refresh"}
            </Button>
          }
        >
          {sentence}
        </Banner>
      )}
      <div className={styles.pair}>
        <PlanPanel account={known} isMissing={isMissing} />
        <ScorePanel account={known} isMissing={isMissing} />
      </div>
      <DetailsPanel account={known} isMissing={isMissing} />
      <DataSection />
      <DeleteAccountSection />
    </div>
  );
};
