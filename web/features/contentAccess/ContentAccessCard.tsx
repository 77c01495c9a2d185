import { type ReactNode, useState } from "react";
import { sellsPlans } from "../../../core/api/configuration.ts";
import type { ContentAccess } from "../../../core/contentAccess/contentAccess.ts";
import { addressText } from "../../navigation/address.ts";
import { TargetLink } from "../../navigation/TargetLink.tsx";
import { type Action, useFormAction } from "../../react/useAction.ts";
import { useApp } from "../../react/useApp.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { Skeleton } from "../../ui/feedback/Skeleton.tsx";
import { Switch } from "../../ui/form/Switch.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { ConfirmDialog } from "../../ui/overlay/ConfirmDialog.tsx";
import styles from "./AiSection.module.css";
import { PrivacyDialog, PrivacyNotice } from "./PrivacyNotice.tsx";

type ContentAccessView = ContentAccess["view$"]["value"];

export interface AiCardProps {
  readonly contentAccess: ContentAccess;
  readonly view: ContentAccessView;
  readonly refresh: Action<[]>;
}

const Frame = ({ children }: { readonly children: ReactNode }) => (
  <SectionCard
    id="content-access"
    title="AI Content Access"
    level={4}
    text="Lets this server sort your mail into categories. It is off until you switch it on, and you can switch it off at any time."
  >
    {children}
  </SectionCard>
);

/** Explains why the setting is unknown or old, with a button that loads it again. */
const StatusBanner = ({ view, refresh }: Omit<AiCardProps, "contentAccess">) => {
  const { origin, access } = view;
  const message =
    refresh.problem?.message ||
    (origin === "fallback" ? "The server has not said yet whether content access is on." : "") ||
    (origin === "old" ? "Using cached settings. Refresh when online." : "");
  if (message === "") return access === null ? <Skeleton height="control" shape="block" /> : null;
  return (
    <Banner
      kind={access === null ? "error" : "warning"}
      action={
        <Button size="small" onPress={() => refresh.run()} isPending={refresh.isRunning}>
          {access === null ? "Try Again" : "Refresh"}
        </Button>
      }
    >
      {message}
    </Banner>
  );
};

const NotEligible = () => {
  if (!sellsPlans(useApp().configuration))
    return <p className={styles.text}>This server does not look at what your mail says.</p>;
  return (
    <>
      <p className={styles.text}>
        Content access features require Pro tier or higher. On your plan, your mail is not read.
      </p>
      <div>
        <TargetLink href={addressText(["account"])} focus="plan">
          See your plan
        </TargetLink>
      </div>
    </>
  );
};

/** The form that switches content access on; null while it is closed (SG3). */
type ConsentForm = { readonly acknowledged: boolean } | null;

const describeStatus = (isInEffect: boolean, isNoticePending: boolean): string => {
  if (isInEffect) return "On: header and subject of your mail are read.";
  return isNoticePending ? "Not on yet: read the privacy notice first." : "Off";
};

/** Switches content access: on once the privacy notice is acknowledged, off after a confirmation (SG3). */
export const ContentAccessCard = ({ contentAccess, view, refresh }: AiCardProps) => {
  const { access, origin, isEligible } = view;
  const [form, setForm] = useState<ConsentForm>(null);
  const [isConfirmingOff, setConfirmingOff] = useState(false);
  const reset = () => {
    setForm(null);
    setConfirmingOff(false);
  };
  const save = useFormAction(contentAccess.setEnabled, { onSuccess: reset });
  const isEnabled = access?.contentAccessEnabled === true;
  const isAcknowledged = access?.contentAccessAcknowledged === true;
  const waitsForNotice = isEnabled && !isAcknowledged;
  const isNoticePending = form !== null || waitsForNotice;
  const acknowledged = form?.acknowledged ?? false;

  const toggle = (on: boolean): void => {
    save.clearProblem();
    if (on) setForm({ acknowledged: false });
    else if (isEnabled && isAcknowledged) setConfirmingOff(true);
    else if (isEnabled) save.run(false, false);
    else setForm(null);
  };

  const notice = {
    externalModel: access?.externalModel,
    isAcknowledged: acknowledged,
    onAcknowledge: (next: boolean): void => {
      save.clearProblem();
      setForm({ acknowledged: next });
    },
    error: save.problem?.message || undefined,
    isPending: save.isRunning,
    onConfirm: () => save.run(true, acknowledged),
    onCancel: () => toggle(false),
  };

  return (
    <Frame>
      <StatusBanner view={view} refresh={refresh} />
      {isEligible === false && <NotEligible />}
      {access !== null && (isEligible !== false || isEnabled) && (
        <Switch
          label="Content access"
          description={describeStatus(isEnabled && isAcknowledged, isNoticePending)}
          isOn={isEnabled || form !== null}
          isDisabled={origin !== "server"}
          isPending={save.isRunning}
          onChange={toggle}
        />
      )}
      {waitsForNotice && isEligible !== false && origin !== "fallback" && <PrivacyNotice {...notice} />}
      <PrivacyDialog {...notice} isOpen={form !== null && !waitsForNotice} />
      <ConfirmDialog
        isOpen={isConfirmingOff}
        title="Switch off content access?"
        confirmLabel="Switch off"
        pendingLabel="Switching off…"
        isDanger
        isPending={save.isRunning}
        onConfirm={() => save.run(false, false)}
        onCancel={() => setConfirmingOff(false)}
        problem={save.problem}
      >
        <p>
          Your mail is no longer sorted, and the categories counted so far are deleted. Rules that look at a
          category no longer apply. This cannot be undone.
        </p>
      </ConfirmDialog>
    </Frame>
  );
};
