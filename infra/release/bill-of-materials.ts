import { z } from "zod";

const lockfile = z.object({
  version: z.string(),
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().default(""),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().default(false),
      optional: z.boolean().default(false),
      devOptional: z.boolean().default(false),
    }),
  ),
});

/**
 * The npm packages of the image as CycloneDX 1.5, with versions, hashes and licences, from the lockfile: what neither development nor the
 * embedded engines need. (`npm sbom --omit` goes by a package's nearest dependents, and names others.) Node and its system are the base image's.
 */
export function billOfMaterials(lock: unknown, created: Date) {
  const { version, packages } = lockfile.parse(lock);
  const shipped = Object.entries(packages).filter(
    ([path, { dev, optional, devOptional }]) => path !== "" && !dev && !optional && !devOptional,
  );
  const components = shipped.map(([path, { resolved, integrity, license, ...locked }]) => {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const purl = `pkg:npm/${name.replace("@", "%40")}@${locked.version}`;
    return {
      type: "library",
      "bom-ref": purl,
      name,
      version: locked.version,
      purl,
      ...(integrity === undefined ? {} : { hashes: [asHash(integrity)] }),
      ...(license === undefined ? {} : { licenses: [asLicense(license)] }),
      ...(resolved === undefined ? {} : { externalReferences: [{ type: "distribution", url: resolved }] }),
    };
  });
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: {
      timestamp: created.toISOString(),
      component: { type: "application", "bom-ref": "placard", name: "placard", version },
    },
    components: [...new Map(components.map((one) => [one.purl, one])).values()],
  };
}

function asHash(integrity: string) {
  const [algorithm = "", content = ""] = integrity.split("-");
  return {
    alg: algorithm.replace("sha", "SHA-"),
    content: Buffer.from(content, "base64").toString("hex"),
  };
}

/** One identifier of SPDX, or an expression of several. */
function asLicense(license: string) {
  return /\s/.test(license) ? { expression: license } : { license: { id: license } };
}
