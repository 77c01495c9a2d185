import { expect } from "chai";
import { type Observable, Subject } from "rxjs";
import { combineState, createState, mapState, watchState } from "../../../core/kernel/state.ts";

const record = <A>(source: Observable<A>): A[] => {
  const seen: A[] = [];
  source.subscribe((value) => seen.push(value));
  return seen;
};

describe("A state", () => {
  it("emits its value to each new subscriber, and each change once", () => {
    const state = createState(1);
    const early = record(state);
    state.set(2);
    state.set(2);
    state.update((value) => value + 1);
    expect(early).to.deep.equal([1, 2, 3]);
    expect(record(state)).to.deep.equal([3]);
    expect(state.value).to.equal(3);
  });

  it("derived from another has a value without a subscriber, and is the same object until that changes", () => {
    const state = createState(1);
    const doubled = mapState(state, (value) => ({ double: value * 2 }));
    expect(doubled.value).to.equal(doubled.value);
    const seen = record(doubled);
    expect(seen[0]).to.equal(doubled.value);
    state.set(4);
    expect(doubled.value).to.deep.equal({ double: 8 });
    expect(seen).to.have.length(2);
  });

  it("derived from several follows each of them", () => {
    const [a, b] = [createState(1), createState("x")];
    const both = combineState([a, b], (number, text) => text.repeat(number));
    const seen = record(both);
    expect(both.value).to.equal(both.value);
    a.set(2);
    b.set("y");
    expect(seen).to.deep.equal(["x", "xx", "yy"]);
    expect(both.value).to.equal("yy");
  });

  it("that is stored elsewhere is read again when it may have changed", () => {
    let outside = "a";
    const changed$ = new Subject<void>();
    const state = watchState(() => outside, changed$);
    const seen = record(state);
    outside = "b";
    changed$.next();
    changed$.next();
    expect(seen).to.deep.equal(["a", "b"]);
    expect(state.value).to.equal("b");
  });
});
