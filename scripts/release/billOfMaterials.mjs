// The bill of materials: of all packages that npm lists, those whose code is in the build. `npm run sbom` prints it.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildChanges } from "../build/inputs.mjs";
import { copiedParts, nodeFolder, noticesFile } from "../build/notices.mjs";

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
 * Returns the bill of materials as text (CycloneDX 1.5): the packages in `dist/server` and `dist/web` with their
 * licenses and checksums, and those of Node only where a release brings it. `seconds` is its time since 1970.
 */
export const billOfMaterials = (root, { node, seconds }) => {
  // Not `--omit dev`: npm then leaves out packages that development needs too, such as React.
  const listed = spawnSync("npm", ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1024 ** 3,
  });
  if (listed.status !== 0) throw new Error(`npm sbom failed: ${listed.error?.message ?? listed.stderr}`);
  const { serialNumber: _, metadata, components, dependencies, ...bill } = JSON.parse(listed.stdout);
  const built = ["server", "web"].flatMap((part) =>
    packagesIn(readFileSync(join(root, "dist", part, noticesFile), "utf8")),
  );
  const isNode = (name) => /^node-(?:bin-)?(?:linux|darwin)-/.test(name);
  const bundled = new Set(built.filter((name) => node !== null || !isNode(name)));
  const own = [...components, ...copiedComponents].filter(isIn(bundled));
  const refs = new Set([metadata.component["bom-ref"], ...own.map((component) => component["bom-ref"])]);
  const missing = [...bundled].filter((name) => !own.some((component) => isIn(new Set([name]))(component)));
  if (missing.length > 0) throw new Error(`The lockfile does not list ${missing.join(", ")}.`);
  const { name } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
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
  const root = join(import.meta.dirname, "../..");
  process.exitCode = await buildChanges(root);
  if (process.exitCode === 0)
    process.stdout.write(billOfMaterials(root, { node: nodeFolder(root), seconds: Date.now() / 1_000 }));
}
