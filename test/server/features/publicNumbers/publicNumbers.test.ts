import { expect } from "chai";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import { entitiesOf, entityOf, numbersOf } from "../../../../server/features/publicNumbers/publicNumbers.ts";
import type { Database } from "../../../../server/platform/store/database.ts";
import { insertUser } from "../../../../server/platform/store/users.ts";
import { bystander } from "../../support/bystander.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

for (const store of everyStore)
  describe(`The numbers of a user's things, with ${store.name}`, () => {
    let database: Database;

    before(requireStore(store));
    beforeEach(async () => {
      database = await store.open();
      for (const id of ["a", "b"])
        await insertUser(database.db, {
          id,
          email: `${id}@home.example`,
          emailKey: mailboxKey(`${id}@home.example`),
          tier: "free",
          isOperator: false,
          now: 0,
        });
    });
    afterEach(() => database.close());

    const own = { userId: "a", kind: "mask" } as const;

    it("stay the same, and differ from each other", async () => {
      const { db } = database;
      const first = await numbersOf(db, own, ["x", "y", "x"]);
      expect(first("x")).to.not.equal(first("y"));
      const second = await numbersOf(db, own, ["y", "z", "x"]);
      expect([second("x"), second("y")]).to.deep.equal([first("x"), first("y")]);
      expect(second("z")).to.be.greaterThan(Math.max(first("x"), first("y")));
      expect(await numbersOf(db, own, [])).to.be.a("function");
    });

    it("are the same in answers to calls at the same time", async () => {
      const all = await Promise.all(Array.from({ length: 5 }, () => numbersOf(database.db, own, ["x", "y"])));
      expect(new Set(all.map((of) => `${of("x")} ${of("y")}`)).size).to.equal(1);
    });

    it("lead back to the thing of their owner alone, and of their kind alone", async () => {
      const { db } = database;
      const number = (await numbersOf(db, own, ["x"]))("x");
      expect(await entityOf(db, own, String(number))).to.equal("x");
      expect(await entityOf(db, { ...own, userId: "b" }, String(number))).to.equal(undefined);
      expect(await entityOf(db, { ...own, kind: "destination" }, number)).to.equal(undefined);
      expect([...(await entitiesOf(db, own, [number, number + 1]))]).to.deep.equal([[number, "x"]]);
    });

    it("are not found for what is no number", async () => {
      for (const text of [
        "",
        "x",
        "0",
        "-1",
        "1.5",
        "99999999999999999999",
        "9999999999",
        Number.NaN,
        2 ** 40,
      ])
        expect(await entityOf(database.db, own, text)).to.equal(undefined);
    });

    it("are counted by user from 1 on, so that they tell nothing of others, and never given again", async () => {
      const { db } = database;
      const first = await numbersOf(db, own, ["x", "y"]);
      expect([first("x"), first("y")]).to.have.members([1, 2]);
      const destination = await numbersOf(db, { ...own, kind: "destination" }, ["x"]);
      expect(destination("x"), "of another kind").to.equal(3);
      const others = await numbersOf(db, { userId: "b", kind: "mask" }, ["x", "z"]);
      expect([others("x"), others("z")]).to.have.members([1, 2]);
      expect(await entityOf(db, { userId: "b", kind: "mask" }, 3)).to.equal(undefined);
      await db.deleteFrom("users").where("id", "=", "a").execute();
      const left = await db
        .selectFrom("public_numbers")
        .where("user_id", "!=", bystander.id)
        .select("user_id")
        .execute();
      expect(left).to.deep.equal([{ user_id: "b" }, { user_id: "b" }]);
    });

    it("are all different where many calls give them at the same time", async () => {
      const all = await Promise.all(
        Array.from({ length: 6 }, (_, n) => numbersOf(database.db, own, [`x${n}`, `y${n}`])),
      );
      const numbers = all.flatMap((of, n) => [of(`x${n}`), of(`y${n}`)]);
      expect(new Set(numbers).size).to.equal(12);
    });
  });
