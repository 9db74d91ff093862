import type { AdStatus } from "#libs/domain/review.ts";
import { hasUtm, type Utm, withUtm } from "#libs/domain/utm.ts";
import { hasNoUserInfo, isWebUrl } from "#libs/domain/web-url.ts";
import type { SnapshotAd } from "./port.ts";

interface AddressRow {
  readonly status: AdStatus;
  readonly name: string;
  readonly tier: string;
  readonly website_url: string;
  readonly erased_at: Date | null;
}

/** The addresses of an ad for its page and for links. Without UTM parameters the served address is the advertiser's, letter by letter. */
export function addressesOf(row: AddressRow, utm: Utm): Pick<SnapshotAd, "websiteUrl" | "clickUrl"> {
  const clickUrl = clickUrlOf(row, utm);
  return { websiteUrl: hasUtm(utm) && clickUrl !== null ? clickUrl : row.website_url, clickUrl };
}

/** Null for an ad that is not approved. An ad that nobody pays for any more keeps its address: old newsletters still link to it. */
function clickUrlOf(ad: AddressRow, utm: Utm): string | null {
  const { status, name, tier, website_url: address, erased_at } = ad;
  const isShown = status === "Approved" && erased_at === null && isWebUrl(address) && hasNoUserInfo(address);
  return isShown ? withUtm(address, utm, { ad: name, tier }) : null;
}
