import { useEffect } from "react";
import { isOn } from "../../core/contentAccess/contentAccessView.ts";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { type PartOf, useLatePart } from "../binding/useLatePart.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Donut } from "../charts/Donut.tsx";
import { Button } from "../ui/Button.tsx";
import { Stat } from "../ui/Stat.tsx";
import { StatList } from "../ui/StatList.tsx";
import { categoryName } from "./categoryName.ts";
import { mostFirst } from "./counted.ts";
import type { Figures } from "./insightsPart.ts";
import { NothingYet, Panel, PanelPart } from "./Panel.tsx";
import styles from "./Rows.module.css";
import { usePlaces } from "./usePlaces.ts";

/** IN5. */
const mostCategories = 4;

type ContentAccess = PartOf<ReturnType<typeof useApp>["contentAccess"]>;

interface EmailCategorizationProps {
  readonly figures: Figures;
  readonly since: string;
}

const Known = ({ figures }: Pick<EmailCategorizationProps, "figures">) => {
  const all = mostFirst(figures.categoryBreakdown);
  const top =
    figures.topCategories.length > 0
      ? figures.topCategories.map(({ category, count }) => ({ name: category, count }))
      : all;
  if (all.length === 0)
    return <NothingYet>No mail has been sorted yet. The next one that comes stands here.</NothingYet>;
  return (
    <>
      <div className={styles.four}>
        <StatList aria-label="Top categories">
          {top.slice(0, mostCategories).map(({ name, count }) => (
            <Stat key={name} label={categoryName(name)} value={count} />
          ))}
        </StatList>
      </div>
      <PanelPart title="All categories">
        <Donut
          name="Mail by category"
          of="Category"
          unit="mails"
          slices={all.map(({ name, count }) => ({
            key: name,
            label: categoryName(name),
            value: count,
            isRest: name === "other",
          }))}
        />
      </PanelPart>
    </>
  );
};

/** Says why nothing is sorted, and leads to where that is changed; what was sorted before stands all the same. */
const WithAccess = ({
  contentAccess,
  figures,
}: Pick<EmailCategorizationProps, "figures"> & { readonly contentAccess: ContentAccess }) => {
  const view = useObservable(contentAccess.view$);
  const { access, origin, isEligible, preferences } = view;
  const { run: refresh } = useAction(contentAccess.refresh);
  const places = usePlaces();
  useEffect(() => refresh(), [refresh]);
  const isKnown = access !== null && origin !== "fallback";
  const isOff = isKnown && !isOn(view);
  if (isEligible === false)
    return (
      <>
        <NothingYet>Content access features require Pro tier or higher.</NothingYet>
        <div>
          <Button onPress={places.plan}>See your plan</Button>
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
          <Button onPress={places.contentAccess}>Open Settings</Button>
        </div>
      </>
    );
  return <Known figures={figures} />;
};

/** What mail was for (IN5); says so where content access is off. */
export const EmailCategorization = ({ figures, since }: EmailCategorizationProps) => {
  const { contentAccess } = useApp();
  const { part } = useLatePart(contentAccess);
  return (
    <Panel title="Email Categorization" hint={`What mail was for, by its headers and subject, ${since}.`}>
      {part ? <WithAccess contentAccess={part} figures={figures} /> : <Known figures={figures} />}
    </Panel>
  );
};
