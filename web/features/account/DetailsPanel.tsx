import type { ReactNode } from "react";
import { createProfile } from "../../../core/account/profile.ts";
import { longDate } from "../../format/dates.ts";
import { createChunk } from "../../loading/chunk.ts";
import { Lazy } from "../../loading/Lazy.tsx";
import { useOpening } from "../../loading/useOpening.ts";
import { useFeature } from "../../react/useApp.ts";
import { Button } from "../../ui/Button.tsx";
import { Skeleton } from "../../ui/feedback/Skeleton.tsx";
import { LogoutIcon } from "../../ui/icons/LogoutIcon.tsx";
import styles from "../../ui/layout/Panels.module.css";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import type { AccountPanelProps } from "../billing/PlanPanel.tsx";
import { useLogout } from "./useLogout.tsx";

const dialog = createChunk(
  () => import("./ChangeEmailDialog.tsx"),
  (module) => module.ChangeEmailDialog,
);

const ChangeEmailButton = () => {
  const profile = useFeature(createProfile);
  const { opened, isOpen, open, close } = useOpening();
  return (
    <>
      <Button size="small" aria-label="Change email" aria-haspopup="dialog" onPress={() => open()}>
        Change
      </Button>
      {opened && (
        <Lazy chunk={dialog} skeleton={null}>
          {(ChangeEmailDialog) => <ChangeEmailDialog profile={profile} isOpen={isOpen} onClose={close} />}
        </Lazy>
      )}
    </>
  );
};

/** Shows the email address and member since, with changing the address and logging out (AC3). */
export const DetailsPanel = ({ account, isUnavailable }: AccountPanelProps) => {
  const { logOut, isRunning, confirmation } = useLogout();
  const isLoading = account === null && !isUnavailable;
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
        {fact("Email", account?.email || "Not available", <ChangeEmailButton />)}
        {fact("Member Since", longDate(account?.created))}
      </dl>
      <div>
        <Button icon={<LogoutIcon size={18} />} onPress={logOut} isPending={isRunning}>
          Log Out
        </Button>
        {confirmation}
      </div>
    </SectionCard>
  );
};
