// Made-up values for the examples of the documents: by the name of a field, else by its type.
import * as t from "io-ts";
import { DerivedType } from "../../core/api/derivedType.ts";
import { fieldsOf } from "./declarations.mjs";

const when = "2026-11-27T09:30:00.000Z";
const whenMs = Date.parse(when);

const rule = {
  id: "5b0e9c1d2f3a4e67",
  name: "Receipts",
  type: "forward",
  enabled: true,
  priority: 1,
  conditions: [{ field: "subject", operator: "contains", value: "receipt" }],
  actions: [{ type: "forward", value: "receipts@example.org" }],
};

/** Values of fields and parameters. */
const byField = {
  id: "3fa2c81b9d7e4f60",
  maskId: "3fa2c81b9d7e4f60",
  mailId: "8c1f0a7e5b2d4936",
  notificationId: "8c1f0a7e5b2d4936",
  correspondent: "c41d8e7f20ab4953",
  requestId: "7d6c5b4a39281706",
  after: "3fa2c81b9d7e4f60",
  before: "3fa2c81b9d7e4f60",
  limit: "50",
  sort: "newest",
  q: "shoes",
  maskEmail: "shoes.k3v9q2xw7t@example.net",
  addresses: "shoes.k3v9q2xw7t@example.net",
  forwardTo: "ada@example.org",
  destinations: "ada@example.org",
  email: "ada@example.org",
  to: "ada@example.org",
  address: "orders@shop.example",
  sender: "shop.example",
  senderDomain: "shop.example",
  reverseAddress: "orders.r8m2c6p1zq@example.net",
  allow: "shop.example",
  block: "ads.example",
  description: "Shoe shop",
  note: "Size 42",
  madeFor: "shop.example",
  name: "Shopping",
  labels: "shopping",
  customPrefix: "shoes",
  localPart: "shoes",
  domain: "example.net",
  maskDomain: "example.net",
  month: "2026-11",
  day: "2026-11-27",
  lastDay: "2026-12-31",
  date: when,
  status: "confirmed",
  message: "Done.",
  subject: "Your order",
  token: "made-up-token",
  tempToken: "made-up-token",
  code: "123456",
  otp: "123456",
  lastNetwork: "203.0.113.0/24",
  version: "v1-4f60",
  rulesVersion: "v1-4f60",
  updated: when,
  created: when,
  content: "UmVjZWl2ZWQ6IGZyb20gc2hvcC5leGFtcGxl",
  brand: "Bauta",
  uri: "otpauth://totp/Bauta:ada@example.org?secret=JBSWY3DPEHPK3PXP",
  secret: "JBSWY3DPEHPK3PXP",
  url: "https://example.net/",
  publicKey: "-----BEGIN PGP PUBLIC KEY BLOCK-----",
  endpoint: "https://push.example/device/3fa2c81b9d7e4f60",
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
  mark: "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg",
  userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0",
  quietHours: { startTime: "22:00", endTime: "07:00", timeZone: "Europe/Vienna" },
  masks: "3fa2c81b9d7e4f60",
  backup: "-----BEGIN PGP PRIVATE KEY BLOCK-----",
  fingerprint: "0123456789ABCDEF0123456789ABCDEF01234567",
  rules: rule,
  maskFormat: { kind: "letters", length: 10 },
  at: when,
  timestamp: whenMs,
  lastMailAt: whenMs,
};

/** Values of codecs that core makes by hand. */
const byName = {
  "e-mail address": "ada@example.org",
  "listed sender": "shop.example",
  domain: "example.net",
  "name of a sub-domain": "ada",
  "recovery code": "ABCDE-FGHJK",
  "plan's name": "free",
  labels: ["shopping"],
  "public key": {},
};

/** Whole bodies in which not every field can stand beside the others. */
const bodies = {
  postMask: { description: "Shoe shop", labels: ["shopping"] },
  putMask: { description: "Shoe shop", active: false },
  postBulkChange: { ids: ["3fa2c81b9d7e4f60"], change: { kind: "switch", active: false } },
  putAccountRules: { rules: [] },
  postApiToken: { name: "Shopping", scopes: ["masks:create"], domain: null, lifetimeDays: 30 },
  postDomain: { name: "example.net" },
  postWrittenMail: { to: byField.reverseAddress, subject: "Your order", text: "Thank you." },
};

/** The candidates for a text, of which the first that a codec decodes is its example. */
const candidates = (field, name) => [
  ...(field in byField ? [byField[field]] : []),
  ...(name in byName ? [byName[name]] : []),
  when,
  "text",
  "123456",
  "example.net",
  "ada@example.org",
  "1",
  "true",
];

const numbers = [1, 10, 4, 30, whenMs, 0];

const firstDecoded = (codec, values) => values.find((value) => codec.decode(value)._tag === "Right");

const isText = (codec) =>
  codec instanceof t.StringType || (codec instanceof DerivedType && isText(codec.declared));
const isNumber = (codec) =>
  codec instanceof t.NumberType || (codec instanceof DerivedType && isNumber(codec.declared));

const write = (codec, field) => {
  if (isText(codec) || (codec.constructor === t.Type && codec.name in byName) || codec.constructor === t.Type)
    return firstDecoded(codec, candidates(field, codec.name));
  if (isNumber(codec)) return firstDecoded(codec, field in byField ? [byField[field], ...numbers] : numbers);
  if (codec instanceof DerivedType) {
    const value = write(codec.declared, field);
    return codec.decode(value)._tag === "Right" ? value : firstDecoded(codec, candidates(field, codec.name));
  }
  const fields = fieldsOf(codec);
  if (fields !== null)
    return Object.fromEntries(
      fields.map(([name, one]) => [name, write(one, name)]).filter(([, value]) => value !== undefined),
    );
  switch (codec.constructor) {
    case t.IntersectionType:
      return Object.assign({}, ...codec.types.map((one) => write(one, field)));
    case t.UnionType:
    case t.TaggedUnionType:
      return write(codec.types.find((one) => !(one instanceof t.NullType)) ?? codec.types[0], field);
    case t.KeyofType:
      return Object.keys(codec.keys)[0];
    case t.LiteralType:
      return codec.value;
    case t.ArrayType:
    case t.ReadonlyArrayType:
      return [write(codec.type, field)];
    case t.DictionaryType:
      return { example: write(codec.codomain, "") };
    case t.ExactType:
    case t.ReadonlyType:
      return write(codec.type, field);
    case t.BooleanType:
      return true;
    case t.NullType:
      return null;
    case t.UnknownType:
      return byField[field] ?? {};
    default:
      return undefined;
  }
};

/** Returns an example of what a codec decodes; `field` is the name that it stands under. */
export const exampleOf = (codec, field, call) => {
  const value = (field === "body" && bodies[call]) || write(codec, field);
  if (codec.decode(value)._tag === "Left")
    throw new Error(
      `scripts/api/examples.mjs has no example for the ${field} of ${call}: ${JSON.stringify(value)} does not decode`,
    );
  return value;
};
