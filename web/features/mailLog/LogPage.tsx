import { useEffect, useState } from "react";
import { directionLabels, LogDirection, LogResult, resultLabels } from "../../../core/mailLog/logEntry.ts";
import { createMailLogPages, type LogView } from "../../../core/mailLog/mailLog.ts";
import type { LogFilter } from "../../../core/mailLog/readLog.ts";
import { addressText } from "../../navigation/address.ts";
import type { PageProps } from "../../navigation/pageProps.ts";
import { usePageHeading } from "../../navigation/usePageHeading.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { RetryBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Skeleton, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import { SearchField } from "../../ui/form/SearchField.tsx";
import { Select } from "../../ui/form/Select.tsx";
import { MailIcon } from "../../ui/icons/MailIcon.tsx";
import { BackLink } from "../../ui/layout/BackLink.tsx";
import { ButtonRow, PageHead } from "../../ui/layout/layout.tsx";
import styles from "../../ui/layout/MailList.module.css";
import { layersIn } from "../../ui/overlay/useBackToClose.ts";
import { MaskSelect } from "../masks/select/MaskSelect.tsx";
import filters from "./LogFilters.module.css";
import { LogList } from "./LogList.tsx";
import { LogSettingsCard, TurnOnCard } from "./LogSettingsCard.tsx";

/** The placeholder of the list. */
export const LogSkeleton = () => (
  <SkeletonRegion label="Loading the log" className={styles.list}>
    {["first", "second", "third"].map((card) => (
      <Skeleton key={card} height="row" shape="block" />
    ))}
  </SkeletonRegion>
);

/** Says that entries cannot be read on this device. */
export const UnreadBanner = ({ unread }: Pick<LogView, "unread">) =>
  unread === 0 ? null : (
    <Banner kind="info">
      {unread === 1 ? "1 entry is" : `${unread} entries are`} encrypted to a key that is not on this device.
      Import the backup of your key under Settings to read them here.
    </Banner>
  );

/** A select's value for everything. */
const everything = "*";

const resultOptions = [
  { value: everything, label: "All results" },
  ...Object.entries(resultLabels).map(([value, label]) => ({ value, label })),
];

const directionOptions = [
  { value: everything, label: "All mail" },
  ...Object.entries(directionLabels).map(([value, label]) => ({ value, label })),
];

interface FilterProps {
  readonly filter: LogFilter;
  readonly onChange: (filter: LogFilter) => void;
}

const Filters = ({ filter, onChange }: FilterProps) => {
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const { maskId, direction, result, text } = filter;
  return (
    <div className={filters.row}>
      <SearchField
        label="Search the log"
        placeholder="Search people, rules and answers"
        value={text}
        onChange={(next) => onChange({ ...filter, text: next })}
      />
      <MaskSelect
        isLabelHidden
        value={maskId ?? everything}
        others={[{ value: everything, label: "All masks" }]}
        masks={all}
        onChange={(next) => onChange({ ...filter, maskId: next === everything ? null : next })}
      />
      <Select
        label="Direction"
        isLabelHidden
        value={direction ?? everything}
        options={directionOptions}
        onChange={(next) => onChange({ ...filter, direction: LogDirection.is(next) ? next : null })}
      />
      <Select
        label="Result"
        isLabelHidden
        value={result ?? everything}
        options={resultOptions}
        onChange={(next) => onChange({ ...filter, result: LogResult.is(next) ? next : null })}
      />
    </div>
  );
};

const NothingFound = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState title="Nothing found" illustration={<MailIcon size={32} />}>
      No loaded entry matches your search.
    </EmptyState>
  ) : (
    <EmptyState title="No mail yet" illustration={<MailIcon size={32} />}>
      Mail that comes or that you send from now on appears here.
    </EmptyState>
  );

/** After this time without typing the search goes to the server. */
const searchAfterMs = 300;

/** Lists what happened to the user's mail: of one mask, or of all. */
export const LogPage = ({ params, onShow, backTo, onLeave }: PageProps) => {
  const log = useFeature(createMailLogPages);
  const view = useObservable(log.view$);
  const { settings, entries, loaded, more, unread, leftOut, message } = view;
  const heading = usePageHeading(entries?.length ?? 0);
  const refresh = useAction(log.refresh);
  const older = useAction(log.showOlder);
  const { mask, direction, result, search = "" } = params;
  const [text, setText] = useState(search);
  const chosenResult = LogResult.is(result) ? result : null;
  const chosenDirection = LogDirection.is(direction) ? direction : null;
  useEffect(
    () => log.open({ maskId: mask ?? null, direction: chosenDirection, result: chosenResult, text: search }),
    [log, mask, chosenDirection, chosenResult, search],
  );
  useEffect(() => {
    if (text === search) return;
    const timer = setTimeout(() => {
      const next = { mask, direction, result, search: text };
      layersIn(window).rename(addressText(["log"], next));
    }, searchAfterMs);
    return () => clearTimeout(timer);
  }, [text, search, mask, direction, result]);
  const isOn = settings !== null && settings.keep !== "off";
  const change = (filter: LogFilter): void => {
    setText(filter.text);
    if (
      filter.maskId !== (mask ?? null) ||
      filter.result !== chosenResult ||
      filter.direction !== chosenDirection
    )
      onShow({
        mask: filter.maskId ?? undefined,
        direction: filter.direction ?? undefined,
        result: filter.result ?? undefined,
        search: filter.text,
      });
  };

  return (
    <>
      <BackLink href={backTo} onFollow={onLeave} />
      <PageHead title="Log" titleRef={heading} />
      <p className={styles.intro}>What happened to the mail to and from your masks, and why.</p>
      <RetryBanner problem={{ message }} onRetry={() => refresh.run()} isRetrying={refresh.isRunning} />
      {leftOut !== "" && <p className={styles.intro}>{leftOut}</p>}
      {settings === null && message === "" && <LogSkeleton />}
      {settings?.keep === "off" && <TurnOnCard log={log} settings={settings} />}
      {isOn && (
        <>
          <Filters
            filter={{ maskId: mask ?? null, direction: chosenDirection, result: chosenResult, text }}
            onChange={change}
          />
          <UnreadBanner unread={unread} />
          {entries?.length === 0 && leftOut === "" && (
            <NothingFound
              isFiltered={loaded > 0 || Boolean(mask || chosenDirection || chosenResult || search)}
            />
          )}
          <LogList entries={entries ?? []} namesMasks />
          {more && (
            <ButtonRow>
              <Button onPress={() => older.run()} isPending={older.isRunning}>
                Show older
              </Button>
            </ButtonRow>
          )}
          <LogSettingsCard log={log} settings={settings} />
        </>
      )}
    </>
  );
};
