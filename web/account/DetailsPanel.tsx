import type { ReactNode } from "react";
import { useLogOut } from "../logOut/useLogOut.tsx";
import { Button } from "../ui/Button.tsx";
import { LogoutIcon } from "../ui/icons/LogoutIcon.tsx";
import { SectionCard } from "../ui/SectionCard.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { longDate } from "../wording/dates.ts";
import styles from "./AccountTab.module.css";
import type { AccountPanelProps } from "./accountPanel.ts";
import { ChangeEmail } from "./ChangeEmail.tsx";

/** Who the user is, since when, and the way out (AC3). */
export const DetailsPanel = ({ account, isMissing }: AccountPanelProps) => {
  const { ask, isRunning, question } = useLogOut();
  const isLoading = account === null && !isMissing;
  const fact = (name: string, value: string, action?: ReactNode): ReactNode => (
    <div>
      <dt>{name}</dt>
      <dd className={styles.fact}>
        <span>{isLoading ? <Skeleton width="18ch" /> : value}</span>
        {action}
      </dd>
    </div>
  );
  return (
    <SectionCard id="details" title="Account details" isBusy={isLoading}>
      <dl className={styles.facts}>
        {fact("Email", account?.email || "Not available", <ChangeEmail />)}
        {fact("Member Since", longDate(account?.created))}
      </dl>
      <div>
        <Button icon={<LogoutIcon size={18} />} onPress={ask} isPending={isRunning}>
          Log Out
        </Button>
        {question}
      </div>
    </SectionCard>
  );
};
