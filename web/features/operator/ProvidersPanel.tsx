import { useId } from "react";
import type { OperatorOverview } from "../../../core/operator/operatorEndpoints.ts";
import { deferralTexts, type ProviderStatus } from "../../../core/operator/providerAnswer.ts";
import { clockTime, relativeTimeInSentence } from "../../format/dates.ts";
import { formatNumber } from "../../format/numbers.ts";
import { Badge } from "../../ui/Badge.tsx";
import rows from "../../ui/layout/Rows.module.css";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { AdviceText } from "./AdviceText.tsx";
import styles from "./operator.module.css";

interface ProvidersPanelProps extends Pick<OperatorOverview, "providers"> {
  /** Milliseconds since 1970. */
  readonly asOf: number;
}

/** Shows how large providers take mail, and why one defers it. */
export const ProvidersPanel = ({ providers, asOf }: ProvidersPanelProps) => (
  <SectionCard
    id={useId()}
    title="Large providers"
    text="With NEXT_HOP=mx: how they accept mail from this server, and why they defer it."
  >
    {providers.length === 0 ? (
      <p className={styles.muted}>No mail has gone to a large provider directly.</p>
    ) : (
      <ul className={rows.rows}>
        {providers.map((provider) => (
          <ProviderRow key={provider.name} provider={provider} asOf={asOf} />
        ))}
      </ul>
    )}
  </SectionCard>
);

const rateText = (perHour: number | null): string =>
  perHour === null
    ? "no limit"
    : `at most ${formatNumber(perHour)} mails an hour today, twice as many each day`;

const statusText = ({ perHour, acceptedAt }: ProviderStatus, asOf: number): string => {
  const taken =
    acceptedAt === null
      ? "no mail accepted yet"
      : `last accepted mail ${relativeTimeInSentence(Date.parse(acceptedAt), asOf)}`;
  return `${taken}, ${rateText(perHour)}`;
};

const ProviderRow = ({ provider, asOf }: { readonly provider: ProviderStatus; readonly asOf: number }) => {
  const { name, answer, pausedUntil } = provider;
  return (
    <li className={rows.row}>
      <span className={rows.words}>
        <span>{name}</span>
        <span className={rows.aside}>{statusText(provider, asOf)}</span>
        {answer && (
          <>
            <span className={rows.aside}>
              Answered {relativeTimeInSentence(Date.parse(answer.at), asOf)}: <q>{answer.text}</q>
            </span>
            <span className={styles.advice}>
              {deferralTexts[answer.reason].meaning} <AdviceText text={deferralTexts[answer.reason].advice} />
            </span>
          </>
        )}
        {pausedUntil !== null && (
          <span className={styles.advice}>Next attempt at {clockTime(Date.parse(pausedUntil))}.</span>
        )}
      </span>
      <Badge kind={pausedUntil === null ? "success" : "warning"} hasDot>
        {pausedUntil === null ? "Accepting mail" : "Paused"}
      </Badge>
    </li>
  );
};
