import { expect } from "chai";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import type { DomainList } from "../../../../core/domains/domainEndpoints.ts";
import { writeCsv } from "../../../../core/kernel/csv.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import { newId } from "../../../../server/platform/store/id.ts";
import { dataOf } from "../../support/accountData.ts";
import { bystander } from "../../support/bystander.ts";
import type { Client } from "../../support/client.ts";
import { addDomain } from "../../support/owners.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

const domain = "own.example";
const names = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `shop-${n}`);

const simpleLogin = (count: number): string =>
  writeCsv([
    ["alias", "note", "enabled", "mailboxes"],
    ...names(count).map((name, n) => [`${name}@${domain}`, `Shop ${n}`, "True", "ada@inbox.example"]),
  ]);

const addyColumns =
  "id,user_id,aliasable_id,aliasable_type,local_part,extension,domain,email,active,description,emails_forwarded,emails_blocked,emails_replied,emails_sent,last_forwarded,last_blocked,last_replied,last_sent,created_at,updated_at,deleted_at".split(
    ",",
  );
const addy = (count: number): string =>
  writeCsv([
    addyColumns,
    ...names(count).map((name, n) =>
      addyColumns.map((column) => {
        const cells: Readonly<Record<string, string>> = {
          id: String(n),
          local_part: name,
          domain,
          email: `${name}@${domain}`,
          active: "1",
          description: `Shop ${n}`,
        };
        return cells[column] ?? "";
      }),
    ),
  ]);

const relay = (count: number): string =>
  JSON.stringify(
    names(count).map((name, n) => ({
      id: n,
      full_address: `${name}@${domain}`,
      enabled: true,
      description: `Shop ${n}`,
      generated_for: "",
      used_on: "",
    })),
  );

describe("Moving in from another service with a domain of one's own", () => {
  let server: TestServer;
  let ada: Client;
  beforeEach(async () => {
    server = await startServer({ defaultTier: "self_hosted" });
    ada = await server.signIn("ada@home.example");
  });
  afterEach(() => server.stop());

  const prove = async (name = domain): Promise<void> => {
    const { id } = await server.database.db
      .selectFrom("users")
      .where("id", "!=", bystander.id)
      .select("id")
      .executeTakeFirstOrThrow();
    await addDomain(server.database.db, { id }, { id: newId(cryptoRandom) }, name);
  };
  const addresses = async (): Promise<readonly string[]> => {
    const { json } = await ada.call("GET", "/masks");
    return (json as { readonly masks: readonly Mask[] }).masks.map(({ maskEmail }) => maskEmail);
  };
  const statesOf = ({ imports }: Awaited<ReturnType<typeof dataOf>>) => {
    const { value } = imports.state$;
    return "rows" in value ? value.rows.map(({ state }) => state) : [];
  };
  const importAll = async (file: string) => {
    const data = await dataOf(ada);
    await data.imports.read(file)();
    await data.imports.run()();
    return data;
  };

  for (const [service, file] of [
    ["SimpleLogin", simpleLogin],
    ["addy.io", addy],
    ["Firefox Relay", relay],
  ] as const)
    it(`keeps the addresses of an export of ${service}`, async () => {
      await prove();
      await importAll(file(20));
      expect([...(await addresses())].sort()).to.deep.equal(
        names(20)
          .map((name) => `${name}@${domain}`)
          .sort(),
      );
    });

  it("keeps 2,000 addresses, asks their new destination to confirm once, and finds them all the second time", async () => {
    await prove();
    const first = await importAll(simpleLogin(2_000));
    expect(statesOf(first).every(({ kind }) => kind === "made")).to.equal(true);
    expect(await addresses()).to.have.lengthOf(2_000);
    expect(await server.mails("ada@inbox.example")).to.have.lengthOf(1);
    const again = await dataOf(ada);
    await again.imports.read(simpleLogin(2_000))();
    expect(new Set(statesOf(again).map((state) => "reason" in state && state.reason))).to.deep.equal(
      new Set(["You have this mask already."]),
    );
  });

  it("gives new addresses at the installation's domain while the domain is not proven", async () => {
    await importAll(simpleLogin(3));
    expect((await addresses()).every((address) => address.endsWith("@masks.test"))).to.equal(true);
  });

  it("says which address another mask has had, and goes on with the others", async () => {
    await prove();
    const body = { description: "Old", domain, localPart: "shop-1" };
    const { id } = (await ada.call("POST", "/masks", { body })).json as Mask;
    await ada.call("DELETE", `/masks/${id}`);
    const states = statesOf(await importAll(simpleLogin(3)));
    expect(states.map(({ kind }) => kind)).to.deep.equal(["made", "failed", "made"]);
    expect(states[1]).to.have.property("reason").that.contains("shop-1@own.example has been used before");
  });

  it("takes over the catch-all of an own export after its masks, and one that is chosen", async () => {
    await prove();
    await prove("second.example");
    const list = async () => ((await ada.call("GET", "/domains")).json as DomainList).domains;
    const [own] = (await list()).filter(({ name }) => name === domain);
    await ada.call("PATCH", `/domains/${own?.id}`, { body: { catchAll: "pattern", patterns: ["shop-*"] } });
    await ada.call("POST", "/masks", { body: { description: "A", domain, localPart: "a" } });
    await ada.call("POST", "/masks", {
      body: { description: "B", domain: "second.example", localPart: "b" },
    });
    const exported = await (await dataOf(ada)).content("exportAll");

    await server.stop();
    server = await startServer({ defaultTier: "self_hosted" });
    ada = await server.signIn("ada@home.example");
    await prove();
    await prove("second.example");
    const { imports } = await dataOf(ada);
    await imports.read(exported)();
    imports.chooseCatchAll("second.example", true);
    await imports.run()();
    expect((await list()).map(({ name, catchAll, patterns }) => [name, catchAll, patterns])).to.deep.equal([
      [domain, "pattern", ["shop-*"]],
      ["second.example", "all", []],
    ]);
    expect([...(await addresses())].sort()).to.deep.equal(["a@own.example", "b@second.example"]);
  });
});
