import type { Domain } from "../../../../core/domains/domain.ts";
import type { Zone } from "../../support/dnsStub.ts";

/** Returns the zone of a domain whose owner has made the records that the product shows, all or those of some purposes. */
export const zoneOf = ({ records }: Domain, purposes?: readonly string[]): Zone => {
  const made = records.filter(({ purpose }) => purposes?.includes(purpose) ?? true);
  const of = (name: string, type: "TXT" | "MX"): readonly string[] =>
    made.filter((record) => record.name === name && record.type === type).map(({ value }) => value);
  return Object.fromEntries(
    made.map(({ name }) => [name, { TXT: of(name, "TXT"), MX: of(name, "MX") }] as const),
  );
};
