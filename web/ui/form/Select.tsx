import { type ReactNode, useId } from "react";
import { Button } from "react-aria-components/Button";
import { Label } from "react-aria-components/Label";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { Select as AriaSelect, SelectValue } from "react-aria-components/Select";
import { classes } from "../classes.ts";
import { CheckIcon } from "../icons/CheckIcon.tsx";
import { ChevronDownIcon } from "../icons/ChevronDownIcon.tsx";
import popup from "../overlay/Popup.module.css";
import field from "./Field.module.css";
import { describedBy, FieldNotes } from "./FieldNotes.tsx";
import styles from "./Select.module.css";

export interface SelectOption<V extends string> {
  readonly value: V;
  readonly label: string;
  readonly description?: string | undefined;
  readonly isDisabled?: boolean | undefined;
}

export interface SelectProps<V extends string> {
  readonly label: string;
  readonly options: readonly SelectOption<V>[];
  readonly value: V | undefined;
  readonly onChange: (value: V) => void;
  readonly isLabelHidden?: boolean | undefined;
  readonly placeholder?: string | undefined;
  readonly description?: ReactNode;
  readonly error?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly autoFocus?: boolean | undefined;
}

/** A drop-down list with one choice and the keyboard control of a native select. */
export const Select = <V extends string>({
  label,
  options,
  value,
  onChange,
  isLabelHidden = false,
  placeholder = "Choose…",
  description,
  error,
  isDisabled = false,
  autoFocus = false,
}: SelectProps<V>) => {
  const fieldId = useId();
  const chosen = options.find((option) => option.value === value);
  const notes = describedBy(fieldId, description, error);

  return (
    <div className={field.field}>
      <AriaSelect
        className={classes(field.field)}
        value={value ?? null}
        onChange={(key) => {
          const option = options.find((candidate) => candidate.value === key);
          if (option !== undefined) onChange(option.value);
        }}
        isDisabled={isDisabled}
        autoFocus={autoFocus}
        isInvalid={error !== undefined}
        placeholder={placeholder}
        {...(notes === undefined ? {} : { "aria-describedby": notes })}
      >
        <Label className={classes(field.label, isLabelHidden && "visually-hidden")}>{label}</Label>
        <Button className={classes(styles.button, error !== undefined && styles.invalid)}>
          <SelectValue className={classes(styles.value)}>{chosen?.label ?? placeholder}</SelectValue>
          <ChevronDownIcon className={styles.chevron} size={18} />
        </Button>
        <Popover className={classes(popup.popup, popup.select)} offset={4}>
          <ListBox className={classes(popup.list)}>
            {options.map((option) => (
              <ListBoxItem
                key={option.value}
                id={option.value}
                textValue={option.label}
                isDisabled={option.isDisabled ?? false}
                className={classes(popup.item)}
              >
                <span className={popup.option}>
                  <span>{option.label}</span>
                  {option.description !== undefined && (
                    <span className={popup.optionDescription}>{option.description}</span>
                  )}
                </span>
                <CheckIcon className={popup.chosen} size={18} />
              </ListBoxItem>
            ))}
          </ListBox>
        </Popover>
      </AriaSelect>
      <FieldNotes fieldId={fieldId} description={description} error={error} />
    </div>
  );
};
