import * as t from "io-ts";
import { endpoint } from "../../../../core/api/endpoint.ts";
import type { Domain } from "../../../../core/domains/domain.ts";
import { byTable } from "../../../platform/answers/byTable.ts";
import { MailboxRef } from "./simpleLoginAlias.ts";
import { dateOf, Integer, NullableText, secondsOf } from "./simpleLoginValues.ts";

/** A domain of a user, as SimpleLogin's clients read it. */
export const CustomDomain = t.type({
  id: Integer,
  domain_name: t.string,
  is_verified: t.boolean,
  nb_alias: Integer,
  creation_date: t.string,
  creation_timestamp: Integer,
  catch_all: t.boolean,
  name: NullableText,
  random_prefix_generation: t.boolean,
  mailboxes: t.readonlyArray(MailboxRef),
});
export type CustomDomain = t.TypeOf<typeof CustomDomain>;

interface CustomDomainSource {
  readonly domain: Domain;
  readonly id: number;
  /** In milliseconds since 1970. */
  readonly created: number;
  /** The destinations of its new masks' mail. */
  readonly mailboxes: readonly MailboxRef[];
}

/** Returns a domain as SimpleLogin has them. */
export const toCustomDomain = byTable<CustomDomainSource, CustomDomain>({
  id: ({ id }) => id,
  domain_name: ({ domain }) => domain.name,
  is_verified: ({ domain }) => domain.state !== "waiting",
  nb_alias: ({ domain }) => domain.masks,
  creation_date: ({ created }) => dateOf(created),
  creation_timestamp: ({ created }) => secondsOf(created),
  catch_all: ({ domain }) => domain.catchAll !== "off",
  name: () => null,
  random_prefix_generation: () => false,
  mailboxes: ({ mailboxes }) => mailboxes,
});

export const getCustomDomains = endpoint("GET", "/api/custom_domains", {
  tokens: "masks:read",
  answer: t.type({ custom_domains: t.readonlyArray(CustomDomain) }),
});

const params = t.type({ id: t.string });

/** Changes how a domain takes mail. `name` and `random_prefix_generation` have no counterpart and change nothing. */
export const patchCustomDomain = endpoint("PATCH", "/api/custom_domains/:id", {
  tokens: "masks:write",
  params,
  body: t.partial({
    catch_all: t.boolean,
    random_prefix_generation: t.boolean,
    name: NullableText,
    mailbox_ids: t.readonlyArray(Integer),
  }),
  answer: t.type({ custom_domain: CustomDomain }),
});

/** Lists the masks of a domain that are in the trash. */
export const getCustomDomainTrash = endpoint("GET", "/api/custom_domains/:id/trash", {
  tokens: "masks:read",
  params,
  answer: t.type({
    aliases: t.readonlyArray(t.type({ alias: t.string, deletion_timestamp: Integer })),
  }),
});
