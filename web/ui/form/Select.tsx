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

interface SelectFieldProps<V extends string> extends SelectProps<V> {
  /** The content that opens: a list, with what belongs to it. */
  readonly children: ReactNode;
  readonly popoverClassName?: string | undefined;
  readonly onOpenChange?: (() => void) | undefined;
}

/** The field of a drop-down list: its label, the button with the choice, its notes, and what opens. */
export const SelectField = <V extends string>({
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
  children,
  popoverClassName,
  onOpenChange,
}: SelectFieldProps<V>) => {
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
        {...(onOpenChange && { onOpenChange })}
        {...(notes === undefined ? {} : { "aria-describedby": notes })}
      >
        <Label className={classes(field.label, isLabelHidden && "visually-hidden")}>{label}</Label>
        <Button className={classes(styles.button, error !== undefined && styles.invalid)}>
          <SelectValue className={classes(styles.value, chosen === undefined && styles.placeholder)}>
            {chosen?.label ?? placeholder}
          </SelectValue>
          <ChevronDownIcon className={styles.chevron} size={18} />
        </Button>
        <Popover className={classes(popup.popup, popup.select, popoverClassName)} offset={4}>
          {children}
        </Popover>
      </AriaSelect>
      <FieldNotes fieldId={fieldId} description={description} error={error} />
    </div>
  );
};

interface SelectItemProps {
  readonly option: SelectOption<string>;
  /** The words that find it by typing. */
  readonly textValue: string;
}

/** An option in a drop-down list. */
export const SelectItem = ({ option, textValue }: SelectItemProps) => (
  <ListBoxItem
    id={option.value}
    textValue={textValue}
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
);

/** A drop-down list with one choice and the keyboard control of a native select. */
export const Select = <V extends string>(props: SelectProps<V>) => (
  <SelectField {...props}>
    <ListBox className={classes(popup.list)}>
      {props.options.map((option) => (
        <SelectItem key={option.value} option={option} textValue={option.label} />
      ))}
    </ListBox>
  </SelectField>
);
