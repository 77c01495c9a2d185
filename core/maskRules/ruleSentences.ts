/** What somebody does with rules, as the catalogue names it (RU9). */
export type RuleDeed = "create" | "update" | "delete" | "status" | "order" | "template" | "suggestion";

interface DeedSentences {
  readonly saved: string;
  readonly kept: string;
  /** What was said by whoever refused it stands behind it, where there is more to say than this. */
  readonly failed: string;
  readonly saysWhy: boolean;
}

const keptLocally = "Rules saved locally. Will sync when online.";

/** RU9, by what was done. `{template}` stands for the template's name. */
export const ruleSentences: Readonly<Record<RuleDeed, DeedSentences>> = {
  create: {
    saved: "Rule created successfully",
    kept: "Rule created locally. Will sync when online.",
    failed: "Failed to create rule",
    saysWhy: true,
  },
  update: {
    saved: "Rule updated successfully",
    kept: "Rule updated locally. Will sync when online.",
    failed: "Failed to update rule",
    saysWhy: true,
  },
  delete: {
    saved: "Rule deleted successfully",
    kept: "Rule deleted locally. Will sync when online.",
    failed: "Failed to delete rule",
    saysWhy: true,
  },
  status: {
    saved: "Rules updated successfully",
    kept: keptLocally,
    failed: "Failed to update rule status",
    saysWhy: false,
  },
  order: {
    saved: "Rules updated successfully",
    kept: keptLocally,
    failed: "Failed to update rules",
    saysWhy: false,
  },
  template: {
    saved: "{template} template applied successfully",
    kept: "Template applied locally. Will sync when online.",
    failed: "Failed to apply template",
    saysWhy: true,
  },
  suggestion: {
    saved: "Rule created successfully from suggestion!",
    kept: "Rule created locally. Will sync when online.",
    failed: "Failed to create rule",
    saysWhy: true,
  },
};

export const alreadyApplied = (template: string): string =>
  `The rules of the ${template} template are here already`;

/** RU7, word for word. */
export const ruleNotFound = "Rule not found";
export const templateNotFound = "Template not found";
export const noMaskId = "No mask ID provided";
export const selectMaskFirst = "Please select a mask first";
