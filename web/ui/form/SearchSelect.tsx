import { useState } from "react";
import { Autocomplete } from "react-aria-components/Autocomplete";
import { Header } from "react-aria-components/Header";
import { Input } from "react-aria-components/Input";
import { ListBox, ListBoxSection } from "react-aria-components/ListBox";
import { SearchField } from "react-aria-components/SearchField";
import { formatNumber } from "../../format/numbers.ts";
import { classes } from "../classes.ts";
import { SearchIcon } from "../icons/SearchIcon.tsx";
import popup from "../overlay/Popup.module.css";
import styles from "./SearchSelect.module.css";
import { SelectField, SelectItem, type SelectOption, type SelectProps } from "./Select.tsx";
import field from "./TextField.module.css";

export interface SearchOption<V extends string> extends SelectOption<V> {
  /** Further words that find the option. */
  readonly keywords?: string | undefined;
}

/** Options, under a title if they have one. */
export interface OptionGroup<V extends string> {
  readonly title?: string;
  readonly options: readonly SearchOption<V>[];
}

interface SearchSelectProps<V extends string> extends Omit<SelectProps<V>, "options"> {
  readonly groups: readonly OptionGroup<V>[];
  /** The label and the placeholder of the search box. */
  readonly searchLabel: string;
  /** Returns a text as a search compares it. */
  readonly fold: (text: string) => string;
}

/** The most options that are drawn at once: they open without delay, whatever their number. */
const maxShown = 20;

const wordsOf = ({ label, keywords }: SearchOption<string>): string =>
  [label, keywords].filter(Boolean).join(" ");

/** Returns the options with a text in their words, those that begin with it first. */
const search = <V extends string>(
  options: readonly SearchOption<V>[],
  text: string,
  fold: SearchSelectProps<V>["fold"],
): readonly SearchOption<V>[] => {
  const wanted = fold(text.trim());
  if (wanted === "") return options;
  const found = options.flatMap((option) => {
    const at = fold(wordsOf(option)).indexOf(wanted);
    return at < 0 ? [] : [{ option, isFirst: at === 0 }];
  });
  return [...found.filter(({ isFirst }) => isFirst), ...found.filter(({ isFirst }) => !isFirst)].map(
    ({ option }) => option,
  );
};

interface Shown<V extends string> {
  readonly groups: readonly OptionGroup<V>[];
  /** The number of options that were found and are not drawn. */
  readonly more: number;
}

/** Finds the options to draw; the chosen one is among them until something is typed. */
const narrow = <V extends string>(
  { groups, value, fold }: Pick<SearchSelectProps<V>, "groups" | "value" | "fold">,
  text: string,
): Shown<V> =>
  groups.reduce<Shown<V> & { readonly room: number }>(
    ({ groups: before, more, room }, group) => {
      const found = search(group.options, text, fold);
      const chosen = text === "" ? found.findIndex((option) => option.value === value) : -1;
      const first = found.slice(0, room);
      const options = chosen < room ? first : [...found.slice(chosen, chosen + 1), ...first.slice(0, -1)];
      return {
        groups: options.length === 0 ? before : [...before, { ...group, options }],
        more: more + found.length - options.length,
        room: Math.max(0, room - options.length),
      };
    },
    { groups: [], more: 0, room: maxShown },
  );

/** A drop-down list with one choice of any number, in groups: typing finds an option by any part of its words. */
export const SearchSelect = <V extends string>({
  groups,
  searchLabel,
  fold,
  ...props
}: SearchSelectProps<V>) => {
  const [text, setText] = useState("");
  const shown = narrow({ groups, value: props.value, fold }, text);
  return (
    <SelectField
      {...props}
      options={groups.flatMap((group) => group.options)}
      popoverClassName={styles.popover}
      onOpenChange={() => setText("")}
    >
      <Autocomplete inputValue={text} onInputChange={setText}>
        <SearchField aria-label={searchLabel} autoFocus className={classes(styles.search)}>
          <span className={field.affix}>
            <SearchIcon size={18} />
          </span>
          {/* What axe and screen readers need to know: its arrow keys move in the list, which scrolls. */}
          <Input
            type="text"
            role="combobox"
            aria-expanded
            className={classes(field.input)}
            placeholder={searchLabel}
          />
        </SearchField>
        <ListBox
          className={classes(popup.list, styles.list)}
          renderEmptyState={() => <p className={styles.empty}>No matches.</p>}
        >
          {shown.groups.map(({ title, options }) => {
            const items = options.map((option) => (
              <SelectItem key={option.value} option={option} textValue={wordsOf(option)} />
            ));
            if (title === undefined) return items;
            return (
              <ListBoxSection key={title} id={title}>
                <Header className={classes(styles.title)}>{title}</Header>
                {items}
              </ListBoxSection>
            );
          })}
        </ListBox>
        <p role="status" className={shown.more > 0 ? styles.empty : "visually-hidden"}>
          {shown.more > 0 && `${formatNumber(shown.more)} more: type to narrow`}
        </p>
      </Autocomplete>
    </SelectField>
  );
};
