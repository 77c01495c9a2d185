import { type ReactNode, useState } from "react";
import { type Action, useAction } from "../binding/useAction.ts";
import { useGo } from "../places/useGo.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";
import { ProblemBanner } from "../ui/ProblemBanner.tsx";
import { SectionCard } from "../ui/SectionCard.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { Switch } from "../ui/Switch.tsx";
import styles from "./AiSection.module.css";
import type { ContentAccess, ContentAccessView } from "./contentAccessPart.ts";
import { PrivacyNotice } from "./PrivacyNotice.tsx";

export interface AiCardProps {
  readonly contentAccess: ContentAccess;
  readonly view: ContentAccessView;
  readonly refresh: Action<[]>;
}

const Frame = ({ children }: { readonly children: ReactNode }) => (
  <SectionCard
    id="content-access"
    title="AI Content Access"
    level={3}
    text="Lets this server sort your mail into categories and show what it is about. It is off until you turn it on, and you can turn it off again."
  >
    {children}
  </SectionCard>
);

/** Why it is not known, with the way to ask again. */
const Unknown = ({ view, refresh }: Omit<AiCardProps, "contentAccess">) => {
  const { origin, access } = view;
  const sentence =
    refresh.problem?.sentence ||
    (origin === "fallback" ? "The server has not said yet whether content access is on." : "") ||
    (origin === "old" ? "Using cached settings. Refresh when online." : "");
  if (sentence === "") return access === null ? <Skeleton height="2.5rem" shape="block" /> : null;
  return (
    <Banner
      kind={access === null ? "error" : "warning"}
      action={
        <Button size="small" onPress={() => refresh.run()} isPending={refresh.isRunning}>
          {access === null ? "Try Again" : "Refresh"}
        </Button>
      }
    >
      {sentence}
    </Banner>
  );
};

const NotEligible = () => {
  const go = useGo();
  return (
    <>
      <p className={styles.text}>
        Content access features require Pro tier or higher. On your plan nothing looks at what your mail says.
      </p>
      <div>
        <Button onPress={() => go({ tab: "account", section: "plan" })}>See your plan</Button>
      </div>
    </>
  );
};

/** Turning it on, and whether the notice is acknowledged; null: nothing is being decided (SG3). */
type Form = { readonly acknowledged: boolean } | null;

const stateOf = (isInEffect: boolean, isUnread: boolean): string => {
  if (isInEffect) return "On: header and subject of your mail are read.";
  return isUnread ? "Not on yet: read the privacy notice first." : "Off";
};

/** Whether content may be looked at: on after the notice was read, off after a question (SG3). */
export const ContentAccessCard = ({ contentAccess, view, refresh }: AiCardProps) => {
  const { access, origin, isEligible } = view;
  const [form, setForm] = useState<Form>(null);
  const [isAsked, setAsked] = useState(false);
  const done = () => {
    setForm(null);
    setAsked(false);
  };
  const save = useAction(contentAccess.setEnabled, { onSuccess: done });
  const isEnabled = access?.contentAccessEnabled === true;
  const isAcknowledged = access?.contentAccessAcknowledged === true;
  const waitsForNotice = isEnabled && !isAcknowledged;
  const isUnread = form !== null || waitsForNotice;
  const isNoticeShown = isUnread && isEligible !== false;
  const acknowledged = form?.acknowledged ?? false;

  const turn = (on: boolean): void => {
    save.forget();
    if (on) setForm({ acknowledged: true });
    else if (isEnabled && isAcknowledged) setAsked(true);
    else if (isEnabled) save.run(false, false);
    else setForm(null);
  };

  return (
    <Frame>
      <Unknown view={view} refresh={refresh} />
      {isEligible === false && <NotEligible />}
      {access !== null && (isEligible !== false || isEnabled) && (
        <Switch
          label="Content access"
          description={stateOf(isEnabled && isAcknowledged, isUnread)}
          isOn={isEnabled || form !== null}
          isDisabled={origin !== "server"}
          isPending={save.isRunning}
          onChange={turn}
        />
      )}
      {isNoticeShown && origin !== "fallback" && (
        <PrivacyNotice
          externalModel={access?.externalModel}
          isAcknowledged={acknowledged}
          onAcknowledge={(next) => {
            save.forget();
            setForm({ acknowledged: next });
          }}
          error={save.problem?.sentence || undefined}
          isPending={save.isRunning}
          onConfirm={() => save.run(true, acknowledged)}
          onCancel={() => turn(false)}
        />
      )}
      <ConfirmDialog
        isOpen={isAsked}
        title="Turn off content access?"
        confirmLabel="Turn off"
        pendingLabel="Turning off…"
        isDanger
        isPending={save.isRunning}
        onConfirm={() => save.run(false, false)}
        onCancel={() => setAsked(false)}
      >
        <p>
          Your mail is not sorted any more, and the categories counted so far are deleted. This cannot be
          undone. Rules that look at the category of a mail no longer apply.
        </p>
        <ProblemBanner problem={save.problem} />
      </ConfirmDialog>
    </Frame>
  );
};
