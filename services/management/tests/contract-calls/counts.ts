import { z } from "zod";
import { newId } from "#libs/domain/ids.ts";
import { type CallsByName, type Ground, note } from "./ground.ts";

/** Counts, reports, and corrections of them. */
export function countCalls({ publisher, here, running }: Ground): CallsByName {
  const ofRunning = { ...here, adId: running.id };
  const noAd = { ...here, adId: newId("ad") };

  const aCorrection = async () => {
    const { text } = await publisher.caller.request(
      "POST",
      `${publisher.path}/ads/${running.id}/corrections`,
      {
        from: "2026-11-20",
        to: "2026-11-21",
        reason: note,
      },
    );
    return z.object({ id: z.string() }).parse(JSON.parse(text)).id;
  };

  return {
    "corrections.list": async () => ({
      succeed: (api) => api.corrections.list(ofRunning),
      refuse: { 404: (api) => api.corrections.list(noAd) },
    }),
    "corrections.create": async () => {
      const correction = { from: "2026-11-20", to: "2026-11-21", reason: note };
      return {
        succeed: (api) => api.corrections.create({ ...ofRunning, ...correction }),
        refuse: {
          404: (api) => api.corrections.create({ ...noAd, ...correction }),
          422: (api) => api.corrections.create({ ...ofRunning, ...correction, to: "2026-11-19" }),
        },
      };
    },
    "corrections.apply": async () => {
      const correctionId = await aCorrection();
      return {
        succeed: (api) => api.corrections.apply({ ...ofRunning, correctionId }),
        refuse: { 404: (api) => api.corrections.apply({ ...ofRunning, correctionId: newId("correction") }) },
      };
    },
    "corrections.revoke": async () => {
      const correctionId = await aCorrection();
      return {
        succeed: (api) => api.corrections.revoke({ ...ofRunning, correctionId }),
        refuse: { 404: (api) => api.corrections.revoke({ ...ofRunning, correctionId: newId("correction") }) },
      };
    },
    "ads.stats": async () => ({
      succeed: (api) => api.ads.stats({ ...ofRunning, days: 7 }),
      refuse: {
        404: (api) => api.ads.stats(noAd),
        422: (api) => api.ads.stats({ ...ofRunning, days: 366 }),
      },
    }),
    "ads.traffic": async () => ({
      succeed: (api) => api.ads.traffic({ ...ofRunning, days: 7 }),
      refuse: {
        404: (api) => api.ads.traffic(noAd),
        422: (api) => api.ads.traffic({ ...ofRunning, days: 0 }),
      },
    }),
    "reports.get": async () => ({
      succeed: (api) =>
        api.reports.get({
          ...here,
          from: "2026-11-01",
          to: "2026-11-02",
          granularity: "day",
          groupBy: ["ad", "verdict"],
          source: { isNot: ["server"] },
          compare: "previous",
        }),
      refuse: { 422: (api) => api.reports.get({ ...here, timeZone: "Mars/Olympus" }) },
    }),
    "reports.export": async () => ({
      succeed: (api) => api.reports.export({ ...here, granularity: "week", groupBy: ["tier"] }),
      refuse: { 422: (api) => api.reports.export({ ...here, from: "yesterday" }) },
    }),
    "reports.readers": async () => ({ succeed: (api) => api.reports.readers(here), refuse: {} }),
    "stats.workspace": async () => ({
      succeed: (api) => api.stats.workspace({ ...here, days: 7 }),
      refuse: { 422: (api) => api.stats.workspace({ ...here, days: 0 }) },
    }),
    "stats.traffic": async () => ({
      succeed: (api) => api.stats.traffic({ ...here, days: 7 }),
      refuse: { 422: (api) => api.stats.traffic({ ...here, days: 0 }) },
    }),
  };
}
