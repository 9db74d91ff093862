import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as ingestion from "../../services/ingestion/start/configuration.ts";
import * as management from "../../services/management/start/configuration.ts";
import * as serving from "../../services/serving/start/configuration.ts";
import { EXAMPLE_ENV } from "./example-env.ts";
import { type ComposeService, readCompose } from "./interpolated.ts";

const { services, networks, volumes } = readCompose(EXAMPLE_ENV);
const DOCS = new URL("../docs/", import.meta.url);
/** It makes a bucket and ends. */
const ONE_SHOT = "bucket";
const ENGINES = ["postgres", "redis", "kafka", "clickhouse", "minio"];
const OURS = ["serving", "ingestion", "management"];
const PROGRAMS = [
  { name: "serving", read: serving.readConfiguration, settings: serving.servingServiceSettings },
  { name: "ingestion", read: ingestion.readConfiguration, settings: ingestion.ingestionServiceSettings },
  { name: "management", read: management.readConfiguration, settings: management.managementServiceSettings },
];
/** What the containers decide. */
const FIXED: Readonly<Record<string, string>> = {
  HOST: "a container listens on its own address",
  PORT: "the proxy and the health checks know it",
  DATA_DIR: "the volume is mounted there",
  SPILL_DIR: "the volume is mounted there",
  TLS_CERT_FILE: "TLS ends at the proxy, or in front of it",
  TLS_KEY_FILE: "TLS ends at the proxy, or in front of it",
};
const everyService = Object.entries(services);

function networksOf({ networks: given }: ComposeService): readonly string[] {
  return Array.isArray(given) ? given : Object.keys(given);
}

function named(name: string): ComposeService {
  const service = services[name];
  if (service === undefined) throw new Error(`infra/compose.yaml has no ${name}`);
  return service;
}

describe("every container", () => {
  it.each(everyService)("%s is pinned, limited, and can gain no privilege", (name, service) => {
    const limits = service.deploy?.resources?.limits;

    expect(service.image).toMatch(OURS.includes(name) ? /^placard:local$/ : /:(?!latest)[\w.-]*\d[\w.-]*$/);
    expect(limits?.cpus).toMatch(/^\d/);
    expect(limits?.memory).toMatch(/^\d+[MG]$/);
    expect(service.security_opt).toContain("no-new-privileges:true");
  });

  it.each(everyService.filter(([name]) => name !== ONE_SHOT))(
    "%s restarts, and has a health check",
    (_name, service) => {
      // Also ours, though the image has one: podman drops it, and what depends on a healthy container would wait for ever.
      expect(service.healthcheck?.test.length).toBeGreaterThan(1);
      expect(service.restart).toBe("unless-stopped");
    },
  );

  it.each(everyService)("%s stores data only in declared volumes", (_name, service) => {
    const kept = (service.volumes ?? []).map((volume) => volume.split(":")[0] ?? "");
    const undeclared = kept.filter((source) => !source.startsWith(".") && !(source in volumes));

    expect(undeclared).toEqual([]);
  });
});

describe("networks", () => {
  it("publishes the proxy and Grafana, by default to this machine alone, and nothing else", () => {
    const published = everyService.flatMap(([name, { ports = [] }]) =>
      ports.map((port) => `${name} ${port}`),
    );

    expect(published).toEqual(["proxy 127.0.0.1:8080:8080", "grafana 127.0.0.1:3000:3000"]);
  });

  it("are the same each time they are made where somebody is known by an address in them", () => {
    const rangeOf = (name: string) => networks[name]?.ipam?.config[0]?.subnet;
    const gateway = rangeOf("front")?.replace(/\.0\/24$/, ".1");

    expect(named("serving").environment?.TRUST_PROXY).toBe(rangeOf("edge"));
    for (const page of ["compose.md", "cdn.md"]) {
      expect(readFileSync(new URL(page, DOCS), "utf8")).toContain(gateway);
    }
  });

  it.each([...ENGINES, ONE_SHOT])("%s is on no network with a way in or out", (name) => {
    const open = networksOf(named(name)).filter((network) => networks[network]?.internal !== true);

    expect(open).toEqual([]);
  });

  it("keeps what faces the internet away from every engine but the bucket", () => {
    const shared = ENGINES.filter((name) =>
      networksOf(named(name)).some((network) => networksOf(named("proxy")).includes(network)),
    );

    expect(shared).toEqual(["minio"]);
  });

  it("lets only management out, to the payment processor and the like", () => {
    const outside = everyService.filter(([, service]) => networksOf(service).includes("outside"));

    expect(outside.map(([name]) => name)).toEqual(["management"]);
  });

  it("lets Alertmanager out to its receivers by a network that it shares with nobody", () => {
    const alerting = everyService.filter(([, service]) => networksOf(service).includes("alerting"));

    expect(alerting.map(([name]) => name)).toEqual(["alertmanager"]);
    expect(networksOf(named("alertmanager"))).not.toContain("engines");
  });
});

describe("our services", () => {
  it.each(PROGRAMS)(
    "$name starts with these settings, and reads every one of them",
    ({ name, read, settings }) => {
      const { environment = {} } = named(name);
      const known = Object.values(settings).map(({ variable }) => variable);

      expect(() => read(environment)).not.toThrow();
      expect(Object.keys(environment).filter((variable) => !known.includes(variable))).toEqual([]);
    },
  );

  it.each(PROGRAMS)("$name takes every setting from infra/.env that is not fixed", ({ name, settings }) => {
    const variables = Object.values(settings).map(({ variable }) => variable);
    const open = variables.filter((variable) => !(variable in FIXED));
    const given = readCompose({
      ...EXAMPLE_ENV,
      ...Object.fromEntries(open.map((one) => [one, `my ${one}`])),
    });

    expect(
      open.filter((variable) => given.services[name]?.environment?.[variable] !== `my ${variable}`),
    ).toEqual([]);
  });

  it("signs uploads for a bucket at Amazon, with a role's credentials, where the endpoint and the keys are empty", () => {
    const { services: given } = readCompose({
      ...EXAMPLE_ENV,
      S3_BUCKET: "example-uploads",
      S3_REGION: "eu-central-1",
      S3_ENDPOINT: "",
      S3_FORCE_PATH_STYLE: "false",
      S3_ACCESS_KEY_ID: "",
      S3_SECRET_ACCESS_KEY: "",
    });

    const { bucket } = management.readConfiguration(given.management?.environment ?? {});

    expect(bucket).toMatchObject({ bucket: "example-uploads", region: "eu-central-1" });
    expect([bucket.endpoint, bucket.credentials]).toEqual([undefined, undefined]);
  });

  it.each(OURS)("%s reads certificates and lists below /etc/placard", (name) => {
    expect(named(name).volumes).toContain("./compose/files:/etc/placard:ro");
  });

  it.each(ENGINES)("runs without %s where it is elsewhere", (engine) => {
    expect(named(engine).profiles).toEqual([engine]);
    const needs = OURS.flatMap((name) => named(name).depends_on?.[engine] ?? []);
    expect(needs.filter(({ required = true }) => required)).toEqual([]);
  });

  it.each(OURS)("%s has a root that nothing writes to, and no capability", (name) => {
    const service = named(name);

    expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
    expect(service.command).toEqual([`services/${name}/main.ts`]);
  });

  it("leaves no volume without a name behind of those that Kafka's image declares", () => {
    const { volumes: kept = [], tmpfs = [] } = named("kafka");
    const mounted = [...kept.map((volume) => volume.split(":")[1]), ...tmpfs.map((one) => one.split(":")[0])];

    expect(mounted.sort()).toEqual(["/etc/kafka/secrets", "/mnt/shared/config", "/var/lib/kafka/data"]);
  });

  it("lets the spill outlive its container", () => {
    const { volumes: kept, environment } = named("serving");

    expect(kept).toContain("spill:/var/lib/placard");
    expect(environment?.SPILL_DIR).toMatch(/^\/var\/lib\/placard\//);
  });
});

it("runs as many containers of serving and of ingestion as infra/.env says", () => {
  const { services: given } = readCompose({ ...EXAMPLE_ENV, SERVING_REPLICAS: "2", INGESTION_REPLICAS: "3" });

  expect([services.serving?.deploy?.replicas, services.ingestion?.deploy?.replicas]).toEqual(["1", "1"]);
  expect([given.serving?.deploy?.replicas, given.ingestion?.deploy?.replicas]).toEqual(["2", "3"]);
});

describe.each(readdirSync(DOCS).filter((file) => file.endsWith(".md")))("%s", (page) => {
  it("names the file in each command of Compose, as it is not where Compose looks by itself", () => {
    const text = readFileSync(new URL(page, DOCS), "utf8");
    const commands = [...text.matchAll(/docker compose\b[^\n`]*/g)].map(([command]) => command);

    expect(
      commands.filter((command) => !command.startsWith("docker compose --file infra/compose.yaml")),
    ).toEqual([]);
  });
});

it("lets ClickHouse's operator, who may do everything, in from its own container alone", () => {
  const users = readFileSync(new URL("clickhouse-users.xml", import.meta.url), "utf8");
  const [, operator = ""] = /<operator>(.*)<\/operator>/s.exec(users) ?? [];

  expect([...operator.matchAll(/<ip>(.*?)<\/ip>/g)].map(([, network]) => network)).toEqual([
    "127.0.0.1",
    "::1",
  ]);
  expect(operator).toContain('<password from_env="CLICKHOUSE_PASSWORD"/>');
});

it("names the profiles of an installation whose infra/.env is from before there were any", () => {
  const { COMPOSE_PROFILES: _none, ...older } = EXAMPLE_ENV;

  expect(() => readCompose(older)).toThrow(
    /add COMPOSE_PROFILES=postgres,redis,kafka,clickhouse,minio to infra/,
  );
});

describe("secrets", () => {
  it.each([
    "SECRET_KEY",
    "POSTGRES_PASSWORD",
    "REDIS_PASSWORD",
    "CLICKHOUSE_PASSWORD",
    "MINIO_ROOT_PASSWORD",
  ])("does not start without %s", (variable) => {
    expect(() => readCompose({ ...EXAMPLE_ENV, [variable]: "" })).toThrow(
      /run infra\/compose\/make-env first/,
    );
  });

  it("has none in the file itself", () => {
    const secrets = everyService.flatMap(([name, { environment = {} }]) =>
      Object.entries(environment)
        .filter(([variable]) => /PASSWORD|SECRET/.test(variable))
        .filter(([, value]) => value !== "" && !/^(\d)\1{63}$/.test(value))
        .map(([variable]) => `${name} ${variable}`),
    );

    expect(secrets).toEqual([]);
  });
});
