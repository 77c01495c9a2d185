// The bill of materials: of all packages that npm lists, those whose code is in the build. `npm run sbom` prints it.
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { copiedParts, nodeFolder, noticesFile } from "../build/notices.mjs";
import { buildAll, root, run } from "./build.mjs";

/** The packages of a build as "name@version", by the heads of its notices. */
const packagesIn = (notices) =>
  Array.from(notices.matchAll(/^={100}\n\n(\S+) (\S+)$/gm), ([, name, version]) => `${name}@${version}`);

const refOf = ({ group, name, version }) => `${group ? `${group}/` : ""}${name}@${version}`;

/** The parts of a build that are no packages, as components. */
const copiedComponents = copiedParts.map(({ name, version, license, repository }) => ({
  "bom-ref": `${name}@${version}`,
  type: "file",
  name,
  version,
  licenses: [{ license: { id: license } }],
  externalReferences: [{ type: "vcs", url: repository }],
}));

/** Names a component as npm's own lists do: the scope is a part of the name there. */
const isIn = (bundled) => (component) => bundled.has(component["bom-ref"]) || bundled.has(refOf(component));

/**
 * Returns the bill of materials as text (CycloneDX 1.5): the packages in server, page and command line with their
 * licenses and checksums, and the package `node` where a release brings Node, else null. `seconds` is its time since 1970.
 */
export const billOfMaterials = ({ node, seconds }) => {
  // Not `--omit dev`: npm then leaves out packages that development needs too, such as React.
  const listed = run("npm", ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"]);
  const { serialNumber: _, metadata, components, dependencies, ...bill } = JSON.parse(listed);
  const built = ["dist/server", "dist/web", "cli/dist"].flatMap((part) =>
    packagesIn(readFileSync(join(root, part, noticesFile), "utf8")),
  );
  const { name, optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const isNode = (named) => /^node-(?:bin-)?(?:linux|darwin)-/.test(named);
  const bundled = new Set(built.filter((named) => !isNode(named)));
  if (node !== null) bundled.add(`${node}@${optionalDependencies[node]}`);
  const own = [...components, ...copiedComponents].filter(isIn(bundled));
  const refs = new Set([metadata.component["bom-ref"], ...own.map((component) => component["bom-ref"])]);
  const missing = [...bundled].filter((named) => !own.some((component) => isIn(new Set([named]))(component)));
  if (missing.length > 0) throw new Error(`The lockfile does not list ${missing.join(", ")}.`);
  return `${JSON.stringify(
    {
      ...bill,
      metadata: {
        ...metadata,
        timestamp: new Date(1_000 * seconds).toISOString(),
        component: { ...metadata.component, type: "application", name },
      },
      components: own,
      dependencies: dependencies
        .filter(({ ref }) => refs.has(ref))
        .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) })),
    },
    null,
    2,
  )}\n`;
};

if (import.meta.main) {
  await buildAll();
  process.stdout.write(
    billOfMaterials({ node: basename(nodeFolder(root) ?? "") || null, seconds: Date.now() / 1_000 }),
  );
}
