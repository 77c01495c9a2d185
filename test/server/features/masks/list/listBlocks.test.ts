import { expect } from "chai";
import fc from "fast-check";
import {
  changeBlocks,
  type ListBlock,
  toBlocks,
} from "../../../../../server/features/masks/list/listBlocks.ts";
import type { ListedMask } from "../../../../../server/features/masks/list/listedMask.ts";

/** A mask of the list; those that end a block are few, as in a real one. */
const maskOf = (age: number, text: string): ListedMask => ({
  id: `mask-${age % 3}-${age}`,
  created_at: 1_000 - Math.floor(age / 2),
  text: JSON.stringify(text),
  endsBlock: age % 5 === 0,
});

const newestFirst = (one: ListedMask, other: ListedMask): number =>
  other.created_at - one.created_at || (other.id > one.id ? 1 : -1);

const listOf = (masks: ReadonlyMap<number, string>): readonly ListedMask[] =>
  [...masks].map(([age, text]) => maskOf(age, text)).toSorted(newestFirst);

const textsOf = (blocks: readonly ListBlock[]): readonly string[] =>
  blocks.map(({ part }) => part.plain.toString());

describe("A change of a list of masks", () => {
  const age = fc.integer({ min: 0, max: 60 });
  const list = fc.array(age, { maxLength: 40 });
  const changes = fc.array(fc.tuple(age, fc.constantFrom("edited", "again", null)), { maxLength: 12 });

  it("leaves the same blocks as dividing the changed list", () => {
    fc.assert(
      fc.property(list, changes, (ages, given) => {
        const masks = new Map(ages.map((each) => [each, "as it was"]));
        const before = toBlocks(listOf(masks));
        const changed = new Map(given);
        const gone = new Set<string>();
        for (const [each, text] of changed) {
          if (text === null) gone.add(maskOf(each, "").id);
          if (text === null) masks.delete(each);
          else masks.set(each, text);
        }
        const edited = [...changed].flatMap(([each, text]) => (text === null ? [] : [maskOf(each, text)]));
        const after = changeBlocks(before, { changed: edited, gone });
        expect(textsOf(after)).to.deep.equal(textsOf(toBlocks(listOf(masks))));
      }),
      { numRuns: 1_000 },
    );
  });

  it("makes anew only the block of the changed mask", () => {
    const before = toBlocks(listOf(new Map(Array.from({ length: 60 }, (_, each) => [each, "as it was"]))));
    const after = changeBlocks(before, { changed: [maskOf(33, "edited")], gone: new Set() });
    expect(before.length).to.be.greaterThan(10);
    expect(after.filter((block) => !before.includes(block))).to.have.length(1);
  });
});
