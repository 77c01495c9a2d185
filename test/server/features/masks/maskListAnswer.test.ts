import { expect } from "chai";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import type { Client } from "../../support/client.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { setTier } from "../../support/tier.ts";

/** Copies a mask; each copy is switched off, and a second older than the one before. */
const copyMask = async ({ database: { db } }: TestServer, id: string, copies: number): Promise<void> => {
  const mask = await db.selectFrom("masks").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const counts = await db
    .selectFrom("mask_statistics")
    .selectAll()
    .where("mask_id", "=", id)
    .executeTakeFirstOrThrow();
  await db.transaction().execute(async (tx) => {
    for (let n = 1; n <= copies; n += 1) {
      const copy = {
        id: `${id.slice(0, -4)}${String(n).padStart(4, "0")}`,
        email: `m${n}.${mask.email}`,
        created_at: mask.created_at - n * 1_000,
      };
      await tx
        .insertInto("masks")
        .values({ ...mask, ...copy, active: 0 })
        .execute();
      await tx
        .insertInto("mask_addresses")
        .values({ email_key: mailboxKey(copy.email), mask_id: copy.id, created_at: copy.created_at })
        .execute();
      await tx
        .insertInto("mask_statistics")
        .values({ ...counts, mask_id: copy.id })
        .execute();
    }
  });
};

describe("The answer with all masks", () => {
  let server: TestServer;
  let user: Client;
  before(async () => {
    server = await startServer();
    user = await server.signIn("list@example.org");
    await setTier(server.database, "list@example.org", "pro");
  });
  after(() => server.stop());

  const create = async (description: string): Promise<Mask> =>
    (await user.call("POST", "/masks", { body: { description } })).json as Mask;
  const list = (headers: Readonly<Record<string, string>> = {}) => user.call("GET", "/masks", { headers });
  const tagOf = async (): Promise<string> => (await list()).headers.get("etag") ?? "";

  it("is 304 to a client that has the current list, until a mask changes, is created or is deleted", async () => {
    const mask = await create("Shop");
    const first = await tagOf();
    expect(first).to.match(/^W\/"[\w-]{22}"$/);
    expect((await list({ "if-none-match": first })).status).to.equal(304);
    await user.call("PUT", `/masks/${mask.id}`, { body: { description: "Bookshop" } });
    const changed = await list({ "if-none-match": first });
    expect(changed.status).to.equal(200);
    expect((changed.json as { masks: Mask[] }).masks[0]?.description).to.equal("Bookshop");
    const tags = [first, await tagOf()];
    const second = await create("Club");
    tags.push(await tagOf());
    await user.call("DELETE", `/masks/${second.id}`);
    expect(await tagOf(), "the list is what it was").to.equal(tags[1]);
    expect(new Set(tags).size).to.equal(3);
  });

  it("shows each mask as GET /masks/{id} does, after every change", async () => {
    for (const edit of [
      { active: false },
      { settings: { spamFilter: true } },
      { description: "Again" },
      { labels: ["Shops"], note: "By post", customPrefix: null },
      { senders: { mode: "listed", allow: ["shop.example"], block: ["ads@shop.example"] } },
      // biome-ignore lint/suspicious/noThenProperty: the contract's name
      { expiry: { idleDays: 30, mails: 5, then: "hold" } },
    ]) {
      const [mask] = ((await list()).json as { masks: Mask[] }).masks;
      await user.call("PUT", `/masks/${mask?.id}`, { body: edit });
      const [after] = ((await list()).json as { masks: Mask[] }).masks;
      expect(after).to.deep.equal((await user.call("GET", `/masks/${mask?.id}`)).json);
      expect(after).to.not.deep.equal(mask);
    }
  });

  it("is what a page of all masks shows after every change, of which only the changed masks are read again", async () => {
    const keeper = await server.signIn("keeper@example.org");
    await setTier(server.database, "keeper@example.org", "pro");
    const ids: string[] = [];
    const make = async (): Promise<void> => {
      const { json } = await keeper.call("POST", "/masks", { body: { description: `Shop ${ids.length}` } });
      ids.unshift((json as Mask).id);
    };
    const change = (kind: object) => keeper.call("POST", "/masks/bulk", { body: { ids, change: kind } });
    for (let n = 0; n < 20; n += 1) await make();
    for (const act of [
      make,
      () => keeper.call("PUT", `/masks/${ids[10]}`, { body: { description: "Bookshop", labels: ["Books"] } }),
      () => Promise.all([1, 2, 15].map((n) => keeper.call("DELETE", `/masks/${ids[n]}`))),
      () => keeper.call("POST", `/masks/${ids[15]}/restore`),
      () => keeper.call("PATCH", "/labels/Books", { body: { name: "Novels" } }),
      () => change({ kind: "switch", active: false }),
      () => change({ kind: "label", add: ["Shops"], remove: [] }),
      () =>
        Promise.all(ids.slice(12).map((id) => keeper.call("PUT", `/masks/${id}`, { body: { note: id } }))),
    ]) {
      const before = (await keeper.call("GET", "/masks")).text;
      await act();
      const { text } = await keeper.call("GET", "/masks");
      expect(text).to.not.equal(before);
      expect(text).to.equal((await keeper.call("GET", "/masks?limit=1000")).text);
    }
  });

  it("is complete and in order when it is long, after every change, and the same compressed", async () => {
    const collector = await server.signIn("collector@example.org");
    await setTier(server.database, "collector@example.org", "pro");
    const { json } = await collector.call("POST", "/masks", { body: { description: "Shop" } });
    await copyMask(server, (json as Mask).id, 600);
    const whole = async (encoding: string): Promise<string> => {
      const { text } = await collector.call("GET", "/masks", { headers: { "accept-encoding": encoding } });
      return text;
    };
    const ids = (JSON.parse(await whole("gzip")) as { masks: Mask[] }).masks.map(({ id }) => id);
    expect(ids).to.have.length(601);
    for (const act of [
      () => collector.call("POST", "/masks", { body: { description: "The newest" } }),
      () => collector.call("PUT", `/masks/${ids[600]}`, { body: { description: "The oldest" } }),
      () =>
        collector.call("POST", "/masks/bulk", {
          body: { ids: ids.slice(290, 310), change: { kind: "delete" } },
        }),
      () => collector.call("POST", `/masks/${ids[300]}/restore`),
      () => collector.call("PUT", `/masks/${ids[300]}`, { body: { description: "Bücher €" } }),
    ]) {
      const before = await whole("gzip");
      await act();
      const after = await whole("gzip");
      expect(after).to.not.equal(before);
      expect(after).to.equal(await whole("identity"));
      expect(after, "as it is read at once").to.equal(
        (await collector.call("GET", "/masks?limit=1000")).text,
      );
    }
  });

  it("names the state of the list before and after each part, so that a client knows the parts for one list", async () => {
    const reader = await server.signIn("reader@example.org");
    await setTier(server.database, "reader@example.org", "pro");
    const { json } = await reader.call("POST", "/masks", { body: { description: "Shop" } });
    await copyMask(server, (json as Mask).id, 600);
    interface Part {
      readonly masks: readonly Mask[];
      readonly isMore?: true;
      readonly follows?: string;
      readonly version?: string;
    }
    const read = async (query: string): Promise<Part> =>
      (await reader.call("GET", `/masks${query}`)).json as Part;
    const readParts = async (between: (last: string) => Promise<unknown>): Promise<readonly Part[]> => {
      const parts = [await read("?limit=250")];
      for (let last = parts[0]; last?.isMore; last = parts.at(-1)) {
        const after = last.masks.at(-1)?.id ?? "";
        await between(after);
        parts.push(await read(`?limit=250&after=${after}`));
      }
      return parts;
    };
    const areOne = (parts: readonly Part[]): readonly boolean[] =>
      parts.slice(1).map(({ follows }, n) => follows !== undefined && follows === parts[n]?.version);
    const quiet = await readParts(async () => undefined);
    expect(areOne(quiet)).to.deep.equal([true, true]);
    const whole = await read("");
    expect(quiet.at(-1)?.version, "the state of all of them").to.equal(whole.version);
    expect(quiet.flatMap(({ masks }) => masks)).to.deep.equal(whole.masks);
    let edits = 0;
    const edit = (id: string) => {
      edits += 1;
      return reader.call("PUT", `/masks/${id}`, { body: { description: `Edited ${edits}` } });
    };
    expect(areOne(await readParts(edit)), "a change of what was read").to.deep.equal([false, false]);
    const oldest = whole.masks.at(-1)?.id ?? "";
    expect(areOne(await readParts(() => edit(oldest))), "a change of what follows").to.deep.equal([
      true,
      true,
    ]);
    expect((await read("")).masks.at(-1)?.description).to.equal(`Edited ${edits}`);
  });

  it("comes in another order and of a search alone, in pages too", async () => {
    const searcher = await server.signIn("search@example.org");
    await setTier(server.database, "search@example.org", "pro");
    for (const [description, labels] of [
      ["Zürich", ["trips"]],
      ["athens", ["trips"]],
      ["Bank", []],
    ] as const)
      await searcher.call("POST", "/masks", { body: { description, labels } });
    const names = async (query: string): Promise<string> => {
      const { masks, isMore } = (await searcher.call("GET", `/masks?${query}`)).json as {
        masks: Mask[];
        isMore?: true;
      };
      return masks.map(({ description }) => description).join(" ") + (isMore ? " …" : "");
    };
    expect(await names("sort=name")).to.equal("athens Bank Zürich");
    expect(await names("q=zurich")).to.equal("Zürich");
    expect(await names("q=label:trips&sort=name")).to.equal("athens Zürich");
    expect(await names("q=label:trips&limit=1")).to.equal("athens …");
    const { masks } = (await searcher.call("GET", "/masks?q=label:trips&limit=1")).json as { masks: Mask[] };
    expect(await names(`q=label:trips&limit=1&after=${masks[0]?.id}`)).to.equal("Zürich");
    await searcher.call("PUT", `/masks/${masks[0]?.id}`, { body: { labels: [] } });
    expect(await names("q=label:trips"), "a change is seen at once").to.equal("Zürich");
    for (const wrong of ["sort=color", `q=${"x".repeat(501)}`, "q=a&limit=0", "q=a&after=gone"])
      expect((await searcher.call("GET", `/masks?${wrong}`)).status, wrong).to.equal(400);
  });

  it("comes in pages, newest first, without a gap or a repetition", async () => {
    for (let n = 0; n < 7; n += 1) await create(`Page ${n}`);
    const { masks: all } = (await list()).json as { masks: Mask[] };
    for (const limit of [1, 3, all.length - 1, all.length, 1_000]) {
      const seen: string[] = [];
      for (let after = ""; ; after = `&after=${seen.at(-1)}`) {
        const page = (await user.call("GET", `/masks?limit=${limit}${after}`)).json as {
          masks: Mask[];
          isMore?: true;
        };
        seen.push(...page.masks.map(({ id }) => id));
        expect(page.masks.length).to.equal(page.isMore ? limit : page.masks.length);
        if (!page.isMore) break;
      }
      expect(seen, `${limit} on a page`).to.deep.equal(all.map(({ id }) => id));
    }
  });

  it("is 400 for a page that does not exist, also after another user's mask", async () => {
    const stranger = await server.signIn("stranger@example.org");
    const foreign = (await stranger.call("POST", "/masks", { body: { description: "Foreign" } }))
      .json as Mask;
    for (const query of ["limit=0", "limit=1001", "limit=x", "after=x", `after=${foreign.id}`]) {
      const { status, json } = await user.call("GET", `/masks?${query}`);
      expect(status, query).to.equal(400);
      expect((json as { errors: { field: string }[] }).errors[0]?.field).to.equal(query.split("=")[0]);
    }
  });
});
