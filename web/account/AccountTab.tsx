import { useEffect } from "react";
import { useAction, useTask } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { LogoutIcon } from "../ui/icons/LogoutIcon.tsx";
import { longDate } from "../wording/dates.ts";
import styles from "./AccountTab.module.css";
import { DataSection } from "./DataSection.tsx";
import { DeleteAccountSection } from "./DeleteAccountSection.tsx";
import { PlanPanel } from "./PlanPanel.tsx";

/** Plan, usage and who the user is (AC1, AC3). */
export const AccountTab = () => {
  const { account, session } = useApp();
  const known = useObservable(account.account$);
  const { run: refresh, isRunning, problem } = useAction(account.refresh);
  const logOut = useTask(session.logOut);
  useEffect(() => refresh(), [refresh]);

  return (
    <div className={styles.tab}>
      <h1>Your Account</h1>
      {problem && problem.sentence !== "" && (
        <Banner
          kind="error"
          action={
            <Button size="small" onPress={() => refresh()} isPending={isRunning}>
              Try Again
            </Button>
          }
        >
          {problem.sentence}
        </Banner>
      )}
      <PlanPanel account={known} />
      <Card as="section" aria-labelledby="details" padding="roomy" className={styles.details}>
        <h2 id="details" className={styles.name}>
          Account details
        </h2>
        <dl className={styles.facts}>
          <div>
            <dt>Email</dt>
            <dd>{known?.email || "Not available"}</dd>
          </div>
          <div>
            <dt>Member Since</dt>
            <dd>{longDate(known?.created)}</dd>
          </div>
        </dl>
        <div>
          <Button icon={<LogoutIcon size={18} />} onPress={logOut.run} isPending={logOut.isRunning}>
            Log Out
          </Button>
        </div>
      </Card>
      <DataSection />
      <DeleteAccountSection />
    </div>
  );
};
