import { type AiFeature, aiFeatures } from "../../../core/contentAccess/aiFeature.ts";
import { categories } from "../../../core/insights/classification/category.ts";
import { useAction } from "../../react/useAction.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { Skeleton } from "../../ui/feedback/Skeleton.tsx";
import { Switch } from "../../ui/form/Switch.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { SettingRows } from "../../ui/layout/SettingRow.tsx";
import type { AiCardProps } from "./ContentAccessCard.tsx";

const featureTexts: Readonly<Record<AiFeature, { readonly label: string; readonly text: string }>> = {
  categorization: {
    label: "Categorization",
    text: `Sorts each email into one of ${categories.length} categories, such as promotions or newsletters.`,
  },
  summaries: { label: "Summaries", text: "Writes what an email says in a sentence or two." },
  prioritization: {
    label: "Prioritization",
    text: "Notifies you here of mail that is likely to matter to you.",
  },
  enhancedFiltering: {
    label: "Enhanced filtering",
    text: "Lets the spam filter look at what an email is about, not only at who sent it.",
  },
  contentRules: {
    label: "Content rules",
    text: "Lets rules look at what an email means, not only at its words.",
  },
  processAttachments: { label: "Attachments", text: "Looks at the names and kinds of attachments too." },
  processLinks: { label: "Links", text: "Looks at where the links in an email lead." },
};

const notOfferedText = "This server does not offer it.";

/** Switches each of the seven features that use content access (SG5). */
export const PreferencesCard = ({ contentAccess, view, refresh }: AiCardProps) => {
  const { preferences, pending, origin } = view;
  const change = useAction(contentAccess.setFeature);
  const isOffered = (feature: AiFeature): boolean => preferences?.offered?.includes(feature) ?? true;
  return (
    <SectionCard
      id="ai-preferences"
      title="AI Preferences"
      level={4}
      text="What content access is used for. Each switch takes effect at once."
    >
      {preferences === null &&
        (refresh.problem && !refresh.isRunning ? (
          <Banner
            kind="error"
            action={
              <Button size="small" onPress={() => refresh.run()}>
                Try Again
              </Button>
            }
          >
            {refresh.problem.message}
          </Banner>
        ) : (
          <Skeleton height="form" shape="block" />
        ))}
      {preferences !== null && (
        <SettingRows>
          {aiFeatures.map((feature) => (
            <Switch
              key={feature}
              label={featureTexts[feature].label}
              description={
                isOffered(feature)
                  ? featureTexts[feature].text
                  : `${featureTexts[feature].text} ${notOfferedText}`
              }
              isOn={isOffered(feature) && preferences.features[feature]}
              isDisabled={!isOffered(feature) || origin !== "server"}
              isPending={pending.has(feature)}
              onChange={(isOn) => change.run(feature, isOn)}
            />
          ))}
        </SettingRows>
      )}
    </SectionCard>
  );
};
