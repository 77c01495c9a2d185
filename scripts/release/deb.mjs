// The package for Debian: the unpacked release in /usr/lib/bauta, the unit of deploy/ with a user of its own, and what is in deb/.
import { createHash } from "node:crypto";
import {
  chmodSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { run } from "./build.mjs";
import { manualPage } from "./manualPage.mjs";
import { description, product, version } from "./stage.mjs";

const own = (name) => readFileSync(join(import.meta.dirname, "deb", name), "utf8");

/** Debian's names of the platforms that the server is for. */
const architectures = { "linux-x64": "amd64", "linux-arm64": "arm64" };

/** Who builds it, by the variables that Debian's own tools read. */
const maintainer = `${process.env["DEBFULLNAME"] ?? "The Bauta authors"} <${process.env["DEBEMAIL"] ?? "root@localhost"}>`;

/** A unit of deploy/ for the places of the package, and for a user who stays: root works with the data beside the server. */
export const unitFor = (text) =>
  text
    .replace(/^#.*\n/, "")
    .replaceAll("/opt/bauta/bauta.env", "/etc/bauta/bauta.conf")
    .replaceAll("/opt/bauta/backup.asc", "/etc/bauta/backup.asc")
    .replaceAll("/opt/bauta", "/usr/lib/bauta")
    .replace(/^DynamicUser=yes\n(?:User=bauta\n)?/m, "User=bauta\nGroup=bauta\n");

const control = ({ architecture, kilobytes }) => `Package: ${product}
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${kilobytes}
Depends: adduser, debconf (>= 0.5) | debconf-2.0, init-system-helpers (>= 1.54), libatomic1, libc6 (>= 2.28), libstdc++6 (>= 11)
Section: mail
Priority: optional
Description: ${description.replace(/^./, (letter) => letter.toLowerCase())}
 Gives each shop and newsletter an address of its own, a mask, and forwards its
 mail to the real inbox under the sender's name, until the mask is switched off.
 .
 Web app, mail relay and database are one process, which needs no other service.
`;

const copyright = (license) => `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Bauta
Comment: The packages in it, Node among them, have their licenses in /usr/lib/bauta/dist/server/THIRD-PARTY-NOTICES.txt,
 /usr/lib/bauta/dist/web/THIRD-PARTY-NOTICES.txt and /usr/lib/bauta/cli/dist/THIRD-PARTY-NOTICES.txt.

Files: *
Copyright: ${/^Copyright \(c\) (.*)$/m.exec(license)[1]}
License: Expat
${license
  .slice(license.indexOf("Permission is"))
  .trimEnd()
  .split("\n")
  .map((line) => ` ${line || "."}`)
  .join("\n")}
`;

const changelog = (seconds) => `${product} (${version}) unstable; urgency=medium

  * What has changed: /usr/lib/bauta/CHANGELOG.md

 -- ${maintainer}  ${new Date(seconds * 1_000).toUTCString().replace("GMT", "+0000")}
`;

/** What the packaged tree has in another place: [from, to]. */
const moved = [
  ["docs", "usr/share/doc/bauta/docs"],
  ["deploy", "usr/share/doc/bauta/examples"],
  ["README.md", "usr/share/doc/bauta/README.md"],
  ["SECURITY.md", "usr/share/doc/bauta/SECURITY.md"],
];

/** The commands in /usr/bin, and the programs that they start. */
const commands = { bauta: "dist/server/bauta.js", "bauta-cli": "cli/bauta-cli.js" };

/** What the package manager does in place of npm, or says elsewhere. */
const left = ["LICENSE", "package-lock.json", "scripts"];

/** Writes the package into a folder; returns its name. */
export const writeDeb = ({ parent, tree, out, platform, seconds }) => {
  const architecture = architectures[platform];
  if (!architecture) throw new Error(`There is no Debian package for ${platform}.`);
  const root = join(parent, "deb");
  const put = (path, content, mode = 0o644) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    chmodSync(join(root, path), mode);
  };
  const move = (from, to) => {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    renameSync(from, join(root, to));
  };
  for (const unit of globSync("*.{service,timer}", { cwd: join(tree, "deploy") }))
    put(`usr/lib/systemd/system/${unit}`, unitFor(readFileSync(join(tree, "deploy", unit), "utf8")));
  put("usr/share/doc/bauta/copyright", copyright(readFileSync(join(tree, "LICENSE"), "utf8")));
  put("usr/share/doc/bauta/changelog.gz", gzipSync(changelog(seconds), { level: 9 }));
  put("etc/bauta/bauta.conf", own("bauta.conf"), 0o600);
  for (const [command, program] of Object.entries(commands)) {
    put(`usr/bin/${command}`, own(command), 0o755);
    const page = manualPage(command, join(tree, program), { version, seconds });
    put(`usr/share/man/man1/${command}.1.gz`, gzipSync(page, { level: 9 }));
  }
  put("usr/share/lintian/overrides/bauta", own("lintian-overrides"));
  for (const [from, to] of moved) move(join(tree, from), to);
  for (const path of left) rmSync(join(tree, path), { recursive: true });
  // usr/bin/bauta-cli starts it with the Node of the package; by its first line it would need Debian's.
  const commandLine = join(tree, "cli/bauta-cli.js");
  writeFileSync(commandLine, readFileSync(commandLine, "utf8").replace(/^#!.*\n/, ""));
  chmodSync(commandLine, 0o644);
  move(tree, "usr/lib/bauta");
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const kilobytes = files.reduce((sum, file) => sum + Math.ceil(statSync(file).size / 1024), 0);
  const sums = files.toSorted().map((file) => {
    const hash = createHash("md5").update(readFileSync(file)).digest("hex");
    return `${hash}  ${relative(root, file)}\n`;
  });
  put("DEBIAN/control", control({ architecture, kilobytes }));
  put("DEBIAN/conffiles", "/etc/bauta/bauta.conf\n");
  put("DEBIAN/md5sums", sums.join(""));
  put("DEBIAN/templates", own("templates"));
  for (const script of ["preinst", "postinst", "prerm", "postrm"])
    put(`DEBIAN/${script}`, own(script), 0o755);
  run("chmod", ["-R", "u+w,go-w,a+rX", root]);
  chmodSync(join(root, "etc/bauta/bauta.conf"), 0o600);
  const file = `${product}_${version}_${architecture}.deb`;
  run("dpkg-deb", ["--root-owner-group", "-Zxz", "-z3", "--build", root, join(out, file)], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(seconds) },
  });
  return file;
};
