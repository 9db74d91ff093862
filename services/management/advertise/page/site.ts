import type { Services } from "../../services.ts";
import type { Assets } from "./assets.ts";

/** What every page is made with. */
export interface Site {
  readonly services: Services;
  readonly assets: Assets;
}
