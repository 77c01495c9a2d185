import { expect } from "chai";
import fc from "fast-check";
import { toMaskDraft } from "../../../core/masks/maskDraft.ts";
import { createWaitingMasks } from "../../../core/masks/waitingMasks.ts";
import { type AppOnFakes, startApp } from "../../fakes/appOnFakes.ts";
import { settled } from "../../fakes/virtualClock.ts";

const draftOf = (description: string) => ({ ...toMaskDraft(), description, forwardTo: "ada@example.org" });

const open = async () => {
  const hands = await startApp({ masks: [] });
  const waiting = hands.signedIn().feature(createWaitingMasks);
  const make = (name: string) => waiting.create(draftOf(name))();
  return { hands, waiting, make };
};

const namesOf = ({ product }: AppOnFakes): readonly string[] =>
  product.masks().map(({ description = "" }) => description);

describe("A mask made without a connection", () => {
  it("waits without an address, survives a reload, and is made once when the connection is back", async () => {
    const { hands, waiting, make } = await open();
    hands.online$.set(false);
    expect(await make("Corner Shop")).to.deep.include({ _tag: "Right", right: null });
    expect(waiting.list$.value.map(({ draft }) => draft.description)).to.deep.equal(["Corner Shop"]);
    expect(hands.app.hasWaitingMasks()).to.equal(true);
    expect(namesOf(hands)).to.deep.equal([]);
    hands.stop();
    const later = await startApp({
      storage: hands.storage,
      product: hands.product,
      server: hands.server,
    } as never);
    await settled();
    expect(later.app.masks.waiting$.value).to.equal(0);
    expect(namesOf(hands)).to.deep.equal(["Corner Shop"]);
  });

  it("is the same list for a screen as long as nothing has changed", async () => {
    const { hands, waiting, make } = await open();
    hands.online$.set(false);
    await make("One");
    const list = waiting.list$.value;
    expect(waiting.list$.value).to.equal(list);
    await make("Two");
    expect(waiting.list$.value).to.not.equal(list);
    hands.stop();
  });

  it("can be changed and removed while it waits", async () => {
    const { hands, waiting, make } = await open();
    hands.online$.set(false);
    await make("One");
    await make("Two");
    const [one, two] = waiting.list$.value;
    await waiting.edit(one?.id ?? "", draftOf("First"))();
    waiting.remove(two?.id ?? "");
    hands.online$.set(true);
    await settled();
    expect(namesOf(hands)).to.deep.equal(["First"]);
    expect(waiting.list$.value).to.deep.equal([]);
    hands.stop();
  });

  it("stays with the reason when the server refuses it, and is sent again by hand", async () => {
    const { hands, waiting, make } = await open();
    hands.online$.set(false);
    await make("Third");
    hands.server.on("POST", "/masks", { status: 403, json: { message: "Delete one first." } });
    hands.online$.set(true);
    await settled();
    expect(waiting.list$.value).to.have.length(1);
    expect(waiting.list$.value[0]).to.deep.include({ refusal: "Delete one first." });
    hands.stop();
  });

  it("is made exactly once, whatever is lost in between", async () => {
    const step = fc.constantFrom("create", "offline", "online", "lost answer", "lost request", "wait");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const { hands, make } = await open();
        const made: { readonly name: string; readonly requestId: string }[] = [];
        let mishap: "lost answer" | "lost request" | null = null;
        hands.server.on("POST", "/masks", ({ body }) => {
          const { description, metadata } = body as {
            readonly description: string;
            readonly metadata: { readonly requestId: string };
          };
          const now = mishap;
          mishap = null;
          if (now === "lost request") return "unreachable";
          if (!made.some((one) => one.requestId === metadata.requestId))
            made.push({ name: description, requestId: metadata.requestId });
          return now === "lost answer"
            ? "unreachable"
            : {
                json: {
                  id: metadata.requestId,
                  maskEmail: `${metadata.requestId}@masks.example`,
                  forwardTo: "ada@example.org",
                  description,
                  metadata,
                },
              };
        });
        const created: string[] = [];
        for (const one of steps) {
          if (one === "create") {
            // With a connection the form waits for its answer; these are the masks without one.
            hands.online$.set(false);
            created.push(`Mask ${created.length}`);
            await make(created.at(-1) ?? "");
          } else if (one === "offline" || one === "online") hands.online$.set(one === "online");
          else if (one === "wait") await hands.clock.advance(3_000);
          else mishap = one;
          await settled();
        }
        mishap = null;
        hands.online$.set(true);
        await settled();
        await hands.clock.advance(600_000);
        await settled();
        expect(made.map(({ name }) => name).toSorted()).to.deep.equal(created.toSorted());
        expect(hands.app.masks.waiting$.value).to.equal(0);
        hands.stop();
      }),
      { numRuns: 25 },
    );
  });
});
