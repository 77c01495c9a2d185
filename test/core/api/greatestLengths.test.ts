import { expect } from "chai";
import type * as t from "io-ts";
import { freeText, PersonName } from "../../../core/api/inputCodecs.ts";
import { ShownText } from "../../../core/api/wireCodecs.ts";
import { patchApiToken } from "../../../core/apiTokens/apiTokenEndpoints.ts";
import { postAppPassword } from "../../../core/appPasswords/appPasswordEndpoints.ts";
import { WrittenMail } from "../../../core/correspondents/correspondentEndpoints.ts";
import { patchDestination } from "../../../core/destinations/destinationEndpoints.ts";
import { SubdomainLabel } from "../../../core/domains/domain.ts";
import { patchDomain } from "../../../core/domains/domainEndpoints.ts";
import { Label, Labels } from "../../../core/labels/label.ts";
import { CustomPrefix, Destinations, maskFields } from "../../../core/masks/mask.ts";
import { patchPasskey } from "../../../core/passkeys/passkeyEndpoints.ts";
import { NewPushDevice } from "../../../core/push/pushEndpoints.ts";
import { actionEntry } from "../../../core/rules/model/actionType.ts";
import { Condition, PartId } from "../../../core/rules/model/condition.ts";
import { RuleName } from "../../../core/rules/model/rule.ts";
import { patchWebhook } from "../../../core/webhooks/webhookEndpoints.ts";

type Decoder = Pick<t.Type<unknown, unknown, unknown>, "decode">;

/** Decodes a text as one field of an object. */
const within = (codec: Decoder, around: (text: string) => unknown): Decoder => ({
  decode: (text) => codec.decode(around(String(text))),
});
const named = (codec: Decoder): Decoder => within(codec, (name) => ({ name }));
const written = (field: "subject" | "text"): Decoder =>
  within(WrittenMail, (text) => ({
    to: "re-a@masks.example",
    subject: "Hello",
    text: "Hello",
    [field]: text,
  }));
const compared = (operator: string): Decoder =>
  within(Condition, (value) => ({ field: "subject", operator, value }));
const parameter = (type: Parameters<typeof actionEntry>[0], name: string): Decoder => {
  const param = actionEntry(type).params[name];
  if (param === undefined) throw new Error(`${type} has no ${name}`);
  return param.codec;
};

const texts: readonly (readonly [
  what: string,
  codec: Decoder,
  most: number,
  said: string,
  before?: string,
])[] = [
  ["The name of a person", PersonName, 100, "Name must be 100 characters or less"],
  ["Free text", freeText(), 1_000, "Text must be 1000 characters or less"],
  ["A shown text", ShownText, 10_000, "Text is too long"],
  [
    "The description of a mask",
    maskFields.description.input,
    200,
    "Description must be 200 characters or less.",
  ],
  ["The note of a mask", maskFields.note.input, 1_000, "A note must be 1000 characters or less"],
  ["The prefix of a mask", CustomPrefix, 16, "Custom prefix must be 16 characters or less."],
  ["A label", Label, 40, "A label can have at most 40 characters"],
  ["The name of a destination", named(patchDestination.body), 60, "Use at most 60 characters"],
  ["The name of a token", named(patchApiToken.body), 60, "Use at most 60 characters"],
  ["The name of an app password", named(postAppPassword.body), 60, "Use at most 60 characters"],
  ["The name of a passkey", named(patchPasskey.body), 60, "Use at most 60 characters"],
  ["A claimed name", SubdomainLabel, 30, "Use 3 to 30 characters"],
  [
    "A pattern of names",
    within(patchDomain.body, (text) => ({ patterns: [text] })),
    64,
    "A pattern is the part before the @, with * for any text, such as shop-*",
  ],
  [
    "The address of a webhook",
    within(patchWebhook.body, (url) => ({ url })),
    2_000,
    "Use at most 2000 characters",
    "https://a.example/",
  ],
  [
    "The endpoint of a device with notifications",
    NewPushDevice.props.endpoint,
    1_000,
    "The endpoint must be 1000 characters or less",
    "https://a.example/",
  ],
  [
    "The subject of a mail that is written here",
    written("subject"),
    500,
    "A subject can have at most 500 characters",
  ],
  [
    "The text of a mail that is written here",
    written("text"),
    100_000,
    "This is too long for an email that is written here. Write it in your mail program.",
  ],
  ["The name of a rule", RuleName, 100, "Rule name must be 100 characters or less"],
  ["The id of a part of a rule", PartId, 100, "Give a shorter id"],
  [
    "The name of a header",
    within(Condition, (header) => ({ field: "header", header, operator: "contains", value: "a" })),
    100,
    "Enter the name of a header, such as X-Priority",
  ],
  [
    "What to compare with",
    compared("contains"),
    1_000,
    "What to compare with can have at most 1000 characters",
  ],
  [
    "A regular expression",
    compared("matches_regex"),
    256,
    "A regular expression can have at most 256 characters",
  ],
  ["A tag of a rule", parameter("tag", "tag"), 50, "Write at most 50 characters"],
  ["A prefix of a rule", parameter("modify", "subjectPrefix"), 50, "Write at most 50 characters"],
  ["A message of a rule", parameter("notify", "message"), 200, "Write at most 200 characters"],
  ["The subject of an answer", parameter("auto-reply", "subject"), 200, "Write at most 200 characters"],
  ["The text of an answer", parameter("auto-reply", "message"), 5_000, "Write at most 5000 characters"],
];

const lists: readonly (readonly [what: string, codec: Decoder, most: number, said: string])[] = [
  ["Labels", Labels, 20, "A mask can have at most 20 labels. Remove one to add another."],
  ["Destinations", Destinations, 10, "A mask forwards to at most 10 addresses"],
  [
    "Patterns of names",
    { decode: (patterns) => patchDomain.body.decode({ patterns }) },
    20,
    "A domain has at most 20 patterns",
  ],
  [
    "Entries to compare with",
    { decode: (value) => Condition.decode({ field: "subject", operator: "contains", value }) },
    100,
    "A list can have at most 100 entries. Put the others into another rule.",
  ],
];

/** The sentences with which a value is refused; none for one that is taken. */
const refusals = (codec: Decoder, value: unknown): readonly (string | undefined)[] => {
  const decoded = codec.decode(value);
  return decoded._tag === "Left" ? decoded.left.map(({ message }) => message) : [];
};

describe("The greatest length", () => {
  for (const [what, codec, most, said, before = ""] of texts)
    it(`of ${what.replace(/^\w/, (first) => first.toLowerCase())} is ${most} characters, as its refusal says`, () => {
      const text = before.padEnd(most, "a");
      expect(refusals(codec, text)).to.deep.equal([]);
      expect(refusals(codec, `${text}a`)).to.include(said);
    });

  for (const [what, codec, most, said] of lists)
    it(`of ${what.replace(/^\w/, (first) => first.toLowerCase())} is ${most}, as its refusal says`, () => {
      const list = Array.from({ length: most + 1 }, (_, n) =>
        what === "Destinations" ? `a${n}@b.example` : `a${n}`,
      );
      expect(refusals(codec, list.slice(1))).to.deep.equal([]);
      expect(refusals(codec, list)).to.include(said);
    });
});
