import { Autocomplete, useFilter } from "react-aria-components/Autocomplete";
import { Header } from "react-aria-components/Header";
import { Input } from "react-aria-components/Input";
import { ListBox, ListBoxSection } from "react-aria-components/ListBox";
import { SearchField } from "react-aria-components/SearchField";
import { classes } from "../classes.ts";
import { SearchIcon } from "../icons/SearchIcon.tsx";
import popup from "../overlay/Popup.module.css";
import styles from "./SearchSelect.module.css";
import { SelectField, SelectItem, type SelectOption, type SelectProps } from "./Select.tsx";

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

const wordsOf = ({ label, keywords }: SearchOption<string>): string =>
  [label, keywords].filter(Boolean).join(" ");

/** A drop-down list with one choice of many, in groups: typing finds an option by any part of its words. */
export const SearchSelect = <V extends string>({ groups, searchLabel, ...props }: SearchSelectProps<V>) => {
  const { contains } = useFilter({ sensitivity: "base" });
  const options = groups.flatMap((group) => group.options);
  return (
    <SelectField {...props} options={options} popoverClassName={styles.popover}>
      <Autocomplete filter={contains}>
        <SearchField aria-label={searchLabel} autoFocus className={classes(styles.search)}>
          <SearchIcon size={18} className={styles.icon} />
          {/* What axe and screen readers need to know: its arrow keys move in the list, which scrolls. */}
          <Input
            type="text"
            role="combobox"
            aria-expanded
            className={classes(styles.input)}
            placeholder={searchLabel}
          />
        </SearchField>
        <ListBox
          className={classes(popup.list, styles.list)}
          renderEmptyState={() => <p className={styles.empty}>Nothing is called that.</p>}
        >
          {groups.map(({ title, options: grouped }) => (
            <ListBoxSection key={title} id={title}>
              <Header className={classes(styles.title)}>{title}</Header>
              {grouped.map((option) => (
                <SelectItem key={option.value} option={option} textValue={wordsOf(option)} />
              ))}
            </ListBoxSection>
          ))}
        </ListBox>
      </Autocomplete>
    </SelectField>
  );
};
