import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import * as config from "#libs/config/index.ts";
import { ingestionServiceSettings } from "../../services/ingestion/start/configuration.ts";
import { managementServiceSettings } from "../../services/management/start/configuration.ts";
import { servingServiceSettings } from "../../services/serving/start/configuration.ts";

const BASE = fileURLToPath(new URL("base/", import.meta.url));
/** Seconds from SIGTERM until a service has stopped, at most. */
const STOPS_WITHIN = 10;
const OURS = ["serving", "ingestion", "management", "migrate"];
const PROGRAMS = [
  { name: "serving", settings: servingServiceSettings },
  { name: "ingestion", settings: ingestionServiceSettings },
  { name: "management", settings: managementServiceSettings },
];
/** What a pod sets itself. Any other setting that is no secret can be added to a ConfigMap of those that its pod takes whole. */
const FIXED: Readonly<Record<string, string>> = {
  SPILL_DIR: "the volume is mounted there",
  S3_ACCESS_KEY_ID: "kept beside its secret",
};
const KNOWN = new Set(
  Object.values(config)
    .flatMap((exported) => (typeof exported === "object" ? Object.values(exported) : []))
    .map(({ variable }) => variable),
);

const container = z.object({
  args: z.array(z.string()),
  envFrom: z.array(z.object({ configMapRef: z.object({ name: z.string() }) })).default([]),
  env: z
    .array(
      z.object({
        name: z.string(),
        value: z.string().optional(),
        valueFrom: z
          .object({
            secretKeyRef: z.object({
              name: z.string(),
              key: z.string(),
              optional: z.boolean().default(false),
            }),
          })
          .optional(),
      }),
    )
    .default([]),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })).default([]),
  lifecycle: z.object({ preStop: z.object({ sleep: z.object({ seconds: z.number() }) }) }).optional(),
  livenessProbe: z.unknown().optional(),
  readinessProbe: z.unknown().optional(),
  resources: z.object({
    requests: z.object({ cpu: z.string(), memory: z.string() }),
    limits: z.object({ memory: z.string() }),
  }),
});
const resource = z.object({
  kind: z.string(),
  metadata: z.object({ name: z.string() }),
  data: z.record(z.string(), z.string()).default({}),
  spec: z
    .object({
      template: z
        .object({
          spec: z.object({
            terminationGracePeriodSeconds: z.number().default(30),
            containers: z.tuple([container]),
          }),
        })
        .optional(),
    })
    .optional(),
});

const resources = readdirSync(BASE)
  .filter((file) => file !== "kustomization.yaml" && file !== "hardening.yaml")
  .flatMap((file) => parseAllDocuments(readFileSync(BASE + file, "utf8")))
  .map((document) => resource.parse(document.toJS()));
const pods = resources.flatMap(({ metadata, spec }) =>
  spec?.template === undefined ? [] : [{ name: metadata.name, pod: spec.template.spec }],
);

function podOf(name: string) {
  const found = pods.find((pod) => pod.name === name);
  if (found === undefined) throw new Error(`infra/kubernetes has no ${name}`);
  const [inside] = found.pod.containers;
  const given = inside.envFrom.flatMap(({ configMapRef }) =>
    Object.keys(
      resources.find(({ kind, metadata }) => kind === "ConfigMap" && metadata.name === configMapRef.name)
        ?.data ?? {},
    ),
  );
  return { inside, pod: found.pod, variables: [...given, ...inside.env.map((variable) => variable.name)] };
}

describe("our pods", () => {
  it.each(OURS)("%s is given no setting that does not exist, and none twice", (name) => {
    const { variables } = podOf(name);

    expect(variables.filter((variable) => !KNOWN.has(variable))).toEqual([]);
    expect(new Set(variables).size).toBe(variables.length);
  });

  it.each(OURS)("%s takes secret settings from the Secret", (name) => {
    const shown = podOf(name).inside.env.filter(
      ({ name: variable, valueFrom }) =>
        /SECRET|PASSWORD|REDIS_URL|DATABASE_URL|SMTP_URL/.test(variable) &&
        valueFrom?.secretKeyRef.name !== "placard",
    );

    expect(shown).toEqual([]);
  });

  it.each(PROGRAMS)(
    "$name takes each of its secrets, those that it can do without if they are there",
    ({ name, settings }) => {
      const secrets = Object.values(settings).filter((one) => one.secret);
      const { env } = podOf(name).inside;

      const wired = env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);

      for (const { variable, schema } of secrets) {
        const isNeeded = !schema.safeParse(undefined).success || variable === "CLICKHOUSE_PASSWORD";
        expect(wired).toContainEqual({ name: "placard", key: variable, optional: !isNeeded });
      }
    },
  );

  it.each(OURS)("%s leaves every other setting to the ConfigMaps, which an overlay adds to", (name) => {
    const set = podOf(name).inside.env.filter(({ valueFrom }) => valueFrom === undefined);

    expect(set.map((one) => one.name).filter((variable) => !(variable in FIXED))).toEqual([]);
  });

  it.each(OURS)("%s reads certificates below /etc/placard", (name) => {
    expect(podOf(name).inside.volumeMounts).toContainEqual({ name: "files", mountPath: "/etc/placard" });
  });

  it.each(pods)("$name has time to stop after it has been taken out of the Service", ({ pod }) => {
    const [{ lifecycle }] = pod.containers;
    const waits = lifecycle?.preStop.sleep.seconds ?? 0;

    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(waits + STOPS_WITHIN + 5);
  });

  it.each(pods.filter(({ name }) => name !== "migrate"))(
    "$name has liveness and readiness probes",
    ({ pod }) => {
      const [{ livenessProbe, readinessProbe }] = pod.containers;

      expect(livenessProbe).toBeDefined();
      expect(readinessProbe).toBeDefined();
    },
  );
});

it("holds no secret", () => {
  expect(resources.filter(({ kind }) => kind === "Secret")).toEqual([]);
});
