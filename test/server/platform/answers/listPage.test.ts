import { expect } from "chai";
import type { Client } from "../../support/client.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

interface Paged {
  readonly path: string;
  readonly field: string;
  readonly more: string;
  readonly idOf: (entry: Record<string, unknown>) => string;
}

const count = 7;

describe("A long list", () => {
  onEachDatabase(({ database }) => {
    let server: TestServer;
    let owner: Client;
    let maskId: string;

    beforeEach(async () => {
      server = await startServer({
        store: {
          name: "lent",
          isAvailable: () => true,
          open: async () => ({ ...database(), close: async () => {} }),
        },
        defaultTier: "self_hosted",
      });
      owner = await server.signIn("owner@home.example");
      const made = await owner.call("POST", "/masks", { body: { description: "Kept" } });
      ({ id: maskId } = made.json as { id: string });
      for (let n = 0; n < count; n++) {
        const { json } = await owner.call("POST", "/masks", { body: { description: `Mask ${n}` } });
        await owner.call("DELETE", `/masks/${(json as { id: string }).id}`);
        await owner.call("POST", "/labels", { body: { name: `label ${n}` } });
        await owner.call("POST", `/masks/${maskId}/correspondents`, {
          body: { address: `writer${n}@shop.example` },
        });
        await owner.call("POST", "/destinations", { body: { email: `place${n}@home.example` } });
      }
    });
    afterEach(() => server.stop());

    const lists = (): readonly Paged[] => [
      { path: "/masks/trash", field: "masks", more: "isMore", idOf: ({ id }) => String(id) },
      { path: "/labels", field: "labels", more: "isMore", idOf: ({ name }) => String(name) },
      { path: "/destinations", field: "destinations", more: "isMore", idOf: ({ id }) => String(id) },
      {
        path: `/masks/${maskId}/correspondents`,
        field: "correspondents",
        more: "more",
        idOf: ({ id }) => String(id),
      },
    ];

    it("comes in parts that are together the whole, and is whole for a client that asks for no part", async () => {
      for (const { path, field, more, idOf } of lists()) {
        const read = async (query: string) => {
          const { status, json, text } = await owner.call("GET", `${path}${query}`);
          expect(status, text).to.equal(200);
          const answer = json as Record<string, unknown>;
          return {
            ids: (answer[field] as Record<string, unknown>[]).map(idOf),
            isMore: answer[more] === true,
          };
        };
        const whole = await read("");
        expect(whole.isMore, path).to.equal(false);
        expect(whole.ids.length, path).to.be.at.least(count);
        for (const limit of [1, 3, count, 100]) {
          const parts: string[] = [];
          for (let isMore = true; isMore; ) {
            const after = parts.length === 0 ? "" : `&after=${encodeURIComponent(parts.at(-1) ?? "")}`;
            const part = await read(`?limit=${limit}${after}`);
            expect(part.ids.length).to.be.at.most(limit);
            parts.push(...part.ids);
            ({ isMore } = part);
          }
          expect(parts, `${path} by ${limit}`).to.deep.equal(whole.ids);
        }
      }
    });

    it("refuses a number that is none, and an entry that is not there, with the field", async () => {
      for (const { path } of lists()) {
        for (const [query, field] of [
          ["limit=0", "limit"],
          ["limit=1001", "limit"],
          ["limit=x", "limit"],
          ["after=nothing", "after"],
        ]) {
          const { status, json } = await owner.call("GET", `${path}?${query}`);
          expect([status, (json as { errors: readonly { field: string }[] }).errors[0]?.field]).to.deep.equal(
            [400, field],
          );
        }
      }
    });
  });
});
