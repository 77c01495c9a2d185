import { expect } from "chai";
import fc from "fast-check";
import type { Mask } from "../../../../core/masks/mask.ts";
import { mergeRules } from "../../../../core/rules/model/mergeRules.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import { anyRules } from "../../../core/rules/anyRule.ts";
import { type Answer, type Client, copyClient } from "../../support/client.ts";
import { openSocket, settle } from "../../support/socketClient.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

const rule = (id: string, known: Partial<Rule> = {}): Rule => ({
  id,
  name: `Rule ${id}`,
  type: "content_filter",
  enabled: true,
  conditions: [{ field: "subject", operator: "contains", value: ["sale"] }],
  actions: [{ type: "tag", params: { tag: "Sale" } }],
  updatedAt: "2026-11-20T10:00:00.000Z",
  ...known,
});

for (const store of everyStore)
  describe(`The rules of a mask, on ${store.name}`, () => {
    let server: TestServer;
    let user: Client;
    let id: string;

    before(requireStore(store));
    beforeEach(async () => {
      server = await startServer({ store });
      user = await server.signIn("owner@example.org");
      const created = await user.call("POST", "/masks", { body: { description: "Shop" } });
      id = (created.json as Mask).id;
    });
    afterEach(() => server?.stop());

    it("can be sent with a new mask, and are validated like any others", async () => {
      const make = (rules: unknown) =>
        user.call("POST", "/masks", { body: { description: "Other", settings: { rules } } });
      const refused = await make([rule("a", { name: "" })]);
      expect(refused.status).to.equal(400);
      expect(refused.json).to.deep.include({ message: "Rule name is required" });
      const { status, json } = await make([rule("a")]);
      expect(status).to.equal(201);
      expect((json as Mask).settings?.rules).to.deep.equal([rule("a")]);
      const { id: other } = json as Mask;
      expect((await user.call("GET", `/masks/${other}`)).json).to.deep.equal(json);
    });

    const save = (
      rules: unknown,
      headers: Readonly<Record<string, string>> = {},
      client = user,
    ): Promise<Answer> => client.call("PUT", `/masks/${id}`, { body: { settings: { rules } }, headers });
    const rulesIn = ({ json }: Answer): readonly Rule[] => (json as Mask).settings?.rules as Rule[];
    const idsIn = (answer: Answer): readonly string[] => rulesIn(answer).map((one) => one.id);
    const etagIn = ({ headers }: Answer): string => headers.get("etag") ?? "";
    const look = (): Promise<Answer> => user.call("GET", `/masks/${id}`);

    it("are stored as they are sent, in their order, and answered with their version as ETag", async () => {
      const saved = await save([rule("b"), rule("a")]);
      expect(saved.status, saved.text).to.equal(200);
      expect(rulesIn(saved)).to.deep.equal([rule("b"), rule("a")]);
      expect(etagIn(saved)).to.match(/^"[\w-]{22}"$/);
      const looked = await look();
      expect(idsIn(looked)).to.deep.equal(["b", "a"]);
      expect(etagIn(looked)).to.equal(etagIn(saved));
    });

    it("are replaced by a save without If-Match", async () => {
      await save([rule("a"), rule("b")]);
      expect(idsIn(await save([rule("c")]))).to.deep.equal(["c"]);
    });

    it("keep the changes that two devices have made to the same list (D43)", async () => {
      const start = etagIn(await save([rule("a"), rule("b")]));
      const other = copyClient(server.origin, user);
      const phone = await save([rule("a"), rule("b"), rule("phone")], { "if-match": start });
      const desk = await save(
        [rule("a", { name: "Renamed", updatedAt: "2026-11-20T11:00:00.000Z" })],
        { "if-match": start },
        other,
      );
      expect(idsIn(phone)).to.deep.equal(["a", "b", "phone"]);
      expect(idsIn(desk)).to.deep.equal(["a", "phone"]);
      expect(rulesIn(desk)[0]?.name).to.equal("Renamed");
    });

    it("lose nothing to a save from a version that is no longer stored", async () => {
      await save([rule("a")]);
      expect(idsIn(await save([rule("b")], { "if-match": '"forgotten"' }))).to.have.members(["a", "b"]);
    });

    it("lose nothing to an If-Match that cannot be parsed, and are replaced by one that matches any", async () => {
      await save([rule("a")]);
      for (const odd of ["a", '"a", "b"', '""', "W/"]) {
        const { status, ...saved } = await save([rule("b")], { "if-match": odd });
        expect([status, idsIn({ status, ...saved }).length], odd).to.deep.equal([200, 2]);
      }
      expect(idsIn(await save([rule("c")], { "if-match": "*" }))).to.deep.equal(["c"]);
    });

    it("are equal to the app's own merge, for any order of saves from any version", async () => {
      const anySave = fc.record({ base: fc.nat(5), rules: anyRules(5) });
      await fc.assert(
        fc.asyncProperty(fc.array(anySave, { minLength: 1, maxLength: 6 }), async (saves) => {
          const first = await save([]);
          const versions = [{ etag: etagIn(first), rules: rulesIn(first) }];
          for (const one of saves) {
            const [current, base] = [versions.at(-1), versions[one.base % versions.length]];
            if (!current || !base) throw new Error("there is a first version");
            const saved = await save(one.rules, { "if-match": base.etag });
            expect(saved.status, saved.text).to.equal(200);
            expect(rulesIn(saved)).to.deep.equal(mergeRules(base.rules, one.rules, current.rules));
            versions.push({ etag: etagIn(saved), rules: rulesIn(saved) });
          }
          expect(rulesIn(await look())).to.deep.equal(versions.at(-1)?.rules);
        }),
        { numRuns: 25 },
      );
    });

    it("lose nothing when twenty saves arrive in parallel", async () => {
      const start = etagIn(await save([]));
      const names = Array.from({ length: 20 }, (_, n) => `rule_${n}`);
      const answers = await Promise.all(names.map((name) => save([rule(name)], { "if-match": start })));
      expect(answers.map(({ status }) => status)).to.deep.equal(names.map(() => 200));
      expect(idsIn(await look())).to.have.members(names);
    });

    it("are saved once, however often the same request is repeated, and answered with the same ETag", async () => {
      const start = etagIn(await save([rule("a")]));
      const headers = { "if-match": start, "x-request-id": "the-same" };
      const first = await save([rule("a"), rule("b")], headers);
      await save([rule("c")]);
      const again = await save([rule("a"), rule("b")], headers);
      expect(etagIn(again)).to.equal(etagIn(first));
      expect(idsIn(await look())).to.deep.equal(["c"]);
    });

    it("get an id when they have none", async () => {
      const { id: _, ...nameless } = rule("x");
      expect(idsIn(await save([nameless]))[0]).to.match(/^rule_\d+_\d{1,3}$/);
    });

    const refusals: readonly (readonly [string, unknown, string])[] = [
      ["no name", [rule("a", { name: "" })], "Rule name is required"],
      ["no conditions", [rule("a", { conditions: [] })], "At least one valid condition is required"],
      ["no actions", [rule("a", { actions: [] })], "At least one valid action is required"],
      [
        "101 rules",
        Array.from({ length: 101 }, (_, n) => rule(`r${n}`)),
        "A mask can have at most 100 rules. Remove one to add another.",
      ],
      [
        "21 conditions in a rule",
        [rule("a", { conditions: Array(21).fill(rule("a").conditions[0]) })],
        "A rule can have at most 20 conditions. Remove one, or create a second rule.",
      ],
      [
        "11 actions in a rule",
        [rule("a", { actions: Array(11).fill(rule("a").actions[0]) })],
        "A rule can have at most 10 actions. Remove one, or create a second rule.",
      ],
      [
        "21 expressions in total",
        Array.from({ length: 21 }, (_, n) =>
          rule(`r${n}`, { conditions: [{ field: "subject", operator: "matches_regex", value: "a+" }] }),
        ),
        "A mask can have at most 20 conditions with a regular expression",
      ],
      ["two rules with the same id", [rule("a"), rule("a")], "Two rules have the same id"],
      [
        "an invalid expression",
        [rule("a", { conditions: [{ field: "subject", operator: "matches_regex", value: "(" }] })],
        "This regular expression cannot be used: missing closing ): `(`",
      ],
    ];
    for (const [what, rules, sentence] of refusals)
      it(`are refused with ${what}, and the stored ones stay`, async () => {
        await save([rule("kept")]);
        const { status, json } = await save(rules);
        expect(status).to.equal(400);
        expect(json).to.have.property("message", sentence);
        expect(idsIn(await look())).to.deep.equal(["kept"]);
      });

    it("are limited to 100 after a merge, too", async () => {
      const start = etagIn(await save(Array.from({ length: 60 }, (_, n) => rule(`base_${n}`))));
      const base = rulesIn(await look());
      const more = (name: string) => Array.from({ length: 30 }, (_, n) => rule(`${name}_${n}`));
      await save([...base, ...more("one")], { "if-match": start });
      const { status } = await save([...base, ...more("other")], { "if-match": start });
      expect(status).to.equal(400);
      expect(idsIn(await look())).to.have.length(90);
    });

    it("request the confirmation of an address that they forward to, once", async () => {
      const forwards = [
        rule("a", {
          actions: [
            { type: "forward", params: { email: "work@example.net", immediate: true, daily: false } },
          ],
        }),
      ];
      await save(forwards);
      await save([...forwards, rule("b")]);
      expect(await server.mails("work@example.net")).to.have.length(1);
    });

    it("request it again when a rule that names an unconfirmed address is edited later, and not when other rules are", async () => {
      const forward = (name: string) =>
        rule("a", {
          name,
          actions: [
            { type: "forward", params: { email: "work@example.net", immediate: true, daily: false } },
          ],
        });
      await save([forward("First")]);
      server.clock.advance(11 * 60_000);
      await save([forward("First"), rule("b")]);
      expect(await server.mails("work@example.net")).to.have.length(1);
      await save([forward("Second"), rule("b")]);
      expect(await server.mails("work@example.net")).to.have.length(2);
    });

    it("cannot request more than ten new addresses a day, and are not saved then", async () => {
      const forwards = Array.from({ length: 11 }, (_, n) =>
        rule(`r${n}`, {
          actions: [
            { type: "forward", params: { email: `work${n}@example.net`, immediate: true, daily: false } },
          ],
        }),
      );
      expect((await save(forwards)).status).to.equal(429);
      expect(idsIn(await look())).to.deep.equal([]);
      expect((await save(forwards.slice(1))).status).to.equal(200);
    });

    it("are announced to the sockets that follow them", async () => {
      const socket = await openSocket(server.origin, user);
      socket.send("subscribe", { resource: "rules", resourceId: id });
      await settle(socket);
      await save([rule("a")]);
      const { data } = await socket.waitFor(
        ({ type, data }) => type === "data_update" && data?.["resource"] === "rules",
      );
      const { json: entity } = await user.call("GET", `/masks/${id}`);
      expect(data).to.deep.equal({ resource: "rules", resourceId: id, action: "updated", entity });
      socket.send("sync_request", { resource: "rules", resourceId: id, requestId: "in-step" });
      const done = await socket.waitFor(({ data }) => data?.["requestId"] === "in-step");
      expect(done).to.deep.include({
        type: "sync_complete",
        data: { success: true, resource: "rules", requestId: "in-step" },
      });
      socket.socket.terminate();
    });

    it("of another user answer 404", async () => {
      const stranger = await server.signIn("stranger@example.org");
      const { status, json } = await save([rule("a")], {}, stranger);
      expect(status).to.equal(404);
      expect(json).to.deep.equal({ message: "Mask not found" });
    });
  });
