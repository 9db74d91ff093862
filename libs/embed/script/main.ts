// What /embed.js does; window.placard is described in types/embed.d.mts.
import { pageAllocation } from "../allocation.ts";
import { baseOf } from "../base.ts";
import { fetchAds, sendClick } from "../client.ts";
import { postImpression } from "../impressions.ts";
import type { PlacardScript } from "../types/embed.d.mts";
import { routeOf } from "./page-view.ts";
import { SETTING_ATTRIBUTES } from "./settings.ts";
import { Slot, type SlotWork } from "./slot.ts";

/** Slots on one page. */
const MOST_SLOTS = 50;
/** Scans a page that changes all the time at most ten times a second. */
const SCAN_AFTER_MS = 100;

function start(): void {
  const script = document.currentScript ?? document.querySelector('script[src*="/embed.js"]');
  if (window.placard !== undefined || !(script instanceof HTMLScriptElement)) return;
  const base = baseOf(undefined, script.src);
  const track: Pick<PlacardScript, "trackImpression" | "trackClick"> = {
    trackImpression: (adId, { origin, placement = script.dataset.placement } = {}) =>
      postImpression(baseOf(origin, script.src), adId, placement),
    trackClick: (adId, { origin, placement = script.dataset.placement } = {}) =>
      sendClick(baseOf(origin, script.src), adId, placement),
  };
  const seen = new Set<string>();
  const slots = new Map<HTMLElement, Slot>();
  let route = routeOf(location);
  let scanning: ReturnType<typeof setTimeout> | undefined;
  let hasWarned = false;

  const work: SlotWork = {
    claim: (request, signal) =>
      pageAllocation().claim(base, request, (asked) => fetchAds(base, asked), signal),
    markSeen: (adId) => !seen.has(adId) && seen.add(adId) !== undefined,
    ...track,
  };

  function slotOf(element: HTMLElement): Slot | undefined {
    const known = slots.get(element);
    if (known !== undefined) return known;
    if (slots.size === MOST_SLOTS) {
      if (!hasWarned) console.warn(`Placard fills only ${MOST_SLOTS} slots.`);
      hasWarned = true;
      return undefined;
    }
    const slot = new Slot(element, work);
    slots.set(element, slot);
    return slot;
  }

  function dropGone(): void {
    for (const [element, slot] of slots) {
      if (element.isConnected && element.dataset.placard) continue;
      slot.close();
      slots.delete(element);
    }
  }

  function scan(isOnlineAgain = false): void {
    clearTimeout(scanning);
    scanning = undefined;
    const isNewView = route !== routeOf(location);
    if (isNewView) beginView();
    dropGone();
    for (const element of document.querySelectorAll<HTMLElement>("[data-placard]:not([data-placard=''])")) {
      const slot = slotOf(element);
      if (slot === undefined) break;
      if (isNewView || slot.isDue(isOnlineAgain)) void slot.fill();
    }
  }

  function beginView(): void {
    route = routeOf(location);
    seen.clear();
  }

  function refresh(): void {
    beginView();
    dropGone();
    for (const slot of slots.values()) void slot.fill();
  }

  function scanSoon(): void {
    scanning ??= setTimeout(() => scan(), SCAN_AFTER_MS);
  }

  window.placard = {
    async fill(element) {
      dropGone();
      await slotOf(element)?.fill();
    },
    refresh,
    getAds: ({ origin, signal, ...request }) => fetchAds(baseOf(origin, script.src), request, signal),
    ...track,
  };
  // The browser's back/forward cache shows the page again: a new view.
  addEventListener("pageshow", ({ persisted }) => persisted && refresh());
  if (script.dataset.placardManual !== undefined) return;

  new MutationObserver(scanSoon).observe(document, {
    childList: true,
    subtree: true,
    attributeFilter: SETTING_ATTRIBUTES,
  });
  addEventListener("popstate", scanSoon);
  addEventListener("hashchange", scanSoon);
  if ("navigation" in window) window.navigation.addEventListener("currententrychange", scanSoon);
  addEventListener("online", () => scan(true));
  scan();
}

start();
