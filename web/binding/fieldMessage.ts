import type { Problem } from "../../core/sentences/problem.ts";

/** The sentence that belongs beside this field, if any. */
export const fieldMessage = (problem: Problem | null, field: string): string | undefined =>
  problem?.fields.find((error) => error.field === field)?.message;
