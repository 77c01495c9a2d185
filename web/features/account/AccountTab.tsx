import { useEffect } from "react";
import { Guarded } from "../../loading/Guarded.tsx";
import { addressText } from "../../navigation/address.ts";
import { atServer } from "../../navigation/baseAddress.ts";
import { useFormAction } from "../../react/useAction.ts";
import { useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import styles from "../../ui/layout/Panels.module.css";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { LinkRow, SettingRows } from "../../ui/layout/SettingRow.tsx";
import { PlanPanel } from "../billing/PlanPanel.tsx";
import { ScorePanel } from "../score/ScorePanel.tsx";
import { DetailsPanel } from "./DetailsPanel.tsx";

const OperatorLink = () => (
  <SectionCard
    id="operator-link"
    title="This server"
    text="You run this server. The operator's page shows its health, queue, DNS records and figures."
  >
    <div>
      <ButtonLink href={addressText(["account", "operator"])}>Open the operator's page</ButtonLink>
    </div>
  </SectionCard>
);

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
      {details?.isOperator === true && <OperatorLink />}
      <SectionCard id="account-settings" title="More of your account">
        <SettingRows>
          <LinkRow
            href={addressText(["settings", "data"])}
            title="Your data"
            text="Export your data, or import masks."
          />
          <LinkRow
            href={addressText(["settings", "account", "delete-account"])}
            title="Delete account"
            text="Removes your account with everything in it."
          />
          <LinkRow
            href={atServer("/licenses")}
            title="Licenses of the software in this app"
            text="Opens in another tab."
            opensTab
          />
        </SettingRows>
      </SectionCard>
    </div>
  );
};
