import "../../support/dom.ts";
import { act, renderHook } from "@testing-library/react";
import { expect } from "chai";
import { left, right } from "fp-ts/lib/Either.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import { type Problem, problemOf } from "../../../core/api/errorMessages.ts";
import { busy, refused } from "../../../core/kernel/failure.ts";
import { useAction, useTask } from "../../../web/react/useAction.ts";
import { useDom } from "../../support/jsdom.ts";

const createMask = problemOf("createMask");

/** Creates a use case whose results the test provides, one for each run. */
const byHand = () => {
  const answers: ((result: ReturnType<typeof right<string>> | ReturnType<typeof left<Problem>>) => void)[] =
    [];
  const useCase = (): TaskEither<Problem, string> => () => new Promise((resolve) => answers.push(resolve));
  return { useCase, answer: (at: number) => answers[at] ?? (() => {}) };
};

describe("useAction", () => {
  useDom();

  it("is running until the use case completes, and passes its result on", async () => {
    const { useCase, answer } = byHand();
    const came: string[] = [];
    const { result } = renderHook(() => useAction(useCase, { onSuccess: (value) => came.push(value) }));
    act(() => result.current.run());
    expect(result.current.isRunning).to.equal(true);
    await act(async () => answer(0)(right("done")));
    expect([result.current.isRunning, came]).to.deep.equal([false, ["done"]]);
  });

  it("keeps its problem until the next run, or until it is cleared", async () => {
    const { useCase, answer } = byHand();
    const { result } = renderHook(() => useAction(useCase));
    act(() => result.current.run());
    await act(async () => answer(0)(left(createMask(refused(400)))));
    expect(result.current.problem?.message).to.equal("Failed to create email mask");
    act(() => result.current.clearProblem());
    expect(result.current.problem).to.equal(null);
  });

  it("reports no problem when the same use case was already running (SI7)", async () => {
    const { useCase, answer } = byHand();
    const problems: Problem[] = [];
    const { result } = renderHook(() =>
      useAction(useCase, { onProblem: (problem) => problems.push(problem) }),
    );
    act(() => result.current.run());
    await act(async () => answer(0)(left(createMask(busy))));
    expect([result.current.isRunning, result.current.problem, problems]).to.deep.equal([false, null, []]);
  });

  it("keeps the problem of the previous run when a second press is refused as busy (SI7)", async () => {
    const { useCase, answer } = byHand();
    const { result } = renderHook(() => useAction(useCase));
    act(() => result.current.run());
    await act(async () => answer(0)(left(createMask(refused(400)))));
    act(() => result.current.run());
    await act(async () => answer(1)(left(createMask(busy))));
    expect(result.current.problem?.message).to.equal("Failed to create email mask");
    act(() => result.current.run());
    act(() => result.current.clearProblem());
    await act(async () => answer(2)(left(createMask(busy))));
    expect([result.current.isRunning, result.current.problem]).to.deep.equal([false, null]);
  });

  for (const order of [
    [1, 2, 0],
    [2, 1, 0],
  ]) {
    it(`takes the result of the first of three presses when the others were busy, answered in the order ${order.join(", ")}`, async () => {
      const { useCase, answer } = byHand();
      const came: string[] = [];
      const { result } = renderHook(() => useAction(useCase, { onSuccess: (value) => came.push(value) }));
      for (const _press of order) act(() => result.current.run());
      for (const at of order) {
        expect(result.current.isRunning).to.equal(true);
        await act(async () => answer(at)(at === 0 ? right("done") : left(createMask(busy))));
      }
      expect([result.current.isRunning, result.current.problem, came]).to.deep.equal([false, null, ["done"]]);
      act(() => result.current.run());
      await act(async () => answer(3)(left(createMask(busy))));
      expect(came, "and once only").to.deep.equal(["done"]);
    });
  }

  it("ignores the result of an earlier run after a later one has started", async () => {
    const { useCase, answer } = byHand();
    const came: string[] = [];
    const { result } = renderHook(() => useAction(useCase, { onSuccess: (value) => came.push(value) }));
    act(() => result.current.run());
    act(() => result.current.run());
    await act(async () => answer(0)(right("old")));
    expect([result.current.isRunning, came]).to.deep.equal([true, []]);
    await act(async () => answer(1)(right("new")));
    expect(came).to.deep.equal(["new"]);
  });

  it("ignores a result after its component is unmounted", async () => {
    const { useCase, answer } = byHand();
    const came: string[] = [];
    const { result, unmount } = renderHook(() =>
      useAction(useCase, { onSuccess: (value) => came.push(value) }),
    );
    act(() => result.current.run());
    unmount();
    await act(async () => answer(0)(right("late")));
    expect(came).to.deep.equal([]);
  });
});

describe("useTask", () => {
  useDom();

  it("is running until the task completes", async () => {
    let finish = (): void => {};
    const task = () => () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      });
    const { result } = renderHook(() => useTask(task));
    act(() => result.current.run());
    expect(result.current.isRunning).to.equal(true);
    await act(async () => finish());
    expect(result.current.isRunning).to.equal(false);
  });
});
