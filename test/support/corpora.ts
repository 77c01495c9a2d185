import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Corpus } from "./corpusSources.ts";
import { skipWithout } from "./missing.ts";

const samplesFolder = join(import.meta.dirname, "../data/samples");

/** The folder of the corpora, which may be missing. */
const corporaFolder = resolve(
  process.env["CORPORA_DIR"] ?? join(import.meta.dirname, "../../../shared/corpora"),
);

/** The files of a folder whose names end so. */
type Files<Folder extends string = string> = readonly [folder: Folder, ending: string];

interface Places {
  readonly samples: readonly Files[];
  readonly corpora: readonly Files<Corpus>[];
}

/** Kinds of inputs, each with samples written for this project, and with corpora that others wrote. */
const kinds = {
  bounces: { samples: [["bounces", ".eml"]], corpora: [["bounces/enmime-dsn", ".raw"]] },
  bouncesOfManyServers: { samples: [["bounces", ".eml"]], corpora: [["bounces/sisimai", ".eml"]] },
  categorizedAddresses: {
    samples: [["email-address", "categories.json"]],
    corpora: [["email-address/isemail", ".json"]],
  },
  dmarcMails: { samples: [["auth/dmarc", ".eml"]], corpora: [["auth/dmarc-rspamd", ".eml"]] },
  hostileHtml: { samples: [["xss", ".json"]], corpora: [["xss/h5sc", ".json"]] },
  jsonTexts: { samples: [["json", ".json"]], corpora: [["json/nst", ".json"]] },
  judgedAddresses: {
    samples: [["email-address", "validity.json"]],
    corpora: [["email-address/egulias", ".json"]],
  },
  naughtyStrings: { samples: [["strings", ".json"]], corpora: [["strings/blns", ".json"]] },
  oddMails: {
    samples: [
      ["mime/odd", ".eml"],
      ["mime/typical", ".eml"],
    ],
    corpora: [
      ["mime/cpython", ".txt"],
      ["mime/enmime", ".raw"],
      ["mime/mime4j-testmsgs", ".msg"],
      ["mime/postal-mime", ".eml"],
      ["mime/ruby-mail", ".eml"],
      ["mime/stalwart-rfc", ".eml"],
    ],
  },
  slowPatterns: { samples: [["redos", ".json"]], corpora: [["redos", ".json"]] },
  smuggling: { samples: [["smtp-smuggling", ".json"]], corpora: [["smtp-smuggling", ".json"]] },
  spfScenarios: { samples: [["auth/spf", ".json"]], corpora: [["auth/spf", ".json"]] },
  typicalMails: { samples: [["mime/typical", ".eml"]], corpora: [["mime/postal-mime", ".eml"]] },
  utf8: { samples: [["websocket", "-utf8.json"]], corpora: [["websocket", "-utf8.json"]] },
} as const satisfies Readonly<Record<string, Places>>;

type Kind = keyof typeof kinds;

interface InputFile {
  readonly name: string;
  readonly content: Buffer;
}

/** Inputs for a test, either the samples or the corpora. */
export interface Inputs {
  readonly areSamples: boolean;
  readonly files: (...of: readonly Kind[]) => readonly InputFile[];
  /** Returns what each JSON file of this kind contains. */
  readonly json: <A>(kind: Kind) => readonly A[];
}

const createInputs = (areSamples: boolean, root: string): Inputs => {
  const read = ([folder, ending]: Files): readonly InputFile[] =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(ending))
      .map((name) => ({ name, content: readFileSync(join(root, folder, name)) }));
  const filesOf = (kind: Kind): readonly InputFile[] => {
    const { samples, corpora }: Places = kinds[kind];
    return (areSamples ? samples : corpora).flatMap(read);
  };
  return {
    areSamples,
    files: (...of) => of.flatMap(filesOf),
    json: <A>(kind: Kind) => filesOf(kind).map(({ content }): A => JSON.parse(content.toString("utf8"))),
  };
};

const samples = createInputs(true, samplesFolder);
const corpora = createInputs(false, corporaFolder);

const missingCorpora = (of: readonly Kind[]): readonly Corpus[] =>
  of
    .flatMap((kind): readonly Files<Corpus>[] => kinds[kind].corpora)
    .map(([folder]) => folder)
    .filter((folder) => !existsSync(join(corporaFolder, folder)));

/** Defines tests twice: on the samples, and on the corpora, where they are skipped if one is missing. */
export const onInputs = (of: readonly Kind[], tests: (inputs: Inputs) => void): void => {
  describe("of the samples", () => tests(samples));
  describe("of the corpora", () => {
    before(function () {
      const missing = missingCorpora(of);
      if (missing.length > 0) skipWithout(this, ...missing);
    });
    tests(corpora);
  });
};

/** Returns the files of the samples, and of the corpora where they are present. */
export const presentFiles = (kind: Kind): readonly InputFile[] =>
  [samples, ...(missingCorpora([kind]).length > 0 ? [] : [corpora])].flatMap(({ files }) => files(kind));

/** Odd mails whose From names several addresses, or one with comments inside. */
export const unclearAuthors: ReadonlySet<string> = new Set([
  "comment-in-domain.eml",
  "two-authors.eml",
  "malformed-multiple-address-header-values.raw",
  "qp-utf8-header-no-break.raw",
  "qp-utf8-header-recursed.raw",
  "qp-utf8-header.raw",
  "example10.eml",
  "raw_email_multiple_from.eml",
  "raw_email_with_at_display_name.eml",
]);

/** Ends all lines with CRLF, the last one included, as a mail program sends them. */
export const asSent = (file: Buffer): Buffer => {
  const lines = file.toString("latin1").replace(/\r?\n/g, "\r\n");
  return Buffer.from(lines === "" || lines.endsWith("\r\n") ? lines : `${lines}\r\n`, "latin1");
};
