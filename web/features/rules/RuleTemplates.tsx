import type { ReactNode } from "react";
import type { MaskRules } from "../../../core/rules/editing/maskRules.ts";
import { ruleTemplates } from "../../../core/rules/editing/ruleTemplates.ts";
import { useAction } from "../../react/useAction.ts";
import { Button } from "../../ui/Button.tsx";
import { BriefcaseIcon } from "../../ui/icons/BriefcaseIcon.tsx";
import { ClockIcon } from "../../ui/icons/ClockIcon.tsx";
import { MailIcon } from "../../ui/icons/MailIcon.tsx";
import { PlaneIcon } from "../../ui/icons/PlaneIcon.tsx";
import { ShieldIcon } from "../../ui/icons/ShieldIcon.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import styles from "./RulesTab.module.css";

type Template = (typeof ruleTemplates)[number];

const icons: Readonly<Record<Template["icon"], ReactNode>> = {
  shield: <ShieldIcon size={20} />,
  mail: <MailIcon size={20} />,
  briefcase: <BriefcaseIcon size={20} />,
  clock: <ClockIcon size={20} />,
  plane: <PlaneIcon size={20} />,
};

interface TemplateCardProps {
  readonly template: Template;
  readonly rules: MaskRules;
  readonly maskId: string;
}

const TemplateCard = ({ template, rules, maskId }: TemplateCardProps) => {
  const apply = useAction(rules.applyTemplate);
  return (
    <Card as="li" className={styles.template} aria-labelledby={template.id}>
      <h3 id={template.id} className={styles.templateName}>
        {icons[template.icon]}
        {template.name}
      </h3>
      <p className={styles.text}>{template.description}</p>
      <Button
        size="small"
        aria-label={`Apply ${template.name}`}
        isPending={apply.isRunning}
        onPress={() => apply.run(template.id, maskId)}
      >
        Apply
      </Button>
    </Card>
  );
};

/** Offers templates that add a rule in one click (RU8). */
export const RuleTemplates = ({ rules, maskId }: Omit<TemplateCardProps, "template">) => (
  <section className={styles.section} aria-labelledby="rule-templates">
    <h2 id="rule-templates">Rule Templates</h2>
    <ul className={styles.templates}>
      {ruleTemplates.map((template) => (
        <TemplateCard key={template.id} template={template} rules={rules} maskId={maskId} />
      ))}
    </ul>
  </section>
);
