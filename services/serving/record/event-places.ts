import type { RequestVerdict } from "#libs/domain/event.ts";
import type { EventPlace } from "#libs/domain/event-place.ts";
import type { AddressKey } from "#libs/http/index.ts";
import type { Countries } from "../countries/country-table.ts";
import type { CachedAd } from "../directory/snapshot-cache.ts";
import { clientOf } from "../verdict/device.ts";
import type { ToldPlace } from "../verdict/told-place.ts";
import { KnownNames, type NamedPart } from "./known-names.ts";

/** What is known of an event's place, and of who may name it. */
export interface PlacedEvent {
  readonly ad: CachedAd;
  /** The verdict that the request alone allows. */
  readonly verdict: RequestVerdict;
  /** Where it happened, as the request says. */
  readonly told: ToldPlace;
  /** Cut; "" if it is not known. It stays in memory: what leaves it is a hash, and the names of device and browser. */
  readonly userAgent: string;
  /** The address of the visitor who reports it; null if a server does. Only hashes of it leave this process. */
  readonly address: AddressKey | null;
  /** The visitor's whole address; null where a server reports none. Only its country leaves this process. */
  readonly from: { readonly address: string } | null;
}

/**
 * Creates the function that says where an event happened, as it is stored. Call it for events that are stored, and for no others:
 * it makes names known, and looks countries up.
 */
export function createEventPlaces(
  countries: Countries,
  now: () => number,
): (event: PlacedEvent) => EventPlace {
  const names = new KnownNames(now);
  return ({ ad, verdict, told, userAgent, address, from }) => {
    const { workspaceId, rules } = ad;
    // Only an event that may count makes names known: bots visit pages that are none.
    const mayTake = verdict === "valid";
    const bounded = (part: NamedPart) =>
      names.bounded({
        workspaceId,
        owner: rules.owner || workspaceId,
        part,
        name: told[part],
        address,
        mayTake,
      });
    return {
      placement: bounded("placement"),
      path: rules.recordPages ? bounded("path") : "",
      referrer: rules.recordPages ? bounded("referrer") : "",
      country: told.country === "" && from !== null ? countries.of(from.address) : told.country,
      ...clientOf(userAgent),
    };
  };
}
