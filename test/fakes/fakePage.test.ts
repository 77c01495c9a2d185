import { pageContract } from "../contracts/pageContract.ts";
import { makeFakePage } from "./fakePage.ts";

describe("The page that is not there", () => {
  pageContract(() => {
    const page = makeFakePage();
    return {
      page,
      systemPrefers: page.systemTheme$.set,
      makeNarrow: page.narrow$.set,
      shownTheme: page.shownTheme,
      clipboard: page.clipboard,
      refuseCopies: page.refuseCopies,
      setCookie: page.setCookie,
    };
  });
});
