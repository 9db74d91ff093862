import { writeFile } from "node:fs/promises";
import { settingsPage } from "./settings-page.ts";

// The program behind `npm run settings`.
await writeFile(new URL("../docs/settings.md", import.meta.url), settingsPage());
