import { useEffect, useState } from "react";
import { createDestinations } from "../../../core/destinations/destinations.ts";
import {
  type CatchAll,
  type Domain,
  type DomainRecord,
  lapseDays,
  maxMadePerDay,
  type RecordPurpose,
} from "../../../core/domains/domain.ts";
import { type Domains, isAwaitingRecords } from "../../../core/domains/domains.ts";
import { clockTime } from "../../format/dates.ts";
import { OutdatedNotice } from "../../loading/OutdatedNotice.tsx";
import { fieldMessage, useAction, useFormAction } from "../../react/useAction.ts";
import { useFeature, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge, type BadgeProps } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { CopyableText } from "../../ui/CopyableText.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Checkbox } from "../../ui/form/Checkbox.tsx";
import { type Chip, ChipGroup } from "../../ui/form/ChipGroup.tsx";
import { Select } from "../../ui/form/Select.tsx";
import { TextField } from "../../ui/form/TextField.tsx";
import styles from "../../ui/layout/ItemList.module.css";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { Dialog } from "../../ui/overlay/Dialog.tsx";

const badges: Readonly<
  Record<DomainRecord["state"], { readonly kind: BadgeProps["kind"]; readonly text: string }>
> = {
  ok: { kind: "success", text: "OK" },
  warning: { kind: "warning", text: "Missing, optional" },
  problem: { kind: "danger", text: "Missing" },
  unknown: { kind: "neutral", text: "Unknown" },
};

const purposes: Readonly<Record<RecordPurpose, { readonly title: string; readonly why: string }>> = {
  proof: { title: "Proof", why: "shows that the domain is yours; leave it there" },
  mail: { title: "Mail", why: "brings mail for the domain here; it must be the only one" },
  dkim: { title: "DKIM", why: "lets receivers check your replies" },
  spf: { title: "SPF", why: "says that this server may send for the domain" },
  dmarc: { title: "DMARC", why: "has forged mail of the domain refused or filtered" },
};

interface RecordRowProps {
  readonly record: DomainRecord;
  readonly feature: Domains;
}

/** A record with what it should be, what DNS answers, and buttons that copy it. */
const RecordRow = ({ record, feature }: RecordRowProps) => {
  const { purpose, type, name, value, state, is } = record;
  const { title, why } = purposes[purpose];
  const { kind, text } = badges[state];
  const copied = useObservable(feature.copied$);
  const copy = useAction(feature.copy);
  return (
    <ItemRow
      title={
        <>
          {title}
          <Badge kind={kind} hasDot>
            {text}
          </Badge>
        </>
      }
      text={
        <>
          {type} record: {why}.
        </>
      }
      details={
        <>
          <CopyableText
            text={name}
            label={`Copy the name of the ${title} record:`}
            size="small"
            onCopy={() => copy.run(name)}
            isCopied={copied === name}
          />
          <CopyableText
            text={value}
            label={`Copy the value of the ${title} record:`}
            size="small"
            onCopy={() => copy.run(value)}
            isCopied={copied === value}
          />
          {state !== "ok" && is !== "" && <span className={styles.text}>DNS answers: {is}</span>}
        </>
      }
    />
  );
};

const catchAlls: readonly Chip<CatchAll>[] = [
  { value: "off", label: "Refuse" },
  { value: "pattern", label: "Some names" },
  { value: "all", label: "Any name" },
];

const usual = "usual";

const splitPatterns = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean);

interface SettingsProps {
  readonly domain: Domain;
  readonly feature: Domains;
}

/** How the domain takes mail for addresses without a mask. */
const CatchAllSettings = ({ domain, feature }: SettingsProps) => {
  const { masks } = useSignedIn();
  const destinations = useFeature(createDestinations);
  const { run: refresh } = useAction(destinations.refresh);
  useEffect(() => refresh(), [refresh]);
  const outdated = useObservable(feature.outdated$);
  const confirmed = (useObservable(destinations.list$) ?? []).filter(({ status }) => status === "confirmed");
  const { maxMasks } = useObservable(masks.plan$);
  const [catchAll, setCatchAll] = useState(domain.catchAll);
  const [patterns, setPatterns] = useState(domain.patterns.join(", "));
  const [approveFirst, setApproveFirst] = useState(domain.approveFirst);
  const [destination, setDestination] = useState(domain.destination);
  const save = useFormAction(feature.edit);
  const change = { catchAll, patterns: splitPatterns(patterns), approveFirst, destination };
  const isChanged =
    catchAll !== domain.catchAll ||
    change.patterns.join() !== domain.patterns.join() ||
    approveFirst !== domain.approveFirst ||
    destination !== domain.destination;
  const patternsProblem = fieldMessage(save.problem, "patterns");
  const edited =
    <A,>(set: (value: A) => void) =>
    (value: A): void => {
      set(value);
      save.clearProblem();
    };
  return (
    <section aria-labelledby="other-names" className={styles.words}>
      <h3 id="other-names">Mail to names without a mask</h3>
      <ChipGroup
        label="Mail to names without a mask"
        chips={catchAlls}
        value={catchAll}
        onChange={edited(setCatchAll)}
      />
      {catchAll !== "off" && (
        <>
          <p className={styles.text}>
            The first mail to a new name makes its mask, at most {maxMadePerDay} a day
            {maxMasks !== null && ` and ${maxMasks} masks in all with your plan`}. A name whose mask you
            delete is refused from then on.
          </p>
          {catchAll === "pattern" && (
            <TextField
              label="Names"
              placeholder="shop-*, news"
              value={patterns}
              onChange={edited(setPatterns)}
              error={patternsProblem}
              description="What stands before the @; * is any text. Commas separate names."
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              isMonospace
            />
          )}
          <Checkbox
            label="Approve senders first"
            isChecked={approveFirst}
            onChange={edited(setApproveFirst)}
            description="Mail to a new mask is held until you approve its sender."
          />
          <Select
            label="New masks forward to"
            options={[
              { value: usual, label: "Your default address" },
              ...confirmed.map(({ email, name }) => ({
                value: email,
                label: name || email,
                ...(name !== "" && { description: email }),
              })),
            ]}
            value={destination ?? usual}
            onChange={(chosen) => edited(setDestination)(chosen === usual ? null : chosen)}
          />
        </>
      )}
      {patternsProblem === undefined && <ProblemBanner problem={save.problem} />}
      <ButtonRow>
        <Button
          variant="primary"
          isDisabled={!isChanged || outdated !== null}
          isPending={save.isRunning}
          pendingLabel="Saving…"
          onPress={() => save.run(domain.id, change)}
        >
          Save
        </Button>
      </ButtonRow>
    </section>
  );
};

const stateText = ({ state, kind, shownName }: Domain): string => {
  switch (state) {
    case "waiting":
      return `Make these records in the DNS of ${shownName}, where you registered or host it. Mail is taken once the proof is found.`;
    case "ready":
      return `Mail to ${shownName} comes here.`;
    case "incomplete":
      return kind === "sub"
        ? "Mail does not reach this name yet: whoever runs this installation has to make its record."
        : "The domain is proven. Make the records that are missing.";
    case "lapsed":
      return `The proof is missing. Masks go on; after ${lapseDays} days no new ones are made, and whoever proves the domain takes it over.`;
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
          <section aria-labelledby="domain-records">
            <h3 id="domain-records">Records</h3>
            <ItemList label="Records">
              {domain.records.map((record) => (
                <RecordRow key={record.purpose} record={record} feature={feature} />
              ))}
            </ItemList>
            <p className={styles.text}>
              {domain.checkedAt !== null && `Checked at ${clockTime(Date.parse(domain.checkedAt))}. `}
              {isAwaitingRecords(domain) &&
                "New records take minutes to hours to spread. They are asked for again every 15 seconds while this window is open, for an hour at most."}
            </p>
          </section>
          {domain.state !== "waiting" && <CatchAllSettings domain={domain} feature={feature} />}
        </>
      )}
    </Dialog>
  );
};
