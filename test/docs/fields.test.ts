import { readFileSync } from "node:fs";
import { expect } from "chai";
import {
  type FieldTreatment,
  registeredFields,
  treatmentOf,
  unregisteredFields,
} from "../../server/delivery/fieldTreatments.ts";

const rowOf: Readonly<Record<FieldTreatment, string>> = {
  kept: "Kept",
  mailboxes: "Written anew with reverse addresses, if it has addresses of others",
  links: "Written anew with reverse addresses, if it has `mailto:` links",
  ids: "Written anew with the ids of your side",
  subject: "Written anew if a rule or the check of the sender changes it",
  unsubscribe: "Written anew where a list is left through the mask",
  results: "Renamed if it claims to be from this server",
  ours: "Renamed, because only this server writes it",
  renamed: "Renamed",
};

const namesIn = (cell: string): readonly string[] =>
  Array.from(cell.matchAll(/`([^`…]+)`/g), ([, name = ""]) => name);

describe("The table of all header fields", () => {
  const page = readFileSync(new URL("../../docs/forwarding.md", import.meta.url), "utf8");
  const [section = ""] = page.split("## Every field\n")[1]?.split("\n## ") ?? [];
  const rows = new Map(
    section
      .split("\n")
      .filter((line) => line.startsWith("| "))
      .map((line) => line.split(" | "))
      .map(([what = "", registered = "", others = ""]) => [what.slice(2), [registered, others]]),
  );
  const treatments = Object.keys(rowOf) as readonly FieldTreatment[];

  it("says in the documentation what the relay does", () => {
    for (const treatment of treatments) {
      const [registered = "", others = ""] = rows.get(rowOf[treatment]) ?? [];
      expect(namesIn(registered), treatment).to.deep.equal(registeredFields[treatment]);
      expect(namesIn(others), treatment).to.deep.equal(unregisteredFields[treatment]);
    }
    expect(rows.size).to.equal(treatments.length + 1);
  });

  it("has each field once", () => {
    const names = [registeredFields, unregisteredFields]
      .flatMap((table) => treatments.flatMap((treatment) => table[treatment]))
      .map((name) => name.toLowerCase());
    expect(new Set(names).size).to.equal(names.length);
    expect(names.length).to.be.above(190);
  });

  it("is completed by what a field that is in no table says", () => {
    const treat = (name: string, value = ""): FieldTreatment => treatmentOf(name.toLowerCase(), () => value);
    for (const name of ["X-Mailer", "Feedback-ID", "Autocrypt", "X-Entity-Ref-ID", "X-Complaints-To"])
      expect(treat(name, "0.1.2"), name).to.equal("kept");
    for (const name of ["X-Read-Receipt", "X-Confirm-Something", "X-Acknowledge", "x-bauta-anything"])
      expect(treat(name), name).not.to.equal("kept");
    for (const name of ["X-Complaints-To", "X-Followup", "X-Some-Reply-Address", "X-Unsubscribe"])
      expect(treat(name, "list@lists.example"), name).to.equal("renamed");
    expect(treat("X-Anything", "<MailTo:a%40b.example>")).to.equal("renamed");
  });
});
