import { toSearchText } from "../../../core/kernel/searchText.ts";

/** What a text is compared with. */
export interface Findable {
  readonly label: string;
  /** Further words that find it, between commas, the ones that mean nothing else first. */
  readonly keywords?: string | undefined;
}

const fold = (text: string): string => toSearchText(text).replaceAll("-", " ");

const beginsWord = (text: string, wanted: string): boolean =>
  text.startsWith(wanted) || text.includes(` ${wanted}`);

const rankOfWord = ({ label, keywords = "" }: Findable, wanted: string): number => {
  const name = fold(label);
  if (name === wanted) return 100;
  const others = wanted.length < 2 || keywords === "" ? [] : fold(keywords).split(", ");
  const whole = others.indexOf(wanted);
  if (whole >= 0) return 90 - whole / 10;
  if (name.startsWith(wanted)) return 70;
  if (beginsWord(name, wanted)) return 60;
  const begun = others.findIndex((other) => beginsWord(other, wanted));
  if (begun >= 0) return 50 - begun / 10;
  const words = wanted.split(" ");
  if (words.length > 1 && words.every((word) => [name, ...others].some((text) => beginsWord(text, word))))
    return 30;
  return wanted.length > 1 && name.includes(wanted) ? 20 : 0;
};

/**
 * Returns how well a command fits what is typed: 0 if it does not. The whole label counts most, then one of its keywords, then
 * the beginnings of their words. "blocked" and "blocking" find what "block" finds.
 */
export const rankOf = (command: Findable, typed: string): number => {
  const wanted = fold(typed.trim());
  const [, stem] = /^(.{3,}?)(?:s|ed|ing)$/.exec(wanted) ?? [];
  return rankOfWord(command, wanted) || (stem === undefined ? 0 : rankOfWord(command, stem));
};
