import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { settingsPage } from "./settings-page.ts";

it("is what infra/docs/settings.md holds; `npm run settings` writes it", async () => {
  const written = await readFile(new URL("../docs/settings.md", import.meta.url), "utf8");

  expect(written).toBe(settingsPage());
});

it("shows for each setting whether it is needed, its default and whether it is secret", () => {
  const page = settingsPage();

  expect(page).toMatch(/^\| `PORT` \| 8080 \| Port to listen on\. \|$/m);
  expect(page).toMatch(
    /^\| `CLICKHOUSE_URL` \| \*\*needed\*\* \| HTTP interface of a ClickHouse server\. \|$/m,
  );
  expect(page).toMatch(/^\| `CLICKHOUSE_PASSWORD` \*secret\* \| none \| Password at CLICKHOUSE_URL\. \|$/m);
  expect(page).toMatch(/^\| `MAIL_FROM` \| Placard &lt;placard@localhost>.* \| .*`Name <address>`/m);
});
