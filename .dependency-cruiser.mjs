// The boundaries between folders: which may import which. Each rule's comment says what to do instead.
//
// A public entry is the file named like its folder (core/masks/masks.ts): it assembles the feature's state and use
// cases. Only core/app opens public entries, and web those of the features that single screens create; a feature that needs
// another one uses its noun (core/masks/mask.ts) or takes what it needs as an argument. kernel, ports, api, storage and
// session serve every feature and have no public entry.

const shared = "kernel|ports|api|storage|session";
/** Features that core/app assembles. Every other one is created by the screen that needs it: `useFeature(createInsights)`. */
const appFeatures = "account|masks|realtime";
const npm = "(^|/)node_modules/";
const library = (...names) => `${npm}(${names.join("|")})(/|$)`;

const refuse = (name, comment, from, to, more = {}) => ({
  name,
  comment,
  severity: "error",
  from,
  to,
  ...more,
});

/** Folders of features without a twin of the same name in core, and why. */
export const nounsWithoutTwin = {
  "server/features/addy": "it answers the calls of addy.io's programs, which the app does not make",
  "server/features/simplelogin":
    "it answers the calls of SimpleLogin's programs, which the app does not make",
  "server/features/mailbox": "the app does not know on which way mail comes in",
  "server/features/signInCodes": "the app knows codes as steps of the sign-in (core/session)",
  "server/features/digest": "the app knows it as an action of rules (core/rules)",
  "server/features/publicNumbers": "the contracts that have integers for ids know them as ids",
  "server/features/replies": "the app knows whom a mask has written to (core/correspondents)",
  "server/features/pushDevices": "the app knows the devices as those of push (core/push)",
  "server/features/reports":
    "operators know them as figures of their page (core/operator), users know complaints as notifications",
  "server/features/recentProof": "the app knows it as a part of the session (core/session)",
  "server/features/submission": "the app knows the passwords of programs that send (core/appPasswords)",
  "server/features/inbound": "mail is the same to the app by whichever way it has come",
  "server/features/maskChanges": "what every change of a mask does beside its row: events and webhooks",
  "server/features/oidc": "the app knows it as a way of the sign-in (core/session)",
  "web/features/maskPage": "it shows a mask beside its rules, mail and people, whose folders know masks",
};

/** The rooms of the server from the floor up, with what each is for. A room knows those before it in this list. */
const rooms = [
  ["platform", "knows nothing of mail or of the product: take what it needs of them as an argument"],
  ["mime", "reads and writes the format of mail, and knows the platform alone"],
  [
    "smtp",
    "is the protocol. Decide about recipients and mail in server/relay/receive, in a transaction's onRecipient and onMail",
  ],
  [
    "proof",
    "says who sent a mail and signs ours. Take what it needs of the queue or of users as an argument",
  ],
  ["delivery", "sends what the queue contains. Take what it needs of a feature as an argument"],
  [
    "relay",
    "is the way of a mail and knows no noun. A feature adds what it has to do with mail by its part (server/relay/mailPart.ts)",
  ],
  [
    "context",
    "is what the server offers to features, and what they offer to each other; it names none. A feature adds its offer by a declaration beside it",
  ],
  ["features", "are folded by server/app. Take what you need as an argument"],
  ["app", "assembles the server and knows no command"],
  ["cli", "is the operator's command"],
];
const roomRules = rooms.slice(0, -1).map(([room, advice], n) =>
  refuse(
    `server-${room}`,
    `server/${room} ${advice}.`,
    { path: `^server/${room}/` },
    {
      path: `^server/(${rooms
        .slice(n + 1)
        .map(([above]) => above)
        .join("|")})/`,
    },
  ),
);

export default {
  forbidden: [
    refuse(
      "no-cycle",
      "These files import each other in a circle (a type import counts). Move what they share into a file that imports neither.",
      {},
      { circular: true },
    ),
    refuse(
      "no-folder-cycle",
      "These folders import each other in a circle. Move the shared noun to the folder it belongs to, or pass it as an argument.",
      { path: "^(core|web|server|adapters|extension)/." },
      { circular: true },
      { scope: "folder" },
    ),
    refuse(
      "resolvable",
      "This import leads nowhere. Write the relative path with its .ts or .tsx ending, and packages as in package.json.",
      {},
      { couldNotResolve: true },
    ),
    refuse(
      "product-knows-no-tests",
      "The product never imports tests, benches or build scripts. Move what both need into the product.",
      { path: "^(core|adapters|web|server|extension)/" },
      { path: "^(test|bench|scripts)/" },
    ),

    refuse(
      "core-knows-core-alone",
      "Core runs in any shell. What it needs from outside is a port: add an interface to core/ports and implement it in adapters/ or server/.",
      { path: "^core/" },
      { path: "^(adapters|web|server)/" },
    ),
    refuse(
      "core-packages",
      "Core rests on rxjs, fp-ts and io-ts alone. Reach any other package through a port and an adapter.",
      { path: "^core/" },
      { path: npm, pathNot: library("rxjs", "fp-ts", "io-ts", "re2js") },
    ),
    refuse(
      "core-no-node",
      "Core runs in browsers too. Reach Node through a port and an adapter.",
      { path: "^core/" },
      { dependencyTypes: ["core"] },
    ),
    refuse(
      "core-loads-re2js-late",
      "re2js is heavy. Load it with import() in the place that runs an expression.",
      { path: "^core/" },
      { path: library("re2js"), dynamic: false },
    ),
    refuse(
      "kernel",
      "The kernel knows nothing of mail. Move the file that needs more than the kernel out of it.",
      { path: "^core/kernel/" },
      { path: "^core/", pathNot: "^core/kernel/" },
    ),
    refuse(
      "ports",
      "A port is an interface over the kernel's words. Take codecs and features out of it.",
      { path: "^core/ports/" },
      { path: "^core/", pathNot: "^core/(kernel|ports)/" },
    ),
    refuse(
      "api",
      "core/api holds what every request has in common. Declare a feature's endpoint in the feature's folder, or take what you need as an argument.",
      { path: "^core/api/" },
      { path: "^core/", pathNot: "^core/(kernel|ports|api)/" },
    ),
    refuse(
      "storage",
      "core/storage knows no feature. Take the codec as an argument, or write it in core/api.",
      { path: "^core/storage/" },
      { path: "^core/", pathNot: "^core/(kernel|ports|api|storage)/" },
    ),
    refuse(
      "rules-below",
      "What rules are and do (core/rules/model, engine, sieve) stands below the synchronization and the editing of lists. Take what you need as an argument.",
      { path: "^core/rules/(model|engine|sieve)/" },
      { path: "^core/", pathNot: "^core/(rules/(model|engine|sieve)|kernel|ports|api|mail)/" },
    ),
    refuse(
      "sync-below-editing",
      "core/rules/sync stores and sends lists of rules and knows no screen that edits them. Take what you need as an argument.",
      { path: "^core/rules/sync/" },
      { path: "^core/", pathNot: "^core/(rules/(sync|model|engine|sieve)|kernel|ports|api|storage)/" },
    ),
    refuse(
      "public-entries",
      "Only core/app imports a public entry (core/masks/masks.ts). Import the feature's noun (core/masks/mask.ts), or take what you need as an argument.",
      { path: "^core/([^/]+)/", pathNot: "^core/app/" },
      { path: "^core/([^/]+)/\\1\\.ts$", pathNot: ["^core/$1/", `^core/(${shared})/`] },
    ),
    refuse(
      "public-entries-for-shells",
      'Only core/app imports this public entry (core/masks/masks.ts). Reach the feature through what core/app offers: app.signedIn.masks, and its type as SignedIn["masks"]. Only a screen\'s own feature is imported by the screen, for useFeature(createInsights).',
      { path: "^(adapters|web|server|extension)/" },
      { path: `^core/(${appFeatures})/\\1\\.ts$` },
    ),
    refuse(
      "screen-features",
      "A feature of one screen is created by its screen in web. Adapters and the server take what they need as an argument.",
      { path: "^(adapters|server)/" },
      { path: "^core/([^/]+)/\\1\\.ts$", pathNot: `^core/(${shared}|${appFeatures})/` },
    ),
    refuse(
      "app-features",
      "core/app creates what every session has. Let the screen create the feature, useFeature(createInsights), or list it in appFeatures of .dependency-cruiser.mjs.",
      { path: "^core/app/" },
      { path: "^core/([^/]+)/\\1\\.ts$", pathNot: `^core/(${shared}|${appFeatures})/` },
    ),
    refuse(
      "app-is-for-shells",
      "core/app assembles the core for a shell. Nothing else in core imports it: take what you need as an argument.",
      { path: "^core/", pathNot: "^core/app/" },
      { path: "^core/app/" },
    ),

    refuse(
      "adapters-know-ports",
      "An adapter translates between one port and one technology. It imports core/ports, core/kernel and core/api; decisions belong to core.",
      { path: "^adapters/" },
      { path: "^(core|web|server)/", pathNot: "^core/(ports|kernel|api)/" },
    ),
    refuse(
      "adapters-apart",
      "Adapters of different technologies do not import each other: only system/, what browsers and Node share, serves both. Let web/container.ts or server/app/app.ts pass one to the other.",
      { path: "^adapters/([^/]+)/" },
      { path: "^adapters/", pathNot: "^adapters/($1|system)/" },
    ),
    refuse(
      "adapters-in-containers",
      "Only web/container.ts, extension/ports.ts, server/app/app.ts and a thread's own entry know adapters. Take the port as an argument and pass it there.",
      {
        path: "^(web|server|extension)/",
        pathNot:
          "^(web/container|extension/ports|server/app/app|server/cli/bauta|server/relay/evaluate/evaluationThread|server/features/replies/rewrite/replyThread)\\.ts$",
      },
      { path: "^adapters/" },
    ),
    refuse(
      "inversify-in-containers",
      "Only web/container.ts knows inversify. Take dependencies as arguments of a createX function and bind it there.",
      { path: "^(core|adapters|web|server)/", pathNot: "^web/container\\.ts$" },
      { path: library("inversify", "@inversifyjs") },
    ),
    refuse(
      "reflect-metadata-at-the-entry",
      "reflect-metadata is loaded once, by the entry of the page or its container.ts.",
      { path: "^(core|adapters|web|server)/", pathNot: "^web/(container\\.ts|main\\.tsx?)$" },
      { path: library("reflect-metadata") },
    ),

    refuse(
      "react-in-web",
      "React lives in web/ only. Put the decision here and the view in a component that reads it through web/react.",
      { path: "^(core|adapters|server)/" },
      {
        path: library(
          "react",
          "react-dom",
          "react-aria-components",
          "react-aria",
          "react-stately",
          "@react-aria",
        ),
      },
    ),
    refuse(
      "web-knows-no-server",
      "The page speaks to the server through core's endpoints. Move what both need into core.",
      { path: "^web/" },
      { path: "^server/" },
    ),
    refuse(
      "web-react",
      "rxjs, fp-ts and io-ts reach the page through web/react: useObservable, useAction. Put a new bridge there, or the logic into core.",
      { path: "^web/", pathNot: "^web/react/" },
      { path: library("rxjs", "fp-ts", "io-ts") },
    ),
    refuse(
      "web-no-node",
      "The page runs in a browser. Use what the web offers, or a port.",
      { path: "^web/" },
      { dependencyTypes: ["core"] },
    ),
    refuse(
      "web-base",
      "This folder serves every screen and knows none. Take texts, values and callbacks as props, or move the file to the noun it knows.",
      { path: "^web/(charts|format|items|loading|navigation|react|styles|ui)/" },
      { path: "^web/(app|features)/" },
    ),
    refuse(
      "web-features",
      "web/app assembles the screens. Take what you need as a prop, or move what both need to web/navigation, web/loading or the noun.",
      { path: "^web/features/" },
      { path: "^web/app/" },
    ),
    refuse(
      "design-system",
      "web/ui knows no product. Take texts, values and callbacks as props, and bring them from the screen that uses the component.",
      { path: "^web/ui/" },
      // Numbers in the browser's locale are no matter of the product.
      { path: "^(core|web)/", pathNot: "^web/(ui/|format/numbers\\.ts$)" },
    ),
    ...roomRules,
    refuse(
      "http-in-routes",
      "Only routes (…Routes.ts), what contributes them (…Feature.ts, server/context, server/app) and what listens know HTTP. Answer with a value or throw a UseCaseError, and map it in the routes.",
      {
        path: "^server/",
        pathNot: "^server/(app|context|platform/(http|certificates))/|^server/.*(Routes|Feature)\\.ts$",
      },
      { path: ["^server/platform/http/", library("fastify", "@fastify")] },
    ),
    refuse(
      "cli-is-a-shell",
      "The command line is a shell of its own around the core. It imports core and the adapters without a browser; move what it shares with another shell into core.",
      { path: "^cli/" },
      { path: "^(web|server|test)/|^adapters/(browser|openpgp|sentry|stripe|qrcode|otel)/" },
    ),
    refuse(
      "extension-is-a-shell",
      "The extension is a shell of its own around the core. It imports core, the adapters for browsers, and of the page what knows no screen (web/ui, web/react); move what it shares with another shell into core.",
      { path: "^extension/" },
      {
        path: "^(server|cli)/|^web/(?!(ui|react|format|styles)/)|^adapters/(node|openpgp|sentry|stripe|qrcode|otel|webauthn|re2)/",
      },
    ),
    refuse(
      "extension-for-itself",
      "Nothing imports the extension. Move what it shares with another shell into core.",
      { path: "^(core|adapters|web|server|cli)/" },
      { path: "^extension/" },
    ),
    refuse(
      "server-knows-no-client",
      "The operator's command completes words as the command line of users does, by cli/completionScript.ts, and shares nothing else with it.",
      { path: "^server/" },
      { path: "^cli/", pathNot: "^cli/completionScript\\.ts$" },
    ),
    refuse(
      "server-knows-no-web",
      "The server serves the built page and does not import its source. Move what both need into core.",
      { path: "^server/" },
      { path: "^web/" },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "\\.css$" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "module", "types", "node", "default"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
    },
  },
};
