import { expect } from "chai";
import { checkImports, plant, type Tree, type Verdict } from "./tree.ts";

const sound = {
  "core/kernel/failure.ts": 'export type Failure = { readonly kind: "network" };\n',
  "core/ports/clock.ts":
    'import type { Failure } from "../kernel/failure.ts";\nimport type { SchedulerLike } from "rxjs";\nexport interface Clock { readonly scheduler: SchedulerLike; readonly failure?: Failure }\n',
  "core/masks/mask.ts": 'import * as E from "fp-ts/lib/Either.js";\nexport const isMask = E.isRight;\n',
  "core/masks/masks.ts":
    'import { isMask } from "./mask.ts";\nexport const createMasks = () => ({ isMask });\n',
  "core/app/createApp.ts":
    'import { createMasks } from "../masks/masks.ts";\nexport const createApp = () => ({ masks: createMasks() });\n',
  "adapters/browser/clock.ts":
    'import type { Clock } from "../../core/ports/clock.ts";\nexport type BrowserClock = Clock;\n',
  "adapters/node/clock.ts": "export const nodeClock = 1;\n",
  "web/ui/Button.tsx":
    'import { createElement } from "react";\nexport const Button = () => createElement("button");\n',
  "web/react/useObservable.ts": 'import { of } from "rxjs";\nexport const one = of(1);\n',
  "web/container.ts":
    'import { Container } from "inversify";\nimport type { BrowserClock } from "../adapters/browser/clock.ts";\nexport const container = new Container();\nexport type Bound = BrowserClock;\n',
  "server/app/app.ts":
    'import { nodeClock } from "../../adapters/node/clock.ts";\nexport const bound = nodeClock;\n',
};

/** The rooms of the server, each of which knows those before it. */
const rooms = ["platform", "mime", "smtp", "proof", "delivery", "relay", "context", "features", "app", "cli"];

const planted: Readonly<Record<string, string>> = {
  "core/masks/picture.ts": 'import { createElement } from "react";\nexport const picture = createElement;\n',
  "core/masks/files.ts": 'import { readFileSync } from "node:fs";\nexport const read = readFileSync;\n',
  "core/masks/chicken.ts":
    'import type { Egg } from "./egg.ts";\nexport interface Chicken { readonly lays: Egg }\n',
  "core/masks/egg.ts":
    'import type { Chicken } from "./chicken.ts";\nexport interface Egg { readonly from: Chicken }\n',
  "core/rules/rule.ts": 'import type { Score } from "../score/points.ts";\nexport type Rule = Score;\n',
  "core/rules/count.ts": "export type Count = number;\n",
  "core/score/points.ts": "export type Score = number;\n",
  "core/score/tips.ts": 'import type { Count } from "../rules/count.ts";\nexport type Tip = Count;\n',
  "core/labels/pending.ts":
    'import { createMasks } from "../masks/masks.ts";\nexport const pending = createMasks;\n',
  "core/score/score.ts": "export const createScore = () => 1;\n",
  "core/app/scored.ts":
    'import { createScore } from "../score/score.ts";\nexport const scored = createScore;\n',
  "core/labels/whole.ts":
    'import type { createApp } from "../app/createApp.ts";\nexport type Whole = typeof createApp;\n',
  "core/labels/lost.ts": 'import { nothing } from "./nowhere.ts";\nexport const lost = nothing;\n',
  "core/kernel/mail.ts": 'import { isMask } from "../masks/mask.ts";\nexport const mail = isMask;\n',
  "core/ports/maskStore.ts": 'import { isMask } from "../masks/mask.ts";\nexport const maskStore = isMask;\n',
  "core/api/masks.ts": 'import { isMask } from "../masks/mask.ts";\nexport const call = isMask;\n',
  "core/storage/masks.ts": 'import { isMask } from "../masks/mask.ts";\nexport const stored = isMask;\n',
  "adapters/browser/decides.ts":
    'import { isMask } from "../../core/masks/mask.ts";\nexport const decides = isMask;\n',
  "adapters/browser/borrows.ts":
    'import { nodeClock } from "../node/clock.ts";\nexport const borrows = nodeClock;\n',
  "web/features/masks/stream.ts": 'import { of } from "rxjs";\nexport const stream = of(1);\n',
  "web/features/masks/direct.ts":
    'import type { BrowserClock } from "../../../adapters/browser/clock.ts";\nexport type Direct = BrowserClock;\n',
  "web/features/masks/bound.ts": 'import { Container } from "inversify";\nexport const bound = Container;\n',
  "web/features/masks/serverSide.ts":
    'import { bound } from "../../../server/app/app.ts";\nexport const serverSide = bound;\n',
  "web/features/masks/entry.ts":
    'import type { createMasks } from "../../../core/masks/masks.ts";\nexport type Door = typeof createMasks;\n',
  "web/ui/MaskButton.tsx":
    'import { isMask } from "../../core/masks/mask.ts";\nexport const MaskButton = isMask;\n',
  "web/app/Shell.tsx": "export const Shell = null;\n",
  "web/features/masks/shell.ts":
    'import { Shell } from "../../app/Shell.tsx";\nexport const shell = Shell;\n',
  "web/loading/early.ts":
    'import { shell } from "../features/masks/shell.ts";\nexport const early = shell;\n',
  "web/features/sleeves/Sleeve.tsx": "export const Sleeve = null;\n",
  "core/rules/model/field.ts":
    'import { isMask } from "../../masks/mask.ts";\nexport const isField = isMask;\n',
  "core/rules/editing/draft.ts": "export const draft = 1;\n",
  "core/rules/sync/editing.ts":
    'import { draft } from "../editing/draft.ts";\nexport const edited = draft;\n',
  "core/webhooks/model/event.ts":
    'import type { Notice } from "../../notifications/notice.ts";\nexport type Event = Notice;\n',
  "core/webhooks/sending/send.ts": "export type Sent = number;\n",
  "core/notifications/notice.ts": "export type Notice = number;\n",
  "core/notifications/told.ts":
    'import type { Sent } from "../webhooks/sending/send.ts";\nexport type Told = Sent;\n',
  "server/features/labels/list/labels.ts":
    'import { trash } from "../../trash/trash.ts";\nexport const labels = trash;\n',
  "server/features/labels/remove/removed.ts": "export const removed = 1;\n",
  "server/features/trash/trash.ts": "export const trash = 1;\n",
  "server/features/trash/emptied.ts":
    'import { removed } from "../labels/remove/removed.ts";\nexport const emptied = removed;\n',
  "server/features/masks/direct.ts":
    'import { nodeClock } from "../../../adapters/node/clock.ts";\nexport const direct = nodeClock;\n',
  "cli/masks.ts": "export const listed = 1;\n",
  "server/features/masks/client.ts": 'export { listed } from "../../../cli/masks.ts";\n',
  "extension/screen.ts":
    'import { held } from "../web/features/held/screen.ts";\nexport const screen = held;\n',
  "extension/direct.ts":
    'import type { BrowserClock } from "../adapters/browser/clock.ts";\nexport type Direct = BrowserClock;\n',
  "web/features/held/screen.ts": "export const held = 1;\n",
  "web/features/held/popup.ts":
    'import { popup } from "../../../extension/popup.ts";\nexport const shown = popup;\n',
  "extension/popup.ts": "export const popup = 1;\n",
  "server/features/masks/webApp.ts":
    'import { Button } from "../../../web/ui/Button.tsx";\nexport const page = Button;\n',
  "server/platform/http/status.ts": "export const missing = 404;\n",
  "server/features/masks/maskRoutes.ts":
    'import { missing } from "../../platform/http/status.ts";\nexport const answer = missing;\n',
  "server/features/masks/editMask.ts":
    'import { missing } from "../../platform/http/status.ts";\nexport const refusal = missing;\n',
  "server/features/masks/reads.ts":
    'import type { FastifyRequest } from "fastify";\nexport type Reads = FastifyRequest;\n',
  "server/relay/receive/receive.ts": "export const receive = 1;\n",
  "server/smtp/mail.ts":
    'import { receive } from "../relay/receive/receive.ts";\nexport const received = receive;\n',
  ...Object.fromEntries(
    rooms.slice(0, -1).flatMap((room, n) => [
      [`server/${room}/given.ts`, "export const given = 1;\n"],
      [
        `server/${room}/upwards.ts`,
        `import { given } from "../${rooms[n + 1]}/given.ts";\nexport const upwards = given;\n`,
      ],
    ]),
  ),
  "server/cli/given.ts": "export const given = 1;\n",
};

describe("An import that crosses a boundary is refused with advice", () => {
  let tree: Tree;
  let verdict: Verdict;

  before(async () => {
    tree = plant({ ...sound, ...planted });
    verdict = await checkImports(tree.path);
  });

  after(() => tree.remove());

  const refuses = (what: string, file: string, rule: string, advice: string): void => {
    it(what, () => {
      const refusals = verdict.output.split("\n\n").filter((text) => text.startsWith(`${rule}: `));
      const refusal = refusals.find((text) => text.split("\n")[0]?.includes(file));
      expect(refusal, verdict.output).to.be.a("string").that.includes(advice);
      expect(verdict.passed).to.equal(false);
    });
  };

  refuses("React in core", "core/masks/picture.ts", "react-in-web", "React lives in web/ only");
  refuses(
    "any package in core but rxjs, fp-ts, io-ts",
    "core/masks/picture.ts",
    "core-packages",
    "through a port",
  );
  refuses("Node in core", "core/masks/files.ts", "core-no-node", "through a port and an adapter");
  refuses(
    "two files that import each other, if only types",
    "core/masks/egg.ts",
    "no-cycle",
    "Move what they share",
  );
  refuses("an import of a file that does not exist", "core/labels/lost.ts", "resolvable", "leads nowhere");
  refuses(
    "a feature that imports another's public entry",
    "core/labels/pending.ts",
    "public-entries",
    "the feature's noun",
  );
  refuses(
    "a screen that imports a public entry",
    "web/features/masks/entry.ts",
    "public-entries-for-shells",
    "app.signedIn.masks",
  );
  refuses(
    "a feature of one screen in what every session has",
    "core/app/scored.ts",
    "app-features",
    "Let the screen create the feature",
  );
  refuses(
    "a feature that imports the whole app",
    "core/labels/whole.ts",
    "app-is-for-shells",
    "as an argument",
  );
  refuses("mail code in the kernel", "core/kernel/mail.ts", "kernel", "out of it");
  refuses("a port that imports a feature", "core/ports/maskStore.ts", "ports", "features out of it");
  refuses("an API file that imports a feature", "core/api/masks.ts", "api", "in the feature's folder");
  refuses("storage that imports a feature", "core/storage/masks.ts", "storage", "as an argument");
  refuses(
    "an adapter that imports the product's logic",
    "adapters/browser/decides.ts",
    "adapters-know-ports",
    "belong to core",
  );
  refuses(
    "an adapter that imports another adapter",
    "adapters/browser/borrows.ts",
    "adapters-apart",
    "container.ts",
  );
  refuses("rxjs in web outside web/react", "web/features/masks/stream.ts", "web-react", "useObservable");
  refuses(
    "an adapter in a screen",
    "web/features/masks/direct.ts",
    "adapters-in-containers",
    "Only web/container.ts",
  );
  refuses(
    "inversify outside a container",
    "web/features/masks/bound.ts",
    "inversify-in-containers",
    "Only web/container.ts",
  );
  refuses(
    "server code in the page",
    "web/features/masks/serverSide.ts",
    "web-knows-no-server",
    "core's endpoints",
  );
  refuses("a design system that imports the product", "web/ui/MaskButton.tsx", "design-system", "as props");
  refuses(
    "an adapter in the server outside its composition root",
    "server/features/masks/direct.ts",
    "adapters-in-containers",
    "pass it there",
  );
  refuses(
    "what becomes of mail in the SMTP folder",
    "server/smtp/mail.ts",
    "server-smtp",
    "onRecipient and onMail",
  );
  refuses(
    "the page's source in the server",
    "server/features/masks/webApp.ts",
    "server-knows-no-web",
    "into core",
  );
  refuses(
    "the command line of users in the server",
    "server/features/masks/client.ts",
    "server-knows-no-client",
    "shares nothing else",
  );
  refuses(
    "a screen of the page in the extension",
    "extension/screen.ts",
    "extension-is-a-shell",
    "into core",
  );
  refuses(
    "an adapter in the extension outside its ports",
    "extension/direct.ts",
    "adapters-in-containers",
    "extension/ports.ts",
  );
  refuses(
    "the extension in the page",
    "web/features/held/popup.ts",
    "extension-for-itself",
    "Nothing imports the extension",
  );
  refuses(
    "HTTP in a use case",
    "server/features/masks/editMask.ts",
    "http-in-routes",
    "map it in the routes",
  );
  refuses(
    "a request of HTTP in a use case",
    "server/features/masks/reads.ts",
    "http-in-routes",
    "map it in the routes",
  );
  it("HTTP in routes is allowed", () => {
    expect(verdict.output).not.to.include("server/features/masks/maskRoutes.ts");
  });
  for (const [n, room] of rooms.slice(0, -1).entries())
    refuses(
      `what server/${rooms[n + 1]} offers in server/${room}`,
      `server/${room}/upwards.ts`,
      `server-${room}`,
      `server/${room} `,
    );

  refuses(
    "what assembles the screens in a screen",
    "web/features/masks/shell.ts",
    "web-features",
    "as a prop",
  );
  refuses("a screen in what serves every screen", "web/loading/early.ts", "web-base", "knows none");
  refuses("a feature below the lists of rules", "core/rules/model/field.ts", "rules-below", "stands below");
  refuses(
    "the editing of rules in their synchronization",
    "core/rules/sync/editing.ts",
    "sync-below-editing",
    "knows no screen",
  );
  for (const [place, one, other] of [
    ["core", "notifications", "webhooks"],
    ["server/features", "labels", "trash"],
  ])
    refuses(
      `two nouns of ${place} that import each other through sub-folders`,
      `${place}/${one} → ${place}/${other} → ${place}/${one}`,
      "no-noun-cycle",
      "Nouns know each other in one direction",
    );
  refuses(
    "a noun that has another name in core",
    "web/features/sleeves",
    "one-noun-one-name",
    "one folder name in every tier",
  );

  it("two folders that import each other through different files", () => {
    expect(verdict.output).to.match(/no-folder-cycle: .*core\/rules.*\n.*Move the shared noun/);
  });
});

describe("The check of the boundaries", () => {
  it("accepts a tree that respects them", async () => {
    const tree = plant(sound);
    try {
      const { passed, output: messages } = await checkImports(tree.path);
      expect(passed, messages).to.equal(true);
    } finally {
      tree.remove();
    }
  });

  it("fails on an empty tree", async () => {
    const empty = plant({});
    try {
      const { passed, output: messages } = await checkImports(empty.path);
      expect(passed).to.equal(false);
      expect(messages).to.include("The check is blind");
    } finally {
      empty.remove();
    }
  });
});
