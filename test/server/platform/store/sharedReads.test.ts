import { expect } from "chai";
import { createSharedReads } from "../../../../server/platform/store/sharedReads.ts";
import { usePostgresql } from "../../support/databases.ts";
import { addOwner, type Owner } from "../../support/owners.ts";

const query = "select email, $1 as asked from users where id = $1";

describe("Reads that share a query", () => {
  const { database } = usePostgresql();
  let owners: readonly Owner[];
  /** How many parameters each query had. */
  let queries: number[];
  let readShared: ReturnType<typeof createSharedReads>;

  beforeEach(async () => {
    owners = [await addOwner(database().db), await addOwner(database().db), await addOwner(database().db)];
    queries = [];
    readShared = createSharedReads((text, values) => {
      const [value = ""] = values;
      queries.push(text === query ? 1 : (JSON.parse(value) as readonly unknown[]).length);
      return database().engine.read(text, values);
    });
  });

  const read = (key: string) => readShared(query, [key]);
  const ids = (): readonly string[] => owners.map(({ id }) => id);

  it("each get their own rows", async () => {
    const [one = "", two = "", three = ""] = ids();
    const found = await Promise.all([two, "nobody", one, two, three].map(read));
    const row = (n: number) => [{ email: owners[n]?.email, asked: ids()[n] }];
    expect(found).to.deep.equal([row(1), [], row(0), row(1), row(2)]);
    expect(queries).to.deep.equal([4]);
  });

  it("of one key alone are the query as it is", async () => {
    const [one = ""] = ids();
    expect(await read(one)).to.deep.equal([{ email: owners[0]?.email, asked: one }]);
    expect(queries).to.deep.equal([1]);
  });

  it("may have several keys, none of which is taken for another", async () => {
    const [one = ""] = ids();
    const text = "select email from users where id = $2 and email = $1";
    const [email = ""] = owners.map((owner) => owner.email);
    const found = await Promise.all([
      readShared(text, [email, one]),
      readShared(text, [one, email]),
      readShared(text, [email, "nobody"]),
    ]);
    expect(found).to.deep.equal([[{ email }], [], []]);
  });

  it("see what was committed while an earlier query ran", async () => {
    const [one = ""] = ids();
    const earlier = read(one);
    await new Promise((resolve) => setImmediate(resolve));
    await database()
      .db.updateTable("users")
      .set({ email: "new@real.example" })
      .where("id", "=", one)
      .execute();
    const [row] = await read(one);
    expect(row).to.include({ email: "new@real.example" });
    await earlier;
  });

  it("fail alone when the database refuses their key", async () => {
    const [one = ""] = ids();
    const [right, wrong] = await Promise.allSettled([read(one), read("\u0000")]);
    expect(right.status).to.equal("fulfilled");
    expect(wrong.status).to.equal("rejected");
  });

  it("take at most 64 keys at once", async () => {
    const found = await Promise.all(Array.from({ length: 70 }, (_, n) => read(`nobody ${n}`)));
    expect(found.every((rows) => rows.length === 0)).to.equal(true);
    expect(queries).to.deep.equal([64, 6]);
  });
});
