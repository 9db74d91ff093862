import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { settingsPage } from "./settings-page.ts";

it("is what infra/docs/settings.md holds; `npm run settings` writes it", async () => {
  const written = await readFile(new URL("../docs/settings.md", import.meta.url), "utf8");

  expect(written).toBe(settingsPage());
});

it("shows each setting once for each meaning, with who reads it, its default, who needs it and whether it is secret", () => {
  const page = settingsPage().replaceAll("\n  ", " ");

  expect(page).toContain("- `PORT` (all): Port to listen on. Default: 8080; serving: 8081; ingestion: 8083;");
  expect(page).toMatch(/^- `CLICKHOUSE_URL` \(standalone, .*\*\*Needed\*\* by ingestion, management\.$/m);
  expect(page).toMatch(/^- `CLICKHOUSE_PASSWORD`, \*secret\* \(.*\): Password at CLICKHOUSE_URL\.$/m);
  expect(page).toMatch(/^- `MAIL_FROM` .*`Name <address>`.* Default: Placard &lt;placard@localhost>/m);
  expect(page.match(/^- `KAFKA_BROKERS`/gm)).toHaveLength(1);
  expect(page.match(/^- `DATA_DIR`/gm)).toHaveLength(2);
});
