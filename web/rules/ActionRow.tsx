import { type ActionDraft, withParam, withType } from "../../core/rules/actionDraft.ts";
import { actionEntry, actionTypes } from "../../core/rules/actionType.ts";
import { changeAction, type RuleDraft } from "../../core/rules/ruleDraft.ts";
import { Checkbox } from "../ui/Checkbox.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { TrashIcon } from "../ui/icons/TrashIcon.tsx";
import { Select } from "../ui/Select.tsx";
import { TextArea } from "../ui/TextArea.tsx";
import { TextField } from "../ui/TextField.tsx";
import styles from "./RuleDialog.module.css";

interface ActionRowProps {
  readonly draft: RuleDraft;
  readonly action: ActionDraft;
  readonly at: number;
  readonly errorOf: (param: string) => string | undefined;
  readonly onChange: (draft: RuleDraft) => void;
}

/** One action and what is said about it (RU4). */
export const ActionRow = ({ draft, action, at, errorOf, onChange }: ActionRowProps) => {
  const { type, params } = action;
  const name = `Action ${at + 1}`;
  const change = (edit: (one: ActionDraft) => ActionDraft | null): void =>
    onChange(changeAction(draft, action.id, edit));
  const param = (key: string, value: string | boolean): void => change((one) => withParam(one, key, value));

  return (
    <div className={styles.row}>
      <div className={styles.inputs}>
        <Select
          label={`${name}: what happens`}
          isLabelHidden
          placeholder="Action…"
          value={type === "" ? undefined : type}
          onChange={(next) => change((one) => withType(one, next))}
          options={actionTypes.map((one) => ({ value: one, label: actionEntry(one).label }))}
        />
        {type !== "" &&
          Object.entries(actionEntry(type).params).map(([key, { label, input }]) =>
            input === "flag" ? (
              <div key={key} className={styles.flag}>
                <Checkbox
                  label={label}
                  isChecked={params[key] === true}
                  onChange={(value) => param(key, value)}
                  error={errorOf(key)}
                />
              </div>
            ) : input === "text" ? (
              <TextArea
                key={key}
                label={label}
                value={String(params[key] ?? "")}
                onChange={(value) => param(key, value)}
                error={errorOf(key)}
              />
            ) : (
              <TextField
                key={key}
                label={label}
                type={input === "address" ? "email" : "text"}
                value={String(params[key] ?? "")}
                onChange={(value) => param(key, value)}
                error={errorOf(key)}
                autoComplete="off"
              />
            ),
          )}
      </div>
      <IconButton
        label={`Remove ${name.toLowerCase()}`}
        icon={<TrashIcon size={18} />}
        onPress={() => change(() => null)}
      />
    </div>
  );
};
