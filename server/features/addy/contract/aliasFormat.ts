import * as t from "io-ts";
import { type MaskFormat, usualFormat } from "../../../../core/masks/maskFormat.ts";

/** The formats of a new mask's address that clients choose from. */
export const AliasFormat = t.keyof({
  random_characters: null,
  uuid: null,
  random_words: null,
  random_male_name: null,
  random_female_name: null,
  random_noun: null,
  custom: null,
});
export type AliasFormat = t.TypeOf<typeof AliasFormat>;

type RandomFormat = Exclude<AliasFormat, "custom">;

const kinds: Readonly<Record<RandomFormat, MaskFormat["kind"]>> = {
  random_characters: "letters",
  uuid: "uuid",
  random_words: "words",
  random_male_name: "words",
  random_female_name: "words",
  random_noun: "words",
};

const formats: { readonly [K in MaskFormat["kind"]]: MaskFormat } = {
  letters: usualFormat,
  words: { kind: "words", length: 4 },
  uuid: { kind: "uuid" },
};

/** Returns the format of a mask; where the account has chosen one of this kind, with its length. */
export const toMaskFormat = (format: RandomFormat, chosen: MaskFormat | undefined): MaskFormat =>
  chosen?.kind === kinds[format] ? chosen : formats[kinds[format]];

/** Returns how clients name the format of an account. */
export const toAliasFormat = ({ kind }: MaskFormat = usualFormat): AliasFormat => {
  switch (kind) {
    case "letters":
      return "random_characters";
    case "words":
      return "random_words";
    case "uuid":
      return "uuid";
  }
};
