/** The operations of the user on rules, as the messages of RU9 distinguish them. */
export type RuleOperation =
  | "create"
  | "update"
  | "delete"
  | "status"
  | "order"
  | "template"
  | "suggestion"
  | "restore"
  | "import";

interface OperationMessages {
  readonly saved: string;
  readonly kept: string;
  /** The failure message; the reason is appended when `includesReason` is true. */
  readonly failed: string;
  readonly includesReason: boolean;
}

const keptMessage = "Rules saved locally. Will sync when online.";

/** The messages by operation (RU9). `{template}` stands for the template's name. */
export const ruleMessages: Readonly<Record<RuleOperation, OperationMessages>> = {
  create: {
    saved: "Rule created successfully",
    kept: "Rule created locally. Will sync when online.",
    failed: "Failed to create rule",
    includesReason: true,
  },
  update: {
    saved: "Rule updated successfully",
    kept: "Rule updated locally. Will sync when online.",
    failed: "Failed to update rule",
    includesReason: true,
  },
  delete: {
    saved: "Rule deleted successfully",
    kept: "Rule deleted locally. Will sync when online.",
    failed: "Failed to delete rule",
    includesReason: true,
  },
  status: {
    saved: "Rules updated successfully",
    kept: keptMessage,
    failed: "Failed to update rule status",
    includesReason: false,
  },
  order: {
    saved: "Rules updated successfully",
    kept: keptMessage,
    failed: "Failed to update rules",
    includesReason: false,
  },
  template: {
    saved: "{template} template applied successfully",
    kept: "Template applied locally. Will sync when online.",
    failed: "Failed to apply template",
    includesReason: true,
  },
  suggestion: {
    saved: "Rule created successfully from suggestion!",
    kept: "Rule created locally. Will sync when online.",
    failed: "Failed to create rule",
    includesReason: true,
  },
  import: {
    saved: "Rules imported",
    kept: "Rules imported locally. Will sync when online.",
    failed: "Failed to import rules",
    includesReason: true,
  },
  restore: {
    saved: "Rule restored",
    kept: "Rule restored locally. Will sync when online.",
    failed: "Failed to restore rule",
    includesReason: true,
  },
};

export const alreadyAppliedMessage = (template: string): string =>
  `The rules of the ${template} template are here already`;

/** The texts of RU7, verbatim. */
export const missingRuleId = "Cannot edit rule: missing rule ID";
export const ruleNotFound = "Rule not found";
export const templateNotFound = "Template not found";
export const noMaskId = "No mask ID provided";
export const selectMaskFirst = "Please select a mask first";
