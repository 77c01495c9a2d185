/** A program that all test files of a run share. */
export interface TestService {
  /** Environment variables by which test processes find it. */
  readonly variables: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}
