import { useId } from "react";
import { Autocomplete, useFilter } from "react-aria-components/Autocomplete";
import { Button } from "react-aria-components/Button";
import { Header } from "react-aria-components/Header";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { ListBox, ListBoxItem, ListBoxSection } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { SearchField } from "react-aria-components/SearchField";
import { Select as AriaSelect, SelectValue } from "react-aria-components/Select";
import { classes } from "../classes.ts";
import { CheckIcon } from "../icons/CheckIcon.tsx";
import { ChevronDownIcon } from "../icons/ChevronDownIcon.tsx";
import { SearchIcon } from "../icons/SearchIcon.tsx";
import popup from "../overlay/Popup.module.css";
import field from "./Field.module.css";
import { describedBy, FieldNotes } from "./FieldNotes.tsx";
import styles from "./SearchSelect.module.css";
import select from "./Select.module.css";
import type { SelectOption, SelectProps } from "./Select.tsx";

export interface SearchOption<V extends string> extends SelectOption<V> {
  /** Further words that find the option. */
  readonly keywords?: string | undefined;
}

/** Options under a title. */
export interface OptionGroup<V extends string> {
  readonly title: string;
  readonly options: readonly SearchOption<V>[];
}

interface SearchSelectProps<V extends string> extends Omit<SelectProps<V>, "options"> {
  readonly groups: readonly OptionGroup<V>[];
  /** The label and the placeholder of the search box. */
  readonly searchLabel: string;
}

const Option = ({ option }: { readonly option: SearchOption<string> }) => (
  <ListBoxItem
    id={option.value}
    textValue={[option.label, option.keywords].filter(Boolean).join(" ")}
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

/** A drop-down list with one choice of many, in groups: typing finds an option by any part of its words. */
export const SearchSelect = <V extends string>({
  label,
  groups,
  searchLabel,
  value,
  onChange,
  isLabelHidden = false,
  placeholder = "Choose…",
  description,
  error,
  isDisabled = false,
  autoFocus = false,
}: SearchSelectProps<V>) => {
  const fieldId = useId();
  const { contains } = useFilter({ sensitivity: "base" });
  const options = groups.flatMap((group) => group.options);
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
        <Button className={classes(select.button, error !== undefined && select.invalid)}>
          <SelectValue className={classes(select.value)}>{chosen?.label ?? placeholder}</SelectValue>
          <ChevronDownIcon className={select.chevron} size={18} />
        </Button>
        <Popover className={classes(popup.popup, popup.select, styles.popover)} offset={4}>
          <Autocomplete filter={contains}>
            <SearchField aria-label={searchLabel} autoFocus className={classes(styles.search)}>
              <SearchIcon size={18} className={styles.icon} />
              <Input className={classes(styles.input)} placeholder={searchLabel} />
            </SearchField>
            <ListBox
              className={classes(popup.list, styles.list)}
              renderEmptyState={() => <p className={styles.empty}>Nothing is called that.</p>}
            >
              {groups.map(({ title, options: grouped }) => (
                <ListBoxSection key={title} id={title}>
                  <Header className={classes(styles.title)}>{title}</Header>
                  {grouped.map((option) => (
                    <Option key={option.value} option={option} />
                  ))}
                </ListBoxSection>
              ))}
            </ListBox>
          </Autocomplete>
        </Popover>
      </AriaSelect>
      <FieldNotes fieldId={fieldId} description={description} error={error} />
    </div>
  );
};
