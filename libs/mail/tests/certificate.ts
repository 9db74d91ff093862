import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate that has signed itself, for the names given, as `DNS:localhost` or `IP:127.0.0.1`. */
export async function aCertificate(...names: readonly string[]): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), "placard-certificate-"));
  const cert = join(folder, "cert.pem");
  const key = join(folder, "key.pem");
  try {
    const kind = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    const about = [
      "-subj",
      "/CN=a mail server",
      "-addext",
      `subjectAltName=${names.join(",")}`,
      "-days",
      "2",
    ];
    await promisify(execFile)("openssl", [...kind, ...about, "-keyout", key, "-out", cert]);
    return { cert: await readFile(cert, "utf8"), key: await readFile(key, "utf8") };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
