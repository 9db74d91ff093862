import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { report } from "#libs/contract/reports.ts";
import { NOT_KNOWN } from "#libs/domain/event-place.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { EXAMPLE, exampleWith } from "../../serving/countries/tests/mmdb.ts";
import { startInstallation } from "./installation.ts";
import { aPublisherWithAds } from "./publisher.ts";
import { aVisitor } from "./visitor.ts";

const LONG = { timeout: 20_000, interval: 1_000 };

it("reports visitors by the file's country, keeps a good file over a broken one, and takes a new one without a restart", async () => {
  const folder = await aFolder();
  const file = join(folder, "countries.mmdb");
  const replace = async (content: Buffer) => {
    await writeFile(`${file} new`, content);
    await rename(`${file} new`, file);
  };
  await replace(EXAMPLE);
  const installation = await startInstallation({
    dataDir: join(folder, "data"),
    environment: { GEOIP_FILE: file, TRUST_PROXY: "127.0.0.1", COUNTRY_HEADER: "CF-IPCountry" },
  });
  const { publisher, adIds } = await aPublisherWithAds(installation.url, 1);
  const see = async (address: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${installation.url}/v1/ads/${adIds[0]}/impressions`, {
      method: "POST",
      headers: { "user-agent": aVisitor(1).userAgent, "x-forwarded-for": address, ...headers },
    });
    expect(await response.json()).toEqual({ success: true });
  };

  await see("81.2.69.160");
  await see("81.2.69.161", { "cf-ipcountry": "DE" });
  await see("192.0.2.7");
  await replace(EXAMPLE.subarray(0, 9_000));
  await vi.waitFor(() => expect(installation.stderr).toContain("GEOIP_FILE cannot be used: "), LONG);
  await see("81.2.69.162");
  await replace(exampleWith("IE"));
  await vi.waitFor(async () => {
    const metrics = await (await fetch(`${installation.url}/metrics`)).text();
    expect(metrics).toMatch(/^placard_operator_file_stale{setting="GEOIP_FILE"} 0$/m);
  }, LONG);
  await see("81.2.69.163");

  await vi.waitFor(async () => {
    const { results } = await publisher.caller.ok(
      report,
      "GET",
      `${publisher.path}/reports?groupBy=country&granularity=none`,
    );
    const counts = results.map(({ dimensions, metrics }) => [dimensions.country, metrics.impressions]);
    expect(Object.fromEntries(counts)).toEqual({ GB: 2, DE: 1, IE: 1, [NOT_KNOWN]: 1 });
  }, LONG);
  expect(installation.stderr.match(/GEOIP_FILE/g)).toHaveLength(1);
  await installation.stop();
}, 300_000);
