import type { ServerResponse } from "node:http";

/** Answers with a body that never ends, as quickly as it is read. */
export const pour = (response: ServerResponse): void => {
  const mebibyte = " ".repeat(1_048_576);
  const fill = (): void => {
    while (!response.destroyed && response.write(mebibyte));
  };
  response.on("drain", fill);
  fill();
};
