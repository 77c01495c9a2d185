import { classes } from "./classes.ts";
import styles from "./LetterTile.module.css";

const tones = ["teal", "amber", "purple", "green", "red", "blue"] as const;

/** The same name has the same tone on every device. */
const toneOf = (name: string): (typeof tones)[number] => {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9_973;
  return tones[sum % tones.length] ?? tones[0];
};

/** The first letter or digit of a name, or its first character. */
const letterOf = (name: string): string =>
  (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? Array.from(name)[0] ?? "").toUpperCase();

interface LetterTileProps {
  readonly name: string;
  readonly size?: "small" | "large" | undefined;
  /** Without its color, for what is switched off. */
  readonly isMuted?: boolean | undefined;
}

/** A colored tile with the first letter of a name, to find it again by eye. It asks no other host for a picture. */
export const LetterTile = ({ name, size = "small", isMuted = false }: LetterTileProps) => (
  <span
    className={classes(styles.tile, styles[size], isMuted && styles.muted)}
    data-tone={isMuted ? "gray" : toneOf(name)}
    aria-hidden="true"
  >
    {letterOf(name)}
  </span>
);
