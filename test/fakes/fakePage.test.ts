import { pageContract } from "../contracts/pageContract.ts";
import { createFakePage } from "./fakePage.ts";

describe("The fake page", () => {
  pageContract(() => {
    const page = createFakePage();
    return {
      page,
      systemPrefers: page.systemTheme$.set,
      createNarrow: page.narrow$.set,
      shownTheme: page.shownTheme,
      clipboard: page.clipboard,
      refuseCopies: page.refuseCopies,
      setCookie: page.setCookie,
    };
  });
});
