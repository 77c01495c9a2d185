// JSON Schema of the codecs of io-ts.
import * as t from "io-ts";
import { DerivedType } from "../../core/api/derivedType.ts";
import { fieldsOf } from "./declarations.mjs";

/** The codecs that core makes by hand, by their names. */
const byName = {
  text: { type: "string" },
  string: { type: "string" },
  "e-mail address": { type: "string", format: "email" },
  "listed sender": {
    type: "string",
    description: "An address, or a domain that stands for all its addresses.",
  },
  domain: { type: "string", description: "A domain, such as example.org." },
  "name of a sub-domain": { type: "string" },
  "recovery code": { type: "string" },
  "plan's name": { type: "string" },
  boolean: { type: "boolean" },
  labels: { type: "array", items: { type: "string" } },
  "public key": { type: "object", properties: { publicKey: { type: "string" } } },
};

/** Returns the schema of a codec that core makes by hand; undefined for the others. */
const handMadeSchema = (codec) => {
  const [, first, last] = /^number from (\d+) to (\d+)$/.exec(codec.name) ?? [];
  if (last !== undefined) return { type: "integer", minimum: Number(first), maximum: Number(last) };
  return codec instanceof t.StringType ? undefined : byName[codec.name];
};

const withDescription = (schema, description) =>
  !description ? schema : "$ref" in schema ? { description, allOf: [schema] } : { ...schema, description };

const isScalar = (schema) =>
  typeof schema.type === "string" && !("properties" in schema) && !("items" in schema);

const valuesOf = (schema) => ("const" in schema ? [schema.const] : (schema.enum ?? []));

const unionOf = (schemas) => {
  const others = schemas.filter(({ type }) => type !== "null");
  const isNullable = others.length < schemas.length;
  const values = others.flatMap(valuesOf);
  const areValues = others.every((one) => valuesOf(one).length > 0);
  if (areValues) return { enum: [...new Set(values), ...(isNullable ? [null] : [])] };
  const [only] = others;
  if (isNullable && others.length === 1 && isScalar(only)) return { ...only, type: [only.type, "null"] };
  return { anyOf: schemas };
};

/**
 * Returns a function that gives the schema of a codec. What `nameOf` names is a reference to it, except as the whole;
 * `docs` describes fields by their names.
 */
export const schemaWriter = (nameOf) => {
  const hasNamedPart = (codec) =>
    codec instanceof t.IntersectionType && codec.types.some((one) => nameOf(one) !== undefined);
  const write = (codec, docs, isWhole = false) => {
    const name = isWhole ? undefined : nameOf(codec);
    if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
    const handMade = handMadeSchema(codec);
    if (handMade !== undefined) return handMade;
    if (codec instanceof DerivedType) return write(codec.declared, docs, isWhole);
    const fields = hasNamedPart(codec) ? null : fieldsOf(codec);
    if (fields !== null) return writeObject(fields, docs);
    switch (codec.constructor) {
      case t.IntersectionType:
        return { allOf: codec.types.map((one) => write(one, docs)) };
      case t.UnionType:
      case t.TaggedUnionType:
        return unionOf(codec.types.map((one) => write(one, docs)));
      case t.KeyofType:
        return { type: "string", enum: Object.keys(codec.keys) };
      case t.LiteralType:
        return { type: typeof codec.value, const: codec.value };
      case t.ArrayType:
      case t.ReadonlyArrayType:
        return { type: "array", items: write(codec.type, docs) };
      case t.DictionaryType:
        return { type: "object", additionalProperties: write(codec.codomain, docs) };
      case t.ExactType:
      case t.ReadonlyType:
        return write(codec.type, docs);
      case t.StringType:
        return { type: "string" };
      case t.NumberType:
        return { type: "number" };
      case t.BooleanType:
        return { type: "boolean" };
      case t.NullType:
        return { type: "null" };
      case t.UnknownType:
        return {};
      default:
        throw new Error(`scripts/api/schemas.mjs has no schema for the codec "${codec.name}"`);
    }
  };
  const writeObject = (fields, docs) => {
    const required = fields.filter(([, , isOptional]) => !isOptional).map(([name]) => name);
    return {
      type: "object",
      ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
      properties: Object.fromEntries(
        fields.map(([name, one]) => [name, withDescription(write(one, docs), docs.get(name))]),
      ),
    };
  };
  return write;
};
