import { useEffect } from "react";
import { type Domain, lapseDays } from "../../../core/domains/domain.ts";
import type { Domains } from "../../../core/domains/domains.ts";
import { OutdatedNotice } from "../../loading/OutdatedNotice.tsx";
import { useAction, useFormAction } from "../../react/useAction.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Dialog } from "../../ui/overlay/Dialog.tsx";
import { CatchAllSettings } from "./CatchAllSettings.tsx";
import { DomainRecords } from "./DomainRecords.tsx";

const stateText = ({ state, kind, shownName }: Domain): string => {
  switch (state) {
    case "waiting":
      return `Add these records to the DNS of ${shownName}, where you registered or host it. Mail arrives once the proof is found.`;
    case "ready":
      return `Mail to ${shownName} comes here.`;
    case "incomplete":
      return kind === "sub"
        ? "Mail does not reach this name yet: the operator of this server has to add its DNS record."
        : "The domain is verified. Add the records that are missing.";
    case "lapsed":
      return `The proof is missing. Its masks keep working; after ${lapseDays} days no new ones can be created, and whoever proves the domain takes it over.`;
  }
};

interface DomainDialogProps {
  readonly id: string;
  readonly feature: Domains;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Shows the records of a domain, checked again while one is missing, and its settings once it is proven. */
export const DomainDialog = ({ id, feature, isOpen, onClose }: DomainDialogProps) => {
  const domain = useObservable(feature.list$)?.domains.find((one) => one.id === id);
  const outdated = useObservable(feature.outdated$);
  const refresh = useAction(feature.refresh);
  const check = useFormAction(feature.check);
  useEffect(() => (isOpen ? feature.watch(id) : undefined), [isOpen, feature, id]);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={domain?.shownName ?? "Domain"}
      size="large"
      footer={
        <>
          <Button
            isDisabled={outdated !== null}
            onPress={() => check.run(id)}
            isPending={check.isRunning}
            pendingLabel="Checking…"
          >
            Check again
          </Button>
          <Button variant="primary" onPress={onClose}>
            Done
          </Button>
        </>
      }
    >
      {domain === undefined ? (
        <p>This domain is not in your list any more.</p>
      ) : (
        <>
          <OutdatedNotice
            outdated={outdated}
            onRefresh={() => refresh.run()}
            isRefreshing={refresh.isRunning}
          />
          <Banner kind={domain.state === "ready" ? "success" : "warning"}>{stateText(domain)}</Banner>
          <ProblemBanner problem={check.problem} />
          <DomainRecords domain={domain} feature={feature} />
          {domain.state !== "waiting" && <CatchAllSettings domain={domain} feature={feature} />}
        </>
      )}
    </Dialog>
  );
};
