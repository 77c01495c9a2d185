import { fieldError, type UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { MaskPageQuery } from "../masks/list/maskPages.ts";
import { aliasOrders } from "./contract/addyAlias.ts";
import { type ListParams, maxPageSize, type Page } from "./contract/addyAliasEndpoints.ts";

const maxPage = 1_000_000;

const refuse = (field: keyof ListParams, message: string): UseCaseError =>
  fieldError("invalid", field, message);

type Parameter = "page[number]" | "page[size]";

const parseNumber = (params: ListParams, name: Parameter, otherwise: number, most: number): number => {
  const text = params[name] ?? "";
  if (text === "") return otherwise;
  const number = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= most) return number;
  throw refuse(name, `The ${name} must be a number from 1 to ${most}.`);
};

const parseFlag = (params: ListParams, name: "filter[active]" | "filter[pinned]"): boolean | undefined => {
  switch (params[name] ?? "") {
    case "":
      return undefined;
    case "true":
    case "1":
      return true;
    case "false":
    case "0":
      return false;
    default:
      throw refuse(name, `The ${name} must be true or false.`);
  }
};

const parseDeleted = ({ "filter[deleted]": text = "" }: ListParams): MaskPageQuery["deleted"] => {
  switch (text) {
    case "":
    case "without":
      return undefined;
    case "with":
      return "also";
    case "only":
      return "only";
    default:
      throw refuse("filter[deleted]", "The filter[deleted] must be with, without or only.");
  }
};

const searchLength = { least: 3, most: 50 };

const parseSearch = ({ "filter[search]": text = "" }: ListParams): string => {
  const { length } = Array.from(text.trim());
  if (length === 0 || (length >= searchLength.least && length <= searchLength.most)) return text.trim();
  throw refuse(
    "filter[search]",
    `The filter[search] must have ${searchLength.least} to ${searchLength.most} characters.`,
  );
};

const isOrder = (name: string): name is keyof typeof aliasOrders => Object.hasOwn(aliasOrders, name);

const parseSort = ({ sort: text = "" }: ListParams): MaskPageQuery["sort"] => {
  if (text === "") return undefined;
  const isDescending = text.startsWith("-");
  const name = isDescending ? text.slice(1) : text;
  if (isOrder(name)) return { by: aliasOrders[name], isDescending };
  throw refuse(
    "sort",
    `The sort must be one of ${Object.keys(aliasOrders).join(", ")}, with - before it or not.`,
  );
};

/** The query of a client; `domain` is the id of a domain or its name. */
export type AliasQuery = Omit<MaskPageQuery, "isCounted">;

/** Reads the parameters of a list; throws an error that names the first one that cannot be used. */
export const parseAliasQuery = (params: ListParams): AliasQuery => ({
  page: parseNumber(params, "page[number]", 1, maxPage),
  size: parseNumber(params, "page[size]", maxPageSize, maxPageSize),
  search: parseSearch(params),
  isActive: parseFlag(params, "filter[active]"),
  isPinned: parseFlag(params, "filter[pinned]"),
  deleted: parseDeleted(params),
  sort: parseSort(params),
  destinationId: params.recipient || undefined,
  domain: params.domain || undefined,
});

/** The number of pages around the present one that have links; `atEnds` of them at each end have too. */
const around = 3;
const atEnds = 2;

/** Returns the numbers of the pages that have links; null where some are left out. */
const linkedPages = (page: number, last: number): readonly (number | null)[] => {
  const near = Array.from({ length: 2 * around + 1 }, (_, n) => page - around + n);
  const ends = Array.from({ length: atEnds }, (_, n) => [n + 1, last - n]).flat();
  const numbers = [...new Set([...near, ...ends])]
    .filter((number) => number >= 1 && number <= last)
    .toSorted((one, other) => one - other);
  return numbers.flatMap((number, n) =>
    n > 0 && number - (numbers[n - 1] ?? 0) > 1 ? [null, number] : [number],
  );
};

export interface PageSource<A> {
  /** The address of the list, without a query. */
  readonly address: string;
  /** The query of the request, which the links keep. */
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: Pick<AliasQuery, "page" | "size">;
  readonly total: number;
  /** The content of this page. */
  readonly data: readonly A[];
}

/** Returns a page with links to the others. */
export const toPage = <A>({
  address,
  params,
  query: { page, size },
  total,
  data,
}: PageSource<A>): Page<A> => {
  const last = Math.max(1, Math.ceil(total / size));
  const urlOf = (number: number): string => {
    const given = Object.entries(params).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    );
    const query = new URLSearchParams(given);
    query.set("page[number]", String(number));
    return `${address}?${query}`;
  };
  const prev = page > 1 ? urlOf(page - 1) : null;
  const next = page < last ? urlOf(page + 1) : null;
  const from = (page - 1) * size + 1;
  return {
    data,
    links: { first: urlOf(1), last: urlOf(last), prev, next },
    meta: {
      current_page: page,
      from: data.length === 0 ? null : from,
      last_page: last,
      links: [
        { url: prev, label: "&laquo; Previous", active: false },
        ...linkedPages(page, last).map((number) =>
          number === null
            ? { url: null, label: "...", active: false }
            : { url: urlOf(number), label: String(number), active: number === page },
        ),
        { url: next, label: "Next &raquo;", active: false },
      ],
      path: address,
      per_page: size,
      to: data.length === 0 ? null : from + data.length - 1,
      total,
    },
  };
};
