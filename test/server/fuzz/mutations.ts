import fc from "fast-check";
import { hostileShapes } from "../hostile/shapes.ts";

/** Pieces with a meaning somewhere: structure, escapes, ends, and what has been found before. */
const tokens: readonly string[] = [
  ...[...hostileShapes.values()].map((shape) => shape(24)),
  "\r\n",
  "\r\n\r\n",
  "\r\n.\r\n",
  "\n.\n",
  "\r",
  "\0",
  "\u00ff",
  "--b1",
  "--b1--",
  "=?utf-8?B?QQ==?=",
  "Content-Type: multipart/mixed; boundary=b1\r\n",
  "Content-Transfer-Encoding: base64\r\n",
  "-----BEGIN PGP MESSAGE-----",
  "ada@home.example",
  "__proto__",
  "constructor",
  "$&",
  "{",
  "}",
  "[",
  '"',
  "\\",
  "4294967295",
  "-1",
];

/** Characters of a text; a mutation moves places into its bounds. */
const place = fc.nat({ max: 16_384 });
const length = fc.integer({ min: 1, max: 60 });

type Edit =
  | { readonly kind: "cut" | "repeat" | "flip"; readonly at: number; readonly length: number }
  | { readonly kind: "insert"; readonly at: number; readonly token: string }
  | { readonly kind: "splice"; readonly at: number; readonly from: number; readonly other: string };

const edit = (seeds: readonly string[]): fc.Arbitrary<Edit> =>
  fc.oneof(
    fc.record({
      kind: fc.constantFrom("cut" as const, "repeat" as const, "flip" as const),
      at: place,
      length,
    }),
    fc.record({ kind: fc.constant("insert" as const), at: place, token: fc.constantFrom(...tokens) }),
    fc.record({
      kind: fc.constant("splice" as const),
      at: place,
      from: place,
      other: fc.constantFrom(...seeds),
    }),
  );

const maxRepeats = 20;

const apply = (text: string, change: Edit): string => {
  const at = text.length === 0 ? 0 : change.at % text.length;
  const before = text.slice(0, at);
  switch (change.kind) {
    case "cut":
      return before + text.slice(at + change.length);
    case "repeat":
      return before + text.slice(at, at + change.length).repeat(maxRepeats) + text.slice(at);
    case "flip":
      return (
        before + String.fromCharCode(text.charCodeAt(at) ^ (1 << (change.length % 8))) + text.slice(at + 1)
      );
    case "insert":
      return before + change.token + text.slice(at);
    case "splice":
      return before + change.other.slice(change.from % Math.max(1, change.other.length));
  }
};

/** Longer texts are covered by the growth test. */
const maxLength = 20_000;

/** A seed as it is, or cut, repeated, joined with another, and with pieces that mean something inserted. */
export const mutated = (seeds: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...seeds), fc.array(edit(seeds), { maxLength: 6 }))
    .map(([seed, edits]) => edits.reduce(apply, seed).slice(0, maxLength));
