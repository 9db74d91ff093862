import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { CloudRangesError, listOfNetworks, readCloudRanges } from "./cloud-ranges.ts";
import { MAX_NETWORKS, NetworkListError, readNetworks } from "./network-list.ts";

/** The forms as the clouds describe them, with networks for documentation. */
const AMAZON = {
  syncToken: "1767225600",
  createDate: "2026-01-01-00-00-00",
  prefixes: [
    { ip_prefix: "192.0.2.0/24", region: "eu-central-1", service: "AMAZON", network_border_group: "x" },
    { ip_prefix: "192.0.2.0/25", region: "eu-central-1", service: "EC2", network_border_group: "x" },
  ],
  ipv6_prefixes: [{ ipv6_prefix: "2001:db8:1::/48", region: "eu-central-1", service: "EC2" }],
};
const GOOGLE = {
  syncToken: "1767225600000",
  prefixes: [
    { ipv4Prefix: "198.51.100.0/24", service: "Google Cloud", scope: "europe-west3" },
    { ipv6Prefix: "2001:db8:2::/44", service: "Google Cloud", scope: "europe-west3" },
  ],
};
const ORACLE = { regions: [{ region: "eu", cidrs: [{ cidr: "203.0.113.0/25", tags: ["OCI"] }] }] };
const AZURE = {
  values: [
    { name: "AzureFrontDoor", properties: { addressPrefixes: ["203.0.113.0/24"] } },
    { name: "AzureCloud", properties: { addressPrefixes: ["203.0.113.128/25", "2001:db8:3::/48"] } },
  ],
};
const GEOFEED = "# RFC 8805\n192.0.2.128/25,DE,DE-HE,Frankfurt,\n2001:db8:4::/48,US,,,\n\n";

it.each([
  ["Amazon, its customers' machines alone", JSON.stringify(AMAZON), ["192.0.2.0/25", "2001:db8:1::/48"]],
  ["Google", JSON.stringify(GOOGLE), ["198.51.100.0/24", "2001:db8:2::/44"]],
  ["Oracle", JSON.stringify(ORACLE), ["203.0.113.0/25"]],
  ["Azure", JSON.stringify(AZURE), ["203.0.113.128/25", "2001:db8:3::/48"]],
  ["a geofeed", GEOFEED, ["192.0.2.128/25", "2001:db8:4::/48"]],
  ["a list of networks", "203.0.113.7 ; an office\n", ["203.0.113.7"]],
])("reads what %s publishes", async (_who, text, networks) => {
  expect(await readCloudRanges("the source", text)).toEqual(networks);
});

it.each([
  [
    "an error page",
    "<html><body>Not here, sorry</body></html>",
    "is no list of networks: line 1 is no network",
  ],
  ["JSON of another form", '{"prefixes":[{"prefix":"192.0.2.0/24"}]}', "has a form that is not known"],
  ["half of an answer", '{"prefixes":[{"ipv4Pre', "has a form that is not known"],
  ["nothing", "\n", "has no networks"],
  ["a network of everybody", "0.0.0.0/0,ZZ,,,", "would block every address"],
])("refuses %s", async (_what, text, problem) => {
  const reading = readCloudRanges("https://cloud.example/ranges", text);

  await expect(reading).rejects.toThrow(CloudRangesError);
  await expect(reading).rejects.toThrow(problem);
  await expect(reading).rejects.toThrow("https://cloud.example/ranges");
});

it("lists each network once, and no more than may be blocked", async () => {
  const day = new Date("2026-01-01T12:00:00Z");
  const text = await listOfNetworks(
    [
      { source: "one", networks: ["192.0.2.0/24", "192.0.2.0/24", "198.51.100.0/24"] },
      { source: "two", networks: ["192.0.2.0/24", "203.0.113.0/24"] },
    ],
    day,
  );
  const many = Array.from(
    { length: MAX_NETWORKS + 1 },
    (_, n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
  );

  expect(text).toBe(
    "# Networks of clouds, 2026-01-01\n\n# one\n192.0.2.0/24\n198.51.100.0/24\n\n# two\n203.0.113.0/24\n",
  );
  expect(await readNetworks(text)).toHaveLength(3);
  await expect(listOfNetworks([{ source: "many", networks: many }], day)).rejects.toThrow(NetworkListError);
});

it("writes a file by a command, and leaves the last one where a source cannot be read", async () => {
  const folder = await aFolder();
  const [out, own, azure] = ["blocked.txt", "own.txt", "azure.json"].map((name) => join(folder, name));
  await writeFile(own ?? "", "203.0.113.7 # an office\n");
  await writeFile(azure ?? "", JSON.stringify(AZURE));
  const program = new URL("./cloud-ranges-main.ts", import.meta.url).pathname;
  const run = (...words: (string | undefined)[]) =>
    promisify(execFile)(process.execPath, [program, ...words.map((word) => word ?? "")]);

  const { stdout } = await run("--only", "--out", out, own, azure);
  const written = await readFile(out ?? "", "utf8");
  await writeFile(azure ?? "", "{}");
  const failure: unknown = await run("--only", "--out", out, own, azure).catch((error: unknown) => error);
  const unused: unknown = await run("--only").catch((error: unknown) => error);

  expect(stdout).toContain("2 networks: ");
  expect(await readNetworks(written)).toHaveLength(3);
  expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining("has a form that is not known") });
  expect(await readFile(out ?? "", "utf8")).toBe(written);
  expect(unused).toMatchObject({ code: 1, stderr: expect.stringContaining("--out FILE") });
});
