import { useEffect } from "react";
import { sellsPlans } from "../../../core/api/configuration.ts";
import { createContentAccess } from "../../../core/contentAccess/contentAccess.ts";
import { isContentAccessOn } from "../../../core/contentAccess/contentAccessView.ts";
import { Donut } from "../../charts/Donut.tsx";
import { addressText } from "../../navigation/address.ts";
import { TargetLink } from "../../navigation/TargetLink.tsx";
import { useAction } from "../../react/useAction.ts";
import { useApp, useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { FoldedPart, NothingYet, Panel } from "../../ui/layout/Panel.tsx";
import styles from "../../ui/layout/Rows.module.css";
import { Stat, StatList } from "../../ui/Stat.tsx";
import { categoryName, type Figures, sortByCount } from "./figures.ts";

/** The number of categories shown (IN5). */
const maxCategories = 4;

interface EmailCategorizationProps {
  readonly figures: Figures;
  readonly since: string;
}

const CategoryCharts = ({ figures }: Pick<EmailCategorizationProps, "figures">) => {
  const all = sortByCount(figures.categoryBreakdown);
  const top =
    figures.topCategories.length > 0
      ? figures.topCategories.map(({ category, count }) => ({ name: category, count }))
      : all;
  if (all.length === 0) return <NothingYet>Fills with the next email.</NothingYet>;
  return (
    <>
      <div className={styles.four}>
        <StatList aria-label="Top categories">
          {top.slice(0, maxCategories).map(({ name, count }) => (
            <Stat key={name} label={categoryName(name)} value={count} />
          ))}
        </StatList>
      </div>
      <FoldedPart title="All categories">
        <Donut
          name="Mail by category"
          of="Category"
          unit="emails"
          slices={all.map(({ name, count }) => ({
            key: name,
            label: categoryName(name),
            value: count,
            isRest: name === "other",
          }))}
        />
      </FoldedPart>
    </>
  );
};

/** Explains why mail is not categorized and links to the setting; shows the categories when it is. */
const CategoriesOrReason = ({ figures }: Pick<EmailCategorizationProps, "figures">) => {
  const contentAccess = useFeature(createContentAccess);
  const view = useObservable(contentAccess.view$);
  const { access, origin, isEligible, preferences } = view;
  const { run: refresh } = useAction(contentAccess.refresh);
  const sells = sellsPlans(useApp().configuration);
  useEffect(() => refresh(), [refresh]);
  const isKnown = access !== null && origin !== "fallback";
  const isOff = isKnown && !isContentAccessOn(view);
  if (isEligible === false && !sells)
    return <NothingYet>This server does not look at what your mail says.</NothingYet>;
  if (isEligible === false)
    return (
      <>
        <NothingYet>Content access features require Pro tier or higher.</NothingYet>
        <div>
          <TargetLink href={addressText(["account"])} focus="plan">
            See your plan
          </TargetLink>
        </div>
      </>
    );
  if (isOff || preferences?.features.categorization === false)
    return (
      <>
        <NothingYet>
          {isOff
            ? "Content access is off, so nothing looks at what your mail is about and none of it is sorted."
            : "Categorization is switched off in AI Preferences, so no mail is sorted."}
        </NothingYet>
        <div>
          <TargetLink href={addressText(["settings", "privacy"])}>Open Settings</TargetLink>
        </div>
      </>
    );
  return <CategoryCharts figures={figures} />;
};

/** Shows mail by category (IN5), or that content access is off. */
export const EmailCategorization = ({ figures, since }: EmailCategorizationProps) => {
  return (
    <Panel title="Email Categorization" hint={`What mail was for, by its headers and subject, ${since}.`}>
      <CategoriesOrReason figures={figures} />
    </Panel>
  );
};
