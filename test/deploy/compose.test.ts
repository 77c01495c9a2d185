import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { parse } from "yaml";
import { readConfig } from "../../server/platform/config/config.ts";
import { settingTable } from "../../server/platform/config/settingTable.ts";

const deploy = join(import.meta.dirname, "../../deploy");
const containerfile = readFileSync(join(deploy, "Containerfile"), "utf8");

interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const readCompose = (name: string): Compose =>
  parse(readFileSync(join(deploy, name), "utf8"), { merge: true }) as Compose;

const files = readdirSync(deploy).filter((name) => name.startsWith("compose"));
const documented = Object.keys(settingTable);
const settingsOf = (words: string): readonly string[] => words.match(/\b[A-Z][A-Z0-9_]+(?==)/g) ?? [];

describe("The files for containers", () => {
  it("are two compose files, the container file, the unit and the balancer's", () => {
    expect(files.toSorted()).to.deep.equal(["compose.postgresql.yaml", "compose.yaml"]);
  });

  for (const name of files)
    describe(name, () => {
      const { services, volumes } = readCompose(name);
      const ours = Object.values(services).filter(({ image }) => image === "localhost/bauta");
      const all = Object.values(services);

      it("sets settings that exist, with values that the server accepts", () => {
        expect(ours).not.to.deep.equal([]);
        for (const { environment = {} } of ours) {
          for (const setting of Object.keys(environment)) expect(documented).to.include(setting);
          const values = Object.entries(environment).map(([key, value]) => [
            key,
            value.replace(/\$\{POSTGRES_PASSWORD[^}]*\}/g, "secret"),
          ]);
          expect(() =>
            readConfig({ ...Object.fromEntries(values), MASK_DOMAIN: "masks.example.org" }),
          ).not.to.throw();
        }
      });

      it("maps the ports that the settings open", () => {
        for (const { environment = {}, ports = [] } of ours) {
          const open = Object.entries(environment).flatMap(([key, value]) =>
            key.endsWith("PORT") ? [value] : [],
          );
          for (const port of ports) expect(open).to.include(port.split(":")[1]);
        }
      });

      it("names services, volumes and files that exist", () => {
        for (const { depends_on = {}, volumes: mounted = [] } of all) {
          expect(services).to.include.keys([...Object.keys(depends_on), ...Object.keys(services)]);
          for (const mount of mounted) {
            const [from = ""] = mount.split(":");
            if (!from.startsWith("./")) expect(volumes).to.have.property(from);
            else if (from !== "./certificate.pem")
              expect(existsSync(join(deploy, from)), from).to.equal(true);
          }
        }
      });

      it("gives the server a read-only root and no capabilities", () => {
        for (const { read_only, cap_drop } of ours)
          expect([read_only, cap_drop]).to.deep.equal([true, ["ALL"]]);
      });
    });

  it("let the balancer reach every process of the compose file, which it trusts", () => {
    const { services } = readCompose("compose.postgresql.yaml");
    const balanced = [
      ...readFileSync(join(deploy, "haproxy.cfg"), "utf8").matchAll(/^ {2}server (\w+) (\w+):3000 /gm),
    ];
    const ours = Object.keys(services).filter((one) => services[one]?.image === "localhost/bauta");
    expect(balanced.map(([, , host]) => host)).to.deep.equal(ours);
    expect(services["bauta1"]?.environment).to.have.property("TRUSTED_PROXIES");
  });

  it("include a container file that runs the built server, not as root, with settings that exist", () => {
    for (const setting of settingsOf(containerfile.split("FROM scratch")[1] ?? ""))
      if (!["NODE_ENV", "BAUTA_SETTINGS", "MALLOC_TRIM_THRESHOLD_"].includes(setting))
        expect(documented).to.include(setting);
    expect(containerfile).to.match(/^USER 10001:10001$/m);
    for (const [, path = ""] of containerfile.matchAll(/\/opt\/bauta\/(dist\/server\/[\w.]+)/g))
      expect(existsSync(join(deploy, "..", path)), path).to.equal(true);
  });
});

describe("The files for a cluster", () => {
  const cluster = join(deploy, "cluster");
  const read = (name: string): string => readFileSync(join(cluster, name), "utf8");
  const { services, volumes } = readCompose("cluster/compose.yaml");
  const variablesOf = (file: string): readonly string[] =>
    [...file.matchAll(/^([A-Z]\w+)=/gm)].map(([, name = ""]) => name);
  const named = [
    ...new Set(Array.from(read("haproxy.cfg").matchAll(/\$\{(\w+)\}/g), ([, name = ""]) => name)),
  ];

  it("give the balancer every variable that it reads, and no other", () => {
    expect(variablesOf(read("haproxy.env"))).to.have.members(named);
    expect(Object.keys(services["balancer"]?.environment ?? {})).to.have.members(named);
  });

  it("set settings that exist, with values that the server accepts", () => {
    const values = [...read("settings.env").matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [
      name,
      value,
    ]);
    const ofCompose = services["bauta1"]?.environment ?? {};
    for (const settings of [Object.fromEntries(values), ofCompose]) {
      expect(documented).to.include.members(Object.keys(settings));
      const filled = { ...settings, DATABASE_URL: "postgresql://bauta@balancer/bauta" };
      expect(readConfig(filled).smtpBalancers).not.to.deep.equal([]);
    }
  });

  it("name images, volumes and files that exist, three of each kind of process", () => {
    for (const kind of ["etcd", "database", "bauta"])
      expect(Object.keys(services).filter((name) => name.startsWith(kind))).to.have.lengthOf(3);
    for (const { volumes: mounted = [] } of Object.values(services))
      for (const mount of mounted) {
        const [from = ""] = mount.split(":");
        if (from.startsWith("./")) expect(existsSync(join(cluster, from)), from).to.equal(true);
        else expect(volumes).to.have.property(from);
      }
  });

  it("tell nodes of the database apart by their names and addresses alone", () => {
    const { environment: first = {} } = services["database1"] ?? {};
    const { environment: second = {} } = services["database2"] ?? {};
    const different = Object.keys(first).filter((name) => first[name] !== second[name]);
    expect(different).to.have.members([
      "PATRONI_NAME",
      "PATRONI_RESTAPI_CONNECT_ADDRESS",
      "PATRONI_POSTGRESQL_CONNECT_ADDRESS",
    ]);
    expect(variablesOf(read("patroni.env"))).to.have.members(Object.keys(first));
  });
});
