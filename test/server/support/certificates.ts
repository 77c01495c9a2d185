import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Certificate {
  /** PEM, with the issuer after the certificate. */
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority of a test. */
export interface TestAuthority {
  readonly cert: string;
  readonly issue: (name: string) => Certificate;
}

const run = (...args: readonly string[]): void => {
  execFileSync("openssl", args, { stdio: "ignore" });
};

/** Creates an authority with openssl. */
export const createTestAuthority = (): TestAuthority => {
  const folder = mkdtempSync(join(tmpdir(), "bauta-ca-"));
  const at = (name: string): string => join(folder, name);
  const read = (name: string): string => readFileSync(at(name), "utf8");
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  try {
    run(
      "req",
      "-x509",
      ...curve,
      "-keyout",
      at("ca.key"),
      "-out",
      at("ca.pem"),
      "-subj",
      "/CN=Test authority",
    );
    const [cert, authorityKey] = [read("ca.pem"), read("ca.key")];
    return {
      cert,
      issue: (name) => {
        const place = mkdtempSync(join(tmpdir(), "bauta-cert-"));
        const file = (one: string): string => join(place, one);
        try {
          writeFileSync(file("ca.pem"), cert);
          writeFileSync(file("ca.key"), authorityKey);
          writeFileSync(file("ext"), `subjectAltName=DNS:${name}\n`);
          run("req", ...curve, "-keyout", file("key"), "-out", file("csr"), "-subj", `/CN=${name}`);
          const by = ["-CA", file("ca.pem"), "-CAkey", file("ca.key"), "-CAcreateserial"];
          run("x509", "-req", "-in", file("csr"), ...by, "-extfile", file("ext"), "-out", file("cert"));
          return { cert: readFileSync(file("cert"), "utf8") + cert, key: readFileSync(file("key"), "utf8") };
        } finally {
          rmSync(place, { recursive: true, force: true });
        }
      },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
