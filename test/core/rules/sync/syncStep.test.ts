import { expect } from "chai";
import fc from "fast-check";
import { noSync, type SyncEvent, type SyncModel, syncStep } from "../../../../core/rules/sync/syncStep.ts";

const having = (...events: readonly SyncEvent[]): SyncModel =>
  events.reduce((model, event) => syncStep(model, event).model, noSync);
const kindsAfter = (model: SyncModel, event: SyncEvent): readonly string[] =>
  syncStep(model, event).effects.map(({ kind }) => kind);
const requested: SyncEvent = { kind: "wanted", reason: "check" };
const turn = (...due: readonly string[]): SyncEvent => ({ kind: "turn", due });
const answered: SyncEvent = { kind: "answered", hasMore: false };
const failed = (offline: boolean): SyncEvent => ({ kind: "failed", reason: "no", offline });

const anyEvent: fc.Arbitrary<SyncEvent> = fc.oneof(
  fc
    .constantFrom("edit", "check", "online", "by-hand")
    .map((reason): SyncEvent => ({ kind: "wanted", reason: reason as "edit" })),
  fc.array(fc.constantFrom("m", "n", "o"), { maxLength: 3 }).map((due): SyncEvent => ({ kind: "turn", due })),
  fc.boolean().map((hasMore): SyncEvent => ({ kind: "answered", hasMore })),
  fc.boolean().map(failed),
  fc.constant<SyncEvent>({ kind: "stopped" }),
);

describe("A sync run", () => {
  it("waits for the lock of the tabs before anything is sent", () => {
    expect(kindsAfter(noSync, requested)).to.deep.equal(["take-turn"]);
    expect(syncStep(having(requested), turn("m", "n")).effects).to.deep.equal([
      { kind: "push", maskId: "m" },
    ]);
  });

  it("sends one mask after the other and releases the lock", () => {
    const sending = having(requested, turn("m", "n"));
    expect(syncStep(sending, answered).effects).to.deep.equal([{ kind: "push", maskId: "n" }]);
    expect(kindsAfter(having(requested, turn("m", "n"), answered), failed(false))).to.deep.equal([
      "end-turn",
      "ended",
    ]);
    expect(kindsAfter(having(requested), turn())).to.deep.equal(["end-turn", "ended"]);
  });

  it("continues after a refusal, and ends where no answer comes", () => {
    const sending = having(requested, turn("m", "n"));
    expect(kindsAfter(sending, failed(false))).to.deep.equal(["push"]);
    expect(kindsAfter(sending, failed(true))).to.deep.equal(["end-turn", "ended"]);
  });

  it("sends a mask again that was changed while it was being sent", () => {
    const more: SyncEvent = { kind: "answered", hasMore: true };
    expect(syncStep(having(requested, turn("m")), more).effects).to.deep.equal([
      { kind: "push", maskId: "m" },
    ]);
  });

  it("is followed by another when one was requested meanwhile, for the strongest of the reasons", () => {
    const busy = having(
      requested,
      turn("m"),
      { kind: "wanted", reason: "by-hand" },
      { kind: "wanted", reason: "edit" },
    );
    expect(kindsAfter(busy, answered)).to.deep.equal(["end-turn", "ended", "take-turn"]);
    expect(syncStep(busy, answered).model).to.deep.include({ phase: "asking", reason: "by-hand", synced: 0 });
  });

  it("releases the lock when it is stopped, and ignores events after that", () => {
    const sending = having(requested, turn("m"));
    expect(kindsAfter(sending, { kind: "stopped" })).to.deep.equal(["end-turn"]);
    expect(syncStep(having(requested, turn("m"), { kind: "stopped" }), answered)).to.deep.equal({
      model: noSync,
      effects: [],
    });
  });

  it("takes and releases the lock alternately and never sends two at once, for any events", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        let model = noSync;
        let turns = 0;
        let underWay = 0;
        for (const event of events) {
          const isExpected = event.kind === "answered" || event.kind === "failed";
          if (isExpected && underWay === 0) continue;
          if (isExpected) underWay -= 1;
          const step = syncStep(model, event);
          if (event.kind === "stopped") underWay = 0;
          for (const { kind } of step.effects) {
            if (kind === "take-turn") turns += 1;
            if (kind === "end-turn") turns -= 1;
            if (kind === "push") underWay += 1;
            expect(turns).to.be.within(0, 1);
            expect(underWay).to.be.within(0, 1);
          }
          model = step.model;
          expect(turns).to.equal(model.phase === "idle" ? 0 : 1);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
