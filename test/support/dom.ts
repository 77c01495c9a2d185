// Imported first by a test of components: React, react-aria and Testing Library look for a document when they are
// loaded. It is removed again before the first test runs; tests that need a document call `useDom()`.
import { installDom, removeDom } from "./jsdom.ts";

installDom();
const { cleanup } = await import("@testing-library/react");

before(removeDom);
afterEach(cleanup);
