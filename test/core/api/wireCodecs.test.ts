import { expect } from "chai";
import fc from "fast-check";
import * as E from "fp-ts/lib/Either.js";
import * as t from "io-ts";
import { leftOutOf, leftOutOfAnswer } from "../../../core/api/leftOut.ts";
import { asReceived, leftOutText, readableList, ShownText, Timestamp } from "../../../core/api/wireCodecs.ts";

describe("Decoded server data", () => {
  it("has times within the range of dates", () => {
    for (const ms of [0, 1_795_000_000_000, 8.64e15]) expect(E.isRight(Timestamp.decode(ms))).to.equal(true);
    for (const ms of [-1, 8.64e15 + 1, 1e18, Number.NaN, Number.POSITIVE_INFINITY, "1"])
      expect(E.isRight(Timestamp.decode(ms)), String(ms)).to.equal(false);
  });

  it("has texts of at most 10,000 characters", () => {
    expect(E.isRight(ShownText.decode("x".repeat(10_000)))).to.equal(true);
    expect(E.isRight(ShownText.decode("x".repeat(10_001)))).to.equal(false);
  });

  it("keeps every readable entry of a list in its order, and counts the unreadable ones", () => {
    const list = readableList(t.type({ id: t.string }));
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.record({ id: fc.string() }), fc.anything())), (entries) => {
        const decoded = list.decode(entries);
        const readable = entries.filter((one) => E.isRight(t.type({ id: t.string }).decode(one)));
        expect(E.isRight(decoded) && [...decoded.right]).to.deep.equal(readable);
        expect(E.isRight(decoded) && leftOutOf(decoded.right).length).to.equal(
          entries.length - readable.length,
        );
      }),
    );
    expect(E.isLeft(list.decode({}))).to.equal(true);
  });

  it("names the fields that were left out, without their values", () => {
    const decoded = t.type({ masks: readableList(t.type({ id: t.string })) }).decode({ masks: [{ id: 7 }] });
    expect(E.isRight(decoded) && leftOutOfAnswer(decoded.right)).to.deep.equal(["id: Expected string"]);
    expect(leftOutText(0, "mask")).to.equal("");
    expect(leftOutText(1, "mask")).to.equal("1 mask could not be shown.");
    expect(leftOutText(2, "mask")).to.equal("2 masks could not be shown.");
  });

  it("decodes what is only checked like what is decoded, to the very same value or with the same errors", () => {
    const codec = t.intersection([
      t.type({ id: ShownText }),
      t.partial({
        active: t.boolean,
        counts: t.record(t.string, t.number),
        note: t.union([t.string, t.null]),
      }),
    ]);
    const entry = fc.record(
      {
        id: fc.string(),
        active: fc.boolean(),
        counts: fc.dictionary(fc.string(), fc.integer()),
        other: fc.anything(),
      },
      { requiredKeys: ["id"] },
    );
    fc.assert(
      fc.property(
        fc.oneof(entry, fc.record({ id: fc.anything(), active: fc.anything() }), fc.anything()),
        (value) => {
          const [one, other] = [asReceived(codec).decode(value), codec.decode(value)];
          expect(one._tag).to.equal(other._tag);
          if (E.isRight(one) && E.isRight(other)) expect(one.right).to.equal(other.right);
          if (E.isLeft(one) && E.isLeft(other)) expect(one.left.length).to.equal(other.left.length);
        },
      ),
    );
  });
});
