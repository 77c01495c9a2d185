import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { relaxField } from "../../../server/proof/canonicalHeader.ts";
import {
  canonicalBody,
  type Fields,
  hashBody,
  type MadeKey,
  selectFields,
  signText,
} from "./handMadeSignature.ts";

type Edit =
  | readonly [text: string, replacement: string]
  | "drop"
  | "repeat"
  | "cut"
  | "space"
  | "cutCopyBefore"
  | "cutCopyAfter";

/** Edits by the name of what they edit: "mail", or a field of an ARC set, such as "seal2". */
type Edits = Readonly<Record<string, Edit>>;

/** How to make one mail of the suite; `about` in the file explains each part. */
export interface ArcRecipe {
  readonly cv: "pass" | "fail" | "none";
  readonly mail?: string;
  readonly sets?: number;
  readonly signed?: Edits;
  readonly sealed?: Edits;
  readonly unsealed?: Edits;
  readonly onTheWay?: Edits;
  readonly changed?: Edits;
}

interface ArcSuite {
  readonly results: string;
  readonly mails: Readonly<Record<string, readonly string[]>>;
  readonly cases: Readonly<Record<string, ArcRecipe>>;
}

export const readArcSuite = (): ArcSuite =>
  JSON.parse(readFileSync(fileURLToPath(import.meta.resolve("../../data/arcSuite.json")), "utf8"));

const cut = (field: string): string => field.replace(/(\bb=)./, "$1");

const applyEdit = (text: string, edit: Edit): string => {
  if (Array.isArray(edit)) {
    if (!text.includes(edit[0])) throw new Error(`"${edit[0]}" is not in ${text}`);
    return text.replace(edit[0], () => edit[1]);
  }
  switch (edit as Exclude<Edit, readonly string[]>) {
    case "drop":
      return "";
    case "repeat":
      return `${text}\r\n${text}`;
    case "cut":
      return cut(text);
    case "space":
      return text.replace(/(\bb=.{5})/, "$1 ");
    case "cutCopyBefore":
      return `${cut(text)}\r\n${text}`;
    case "cutCopyAfter":
      return `${text}\r\n${cut(text)}`;
  }
};

const applyEdits = (part: string, text: string, edits: Edits | undefined): string => {
  const edit = edits?.[part];
  return edit === undefined ? text : applyEdit(text, edit);
};

const tag = (field: string, name: string): string =>
  new RegExp(`[:;]\\s*${name}\\s*=([^;]*)`).exec(field)?.[1]?.trim() ?? "";

/** Divides a mail into its fields and its body. */
const divide = (mail: string): { readonly fields: Fields; readonly body: string } => {
  const end = mail.indexOf("\r\n\r\n");
  return { fields: mail.slice(0, end).split(/\r\n(?![ \t])/), body: mail.slice(end + 4) };
};

const hashName = (field: string): string => (tag(field, "a").endsWith("sha1") ? "sha1" : "sha256");

/** Folded as in the suite: a seal covers the white space in signatures. */
const foldSignature = (signature: string): string =>
  [signature.slice(0, 70), ...(signature.slice(70).match(/.{1,72}/g) ?? [])].join("\r\n    ");

/** Fills in the body hash and the signature, over the fields and the field itself. */
const fillIn = (field: string, covered: Fields, form: string, key: MadeKey): string => {
  const text = [...covered, field.replace("%b;", ";")]
    .map((one) => (form === "simple" ? one : relaxField(one)))
    .join("\r\n");
  return field.replace("%b;", () => `${foldSignature(signText(text, key, hashName(field)))};`);
};

/** The suite signs in relaxed form what states no form or an unknown one. */
const form = (canonicalization: string | undefined): "simple" | "relaxed" =>
  canonicalization === "simple" ? "simple" : "relaxed";

const signMessage = (template: string, sets: Fields, mail: string, key: MadeKey): string => {
  const { fields, body } = divide(mail);
  const [header, text] = tag(template, "c").split("/");
  const hash = hashBody(canonicalBody(body, form(text)), hashName(template));
  const field = template.replace("%bh", () => hash).replace("%bs", () => `${hash[0]} ${hash.slice(1)}`);
  return fillIn(field, selectFields([...sets, ...fields], tag(field, "h").split(":")), form(header), key);
};

const templatesOf = (instance: number, results: string) => {
  const time = 12_344 + instance;
  return {
    seal: `ARC-Seal: a=rsa-sha256;\r\n    b=%b; cv=${instance === 1 ? "none" : "pass"}; d=example.org; i=${instance}; s=dummy;\r\n    t=${time}`,
    signature: `ARC-Message-Signature: a=rsa-sha256;\r\n    b=%b;\r\n    bh=%bh; c=relaxed/relaxed;\r\n    d=example.org; h=from:to:date:subject:mime-version:arc-authentication-results;\r\n    i=${instance}; s=dummy; t=${time}`,
    results: `ARC-Authentication-Results: i=${instance}; ${results}`,
  };
};

/** The fields of a mail's sets, oldest first, each set in the order in which a seal covers it. */
type Parts = ReadonlyMap<string, string>;

const editParts = (parts: Parts, edits: Edits | undefined): Map<string, string> =>
  new Map([...parts].map(([part, text]) => [part, applyEdits(part, text, edits)]));

const present = (parts: Parts): string[] => [...parts.values()].filter((text) => text !== "");

/** Makes the mail of a recipe; `keyOf` returns the key of a selector. */
export const makeArcMail = (
  { mails, results }: ArcSuite,
  recipe: ArcRecipe,
  keyOf: (selector: string) => MadeKey,
): string => {
  const { mail: name = "first", sets = 1, signed, sealed, unsealed, onTheWay, changed } = recipe;
  let mail = applyEdits("mail", (mails[name] ?? []).join("\r\n"), signed);
  let parts: Map<string, string> = new Map();
  for (let instance = 1; instance <= sets; instance += 1) {
    if (instance === 2) {
      mail = applyEdits("mail", mail, onTheWay);
      parts = editParts(parts, onTheWay);
    }
    const templates = templatesOf(instance, results);
    const [sealName, signatureName, resultsName] = ["seal", "signature", "results"].map(
      (field) => `${field}${instance}`,
    ) as [string, string, string];
    const stated = applyEdits(resultsName, templates.results, signed);
    const sign = (template: string): string =>
      signMessage(template, [stated, ...present(parts).reverse()], mail, keyOf(tag(template, "s")));
    const template = applyEdits(signatureName, templates.signature, signed);
    const signature = applyEdits(signatureName, sign(template), sealed);
    const seal = applyEdits(sealName, templates.seal, signed);
    const covered = [...present(parts), stated, signature];
    parts.set(resultsName, stated);
    parts.set(
      signatureName,
      unsealed?.[signatureName] ? sign(applyEdits(signatureName, template, unsealed)) : signature,
    );
    parts.set(sealName, fillIn(seal, covered, "relaxed", keyOf(tag(seal, "s"))));
  }
  return [...present(editParts(parts, changed)).reverse(), applyEdits("mail", mail, changed)].join("\r\n");
};
