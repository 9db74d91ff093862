// What /embed.mjs exports; described in types/embed.d.mts.
import { pageAllocation } from "./allocation.ts";
import { baseOf } from "./base.ts";
import { fetchAds, sendClick } from "./client.ts";
import { postImpression } from "./impressions.ts";
import type * as Module from "./types/embed.d.mts";

export { whenInView } from "./in-view.ts";

const SOURCE = import.meta.url;

export const getAds: typeof Module.getAds = async ({ origin, signal, ...request }) =>
  await fetchAds(baseOf(origin, SOURCE), request, signal);

export const claimAds: typeof Module.claimAds = async ({ origin, signal, ...request }) => {
  const base = baseOf(origin, SOURCE);
  return await pageAllocation().claim(base, request, (asked) => fetchAds(base, asked), signal);
};

export const trackImpression: typeof Module.trackImpression = async (
  adId,
  { origin, placement, proof } = {},
) => await postImpression(baseOf(origin, SOURCE), adId, placement, proof);

export const trackClick: typeof Module.trackClick = (adId, { origin, placement, proof } = {}) =>
  sendClick(baseOf(origin, SOURCE), adId, placement, proof);
