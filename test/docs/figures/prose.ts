/** Numbers that depend on nothing of ours, on every page. */
const independent: readonly RegExp[] = [
  // Standards, with their sections, and versions of them.
  /\bRFC \d+(?:(?:, |; | and | or | to )\d[\d.]*)*/g,
  /\b(?:ASVS|CVSS|HTTP|ISO|IPv|OAuth|OpenAPI|PKCS #|SAML|STS|TLS|WCAG|XML|base|P-|SHA-|UTS |AES-)\s?\d[\d.]*/gi,
  // Programs, by their version.
  /\b(?:Ceph|Debian|Node(?:\.js)?|npm|Patroni|PgBouncer|PostgreSQL|Redis|version)(?: from)?(?: version)? \d[\d.]*(?: \(or \d+\))?(?:, or \d+| or later or \d+)?/g,
  // Days, and versions of the product.
  /\b\d{4}-\d\d-\d\d\b/g,
  /\b\d\.\d\.\d+\b/g,
  /\b(?:in|November|spring) 20\d\d\b/g,
  // Answers of SMTP and HTTP; those of SMTP are compared with the replies.
  /\b[245]\d\d [245]\.\d+\.\d+/g,
  /\b(?:250|30[1478]|40[1-9]|41[0-57]|42[1-69]|45[0-24]|50[1-47]|530|535|55[0-46])\b(?! \w*(?:characters|bytes|mails|octets))/g,
  // Ports and prefixes of networks.
  /\bports? \d+(?:(?:, | and | or )\d+)*/gi,
  /(?<!\d)\/\d+\b/g,
];

const numberWords =
  /\b(?:four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred)\b/gi;

/** Returns what a page says in sentences and tables on one line: without code, addresses of links and numbers of lists. */
export const proseOf = (page: string): string =>
  page
    .replace(/^( *)```[\s\S]*?^\1```/gm, " ")
    .replace(/^ {4}.*$/gm, " ")
    .replace(/^\s*\d+\. /gm, " ")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/<[^<>]*>/g, " ")
    .replace(/`[^`]*`/g, (code) => code.replace(/\d/g, "#"))
    .replace(/\s+/g, " ");

/** Returns a page without the sections under these headings. */
export const withoutSections = (page: string, headings: readonly string[]): string =>
  page
    .split(/^(?=#{2,3} )/m)
    .filter((section) => !headings.some((heading) => section.startsWith(`## ${heading}\n`)))
    .join("");

type Span = readonly [start: number, end: number];

const spansOf = (text: string, pattern: RegExp): readonly Span[] =>
  Array.from(text.matchAll(pattern), ({ 0: found, index }): Span => [index, index + found.length]);

const spansOfPhrase = (text: string, phrase: string): readonly Span[] => {
  const spans: Span[] = [];
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1))
    spans.push([at, at + phrase.length]);
  return spans;
};

/** Returns each number of a text, with the words around it, that is in none of the phrases and matched by no pattern. */
export const looseNumbers = (
  text: string,
  phrases: readonly string[],
  patterns: readonly RegExp[],
): readonly string[] => {
  const held = [
    ...[...independent, ...patterns].flatMap((pattern) => spansOf(text, pattern)),
    ...phrases.flatMap((phrase) => spansOfPhrase(text, phrase)),
  ];
  const numbers = [...spansOf(text, /(?<![\w.#])\d[\d,.]*/g), ...spansOf(text, numberWords)];
  return numbers
    .filter(([start]) => !held.some(([from, to]) => from <= start && start < to))
    .map(
      ([start, end]) =>
        `${text.slice(Math.max(0, start - 40), start)}»${text.slice(start, end)}«${text.slice(end, end + 40)}`,
    );
};
