// React as modules, without what no screen of the page uses: the bundler leaves out what is then not called.
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Tags of fibers that the page never has, by react-dom's numbers. */
const absentTags = [
  12, // <Profiler>
  13, // <Suspense>
  16, // a component that is loaded when it is rendered
  18, // a part that waits for hydration
  19, // <SuspenseList>
  21, // a scope of events
  22, // what <Suspense> and <Activity> show or hide
  23, // the older form of it
  24, // a cache of its own for a part
  25, // a marker for tracing
  26, // <title>, <meta>, <link>, <style> and <script>, which React lifts into the head
  27, // <html>, <head> and <body>
  30, // <ViewTransition>
  31, // <Activity>
];

/** Types of elements that have such tags: rendering one is React's error 130. */
const absentTypes = ["ACTIVITY", "PROFILER", "SUSPENSE", "SUSPENSE_LIST", "LEGACY_HIDDEN", "VIEW_TRANSITION"];

/** Variables of react-dom that stay false without hydration and view transitions. */
const alwaysFalse = ["isHydrating", "shouldStartViewTransition"];

/** Functions of react-dom that serve what the page does not use. What is still called does nothing then. */
const unreached = {
  "hydration of HTML that a server has rendered": `
    throwOnHydrationMismatch prepareToHydrateHostInstance popToNextHostParent popHydrationState resetHydrationState queueHydrationError
    canHydrateInstance canHydrateTextInstance canHydrateHydrationBoundary updateDehydratedSuspenseComponent
    retrySuspenseComponentWithoutHydrating retryActivityComponentWithoutHydrating mountHostRootWithoutHydrating getNextHydratable
    getNextHydratableInstanceAfterHydrationBoundary commitActivityHydrationCallbacks commitSuspenseHydrationCallbacks
    clearHydrationBoundary hideOrUnhideDehydratedBoundary registerSuspenseInstanceRetry isSuspenseInstancePending isSuspenseInstanceFallback
    attemptContinuousHydration attemptHydrationAtCurrentPriority clearIfContinuousEvent accumulateOrCreateContinuousQueuedReplayableEvent
    queueIfContinuousEvent attemptExplicitHydrationTarget attemptReplayContinuousQueuedEvent attemptReplayContinuousQueuedEventInMap
    replayUnblockedEvents scheduleCallbackIfUnblocked scheduleReplayQueueIfNeeded retryIfBlockedOn retryDehydratedSuspenseBoundary
    markRetryLaneImpl markRetryLaneIfNotHydrated getBumpedLaneForHydration getBumpedLaneForHydrationByLane createFiberFromDehydratedFragment
    pushDehydratedActivitySuspenseHandler pushTreeFork pushTreeId pushMaterializedTreeId popTreeContext restoreSuspendedTreeContext`,
  "view transitions": `
    getViewTransitionName getClassNameByType getViewTransitionClassName trackEnterViewTransitions pushViewTransitionCancelableScope
    applyViewTransitionToHostInstances applyViewTransitionToHostInstancesRecursive restoreViewTransitionOnHostInstances
    commitAppearingPairViewTransitions commitEnterViewTransitions commitDeletedPairViewTransitions commitExitViewTransitions
    commitNestedViewTransitions restorePairedViewTransitions restoreEnterOrExitViewTransitions restoreNestedViewTransitions
    measureViewTransitionHostInstancesRecursive measureNestedViewTransitions scheduleViewTransitionEvent reportViewTransitionError
    recursivelyTraverseAfterMutationEffects commitAfterMutationEffectsOnFiber flushAfterMutationEffects applyViewTransitionName
    restoreViewTransitionName createMeasurement measureInstance measureClonedInstance forceLayout waitForImageToLoad startViewTransition
    createViewTransitionInstance queueTransitionTypes`,
  "references to fragments": `
    commitNewChildToFragmentInstances commitFragmentInstanceInsertionEffects commitFragmentInstanceDeletionEffects
    isFragmentInstanceHostBoundary isFragmentInstanceParent traverseVisibleInstancesAndTextInstances addFragmentHandleToFiber
    addFragmentHandleToInstance commitNewChildToFragmentInstance deleteChildFromFragmentInstance`,
  "elements that React lifts into the head, and the page's own elements": `
    isHostHoistableType getResource acquireResource createHoistableInstance mountHoistable suspendResource preloadResource
    preloadResourceAndSuspendIfNeeded getHydratableHoistableCache commitHostSingletonAcquisition resolveSingletonInstance
    releaseSingletonInstance isSingletonScope insertSuspendedStylesheets insertStylesheetIntoRoot`,
  "commits that wait for pictures and stylesheets": `
    preloadInstanceAndSuspendIfNeeded recursivelyAccumulateSuspenseyCommit accumulateSuspenseyCommitOnFiber maySuspendCommit suspendInstance
    estimateBandwidth isLikelyStaticResource`,
  "actions of forms": `
    extractEvents$1 mountActionState updateActionState rerenderActionState dispatchOptimisticSetState ensureFormComponentIsStateful
    recursivelyResetForms requestFormReset$1 useHostTransitionStatus TransitionAwareHostComponent defaultOnDefaultTransitionIndicator
    coerceFormActionProp`,
  "parts that wait for data or code, and hidden parts that keep their state": `
    updateSuspenseComponent updateOffscreenComponent updateSuspenseListComponent initSuspenseListRenderState cutOffTailIfNeeded
    findFirstSuspended updateActivityComponent mountActivityChildren recursivelyTraverseReappearLayoutEffects
    recursivelyTraverseDisappearLayoutEffects recursivelyTraverseReconnectPassiveEffects recursivelyTraverseAtomicPassiveEffects
    recursivelyTraverseDisconnectPassiveEffects commitOffscreenPassiveMountEffects hideOrUnhideAllChildren hideOrUnhideNearestPortals
    attachSuspenseRetryListeners scheduleRetryEffect retryTimedOutBoundary resolveRetryWakeable resolveLazy`,
  "custom elements": "isCustomElement setPropOnCustomElement",
  "stacks of components in reports": "describeNativeComponentFrame describeFiber",
};

/** What a function answers where nothing is not what its callers expect. */
const answers = {
  upgradeHydrationErrorsToRecoverable: "null",
  getParentHydrationBoundary: "null",
  getSuspenseInstanceFromFiber: "null",
  getActivityInstanceFromFiber: "null",
  claimQueuedTransitionTypes: "null",
  waitForCommitToBeReady: "null",
  getStackByFiberInDevAndProd: '""',
};

/** Statements of react-dom outside of its functions that only serve the above, and what stands there instead. */
const statements = [
  [/^exports\.hydrateRoot = [\s\S]*?^\};\n/m, ""],
  [/^ReactDOMHydrationRoot\.prototype\.unstable_scheduleHydration = [\s\S]*?^\};\n/m, ""],
  [/ReactDOMHydrationRoot\.prototype\.(?:render|unmount) = /g, ""],
  [/^(?:FragmentInstance|ViewTransitionPseudoElement)\.prototype\.\w+ = [\s\S]*?^\};\n/gm, ""],
  [/^ReactDOMSharedInternals\.findDOMNode = [\s\S]*?^\};\n/m, ""],
  [/^ {2}(?:D|C|L|m|X|S|M): \w+,?\n/gm, ""],
];

const fail = (what) => {
  throw new Error(`react-dom has no ${what} any more: see scripts/build/react.mjs`);
};

const escaped = (text) => text.replaceAll("$", "\\$");

/** Replaces the body of a function at the top level. */
const withBody = (source, name, body) => {
  const found = new RegExp(`^function ${escaped(name)}\\(([\\s\\S]*?)\\) \\{\\n[\\s\\S]*?^\\}\\n`, "m");
  if (!found.test(source)) fail(`function ${name}`);
  return source.replace(found, () => `function ${name}() {${body}}\n`);
};

/** Replaces a variable by false, and its assignments by nothing. Functions with a parameter of that name keep it. */
const asFalse = (source, name) => {
  const declared = new RegExp(`(?<=^var|^ ) ${name} = !1,\\n`, "m");
  if (!declared.test(source)) fail(`variable ${name}`);
  const isParameter = new RegExp(`^function [\\w$]+\\([^)]*\\b${name}\\b(?!\\$)`);
  return source
    .replace(declared, "")
    .split(/^(?=function )/m)
    .map((part) =>
      isParameter.test(part)
        ? part
        : part
            .replace(new RegExp(`\\b${name} = ![01]`, "g"), "0")
            .replace(new RegExp(`\\b${name}\\b(?!\\$)`, "g"), "!1"),
    )
    .join("");
};

const leaves = /^(?:return|break|throw|continue)\b/;

/** Whether the last statement of a clause leads on into the next clause. */
const leadsOn = (body, indent) => {
  const starts = body.filter(
    (line) => line.startsWith(`${indent}  `) && !/^[\s)}\]]/.test(line.slice(indent.length + 2)),
  );
  return starts.length > 0 && !leaves.test(starts.at(-1).trimStart());
};

/** The clauses of a switch: the line with their label, such as "case 5:", and the lines of their statements. */
const clausesOf = (lines, indent) => {
  const clauses = [];
  for (const line of lines) {
    if (line.startsWith(`${indent}case `) || line.startsWith(`${indent}default:`))
      clauses.push({ label: line, body: [] });
    else clauses.at(-1).body.push(line);
  }
  return clauses;
};

/** Lines of a switch in which the clauses of absent labels are dead code, which the bundler takes out. */
const withDeadClauses = (lines, indent, isAbsent) => {
  let isEntered = false;
  return clausesOf(lines, indent).flatMap(({ label, body }, index) => {
    const isDead = isAbsent(label.trim()) && !isEntered;
    const shown = isAbsent(label.trim()) && index > 0 ? [] : [label];
    isEntered = body.length === 0 ? !isAbsent(label.trim()) || isEntered : !isDead && leadsOn(body, indent);
    return isDead && body.length > 0
      ? [...shown, `${indent}  if (!1) {`, ...body, `${indent}  }`]
      : [...shown, ...body];
  });
};

/** Takes the absent labels out of all switches over what `subject` matches. */
const withoutLabels = (source, subject, isAbsent) => {
  const lines = source.split("\n");
  const opening = new RegExp(`^( *)(?:\\w+: )?switch \\(${subject}\\) \\{$`);
  for (let start = lines.length - 1; start >= 0; start -= 1) {
    const indent = opening.exec(lines[start])?.[1];
    if (indent === undefined) continue;
    const end = lines.findIndex((line, index) => index > start && line.startsWith(`${indent}}`));
    const inside = withDeadClauses(lines.slice(start + 1, end), `${indent}  `, isAbsent);
    lines.splice(start + 1, end - start - 1, ...inside);
  }
  return lines.join("\n");
};

/** react-dom without what the page does not use. */
const slimReactDom = (source) => {
  const empty = Object.values(unreached).flatMap((names) => names.trim().split(/\s+/));
  const bodies = [
    ...empty.map((name) => [name, ""]),
    ...Object.entries(answers).map(([name, value]) => [name, `return ${value};`]),
  ];
  const tags = absentTags.map((tag) => `case ${tag}:`);
  const types = absentTypes.map((type) => `case REACT_${type}_TYPE:`);
  for (const label of [...tags, ...types]) if (!source.includes(`${label}\n`)) fail(`"${label}"`);
  let slim = withoutLabels(source, "[\\w.$]*\\.tag", (label) => tags.includes(label));
  slim = withoutLabels(slim, "owner", (label) => types.includes(label));
  for (const [name, body] of bodies) slim = withBody(slim, name, body);
  for (const [pattern, text] of statements) {
    if (slim.search(pattern) === -1) fail(pattern);
    slim = slim.replace(pattern, () => text);
  }
  return alwaysFalse.reduce(asFalse, slim);
};

/** A library that exports by `exports.name = value`, as a module of which the bundler takes what is imported. */
const asModule = (source, absent = []) => {
  const imports = [];
  const names = [...new Set([...source.matchAll(/^exports\.(\w+) =/gm)].map(([, name]) => name))];
  const text = source
    .replace(/^var \w+ = require\([\s\S]*?;\n/gm, (declaration) => {
      for (const [, local, from] of declaration.matchAll(/(\w+) = require\("([^"]+)"\)/g))
        imports.push(`import * as ${local} from "${from}";\n`);
      return "";
    })
    .replace(/^exports\.(\w+) =/gm, "var $1$export =")
    .replace(/\bexports\.(\w+)/g, "$1$export");
  const exported = names.filter((name) => !absent.includes(name));
  const list = exported.map((name) => `${name}$export as ${name}`).join(", ");
  const all = exported.map((name) => `${name}: ${name}$export`).join(", ");
  return `${imports.join("")}${text}\nexport { ${list} };\nexport default { ${all} };\n`;
};

/** What the page imports of React, and the files that it then gets. */
const files = {
  react: "react/cjs/react.production.js",
  "react/jsx-runtime": "react/cjs/react-jsx-runtime.production.js",
  "react-dom": "react-dom/cjs/react-dom.production.js",
  "react-dom/client": "react-dom/cjs/react-dom-client.production.js",
  scheduler: "scheduler/cjs/scheduler.production.js",
};

/** What must not be imported, as react-dom cannot serve it any more: the build then says that there is no such export. */
const absentExports = `
  Activity Profiler Suspense ViewTransition addTransitionType lazy startTransition useActionState useOptimistic useTransition
  preconnect prefetchDNS preinit preinitModule preload preloadModule requestFormReset useFormState useFormStatus`
  .trim()
  .split(/\s+/);

/** React for the page as it is served. */
export const slimReact = {
  name: "slim React",
  setup: ({ onResolve, onLoad, initialOptions }) => {
    const folder = join(initialOptions.absWorkingDir, "node_modules");
    onResolve({ filter: /^(?:react|react-dom|scheduler)(?:\/(?:jsx-runtime|client))?$/ }, ({ path }) => ({
      path: join(folder, files[path]),
      sideEffects: path === "react-dom/client" || path === "scheduler",
    }));
    onLoad(
      { filter: /[/\\](?:react|react-dom|scheduler)[/\\]cjs[/\\].*\.production\.js$/ },
      async ({ path }) => {
        const source = await readFile(path, "utf8");
        const isReactDom = basename(path).startsWith("react-dom-client");
        return {
          contents: asModule(isReactDom ? slimReactDom(source) : source, absentExports),
          loader: "js",
          resolveDir: dirname(path),
        };
      },
    );
  },
};
