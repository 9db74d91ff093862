import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { Services } from "../services.ts";
import { mailLinks } from "./links.ts";
import { tellPublisher } from "./publishers.ts";
import { findSale } from "./sales.ts";

/** A creative that was submitted, and whether the publisher knows already that one of this ad waits for them. */
export interface SubmittedCreative {
  readonly workspaceId: string;
  readonly subscriptionId: string;
  readonly adId: string;
  readonly name: string;
  readonly isRevision: boolean;
  readonly isKnownToWait: boolean;
}

/**
 * Queues the mail that a creative waits for review. Until the publisher has decided or asked for changes, further
 * submissions of the ad are the same news and are not told.
 */
export async function tellOfSubmission(
  trx: Transaction<Tables>,
  services: Pick<Services, "limits" | "logger" | "publicUrl">,
  { workspaceId, subscriptionId, adId, name, isRevision, isKnownToWait }: SubmittedCreative,
): Promise<void> {
  if (isKnownToWait) return;
  const sale = await findSale(trx, workspaceId, subscriptionId);
  if (sale === undefined) return;
  const url = mailLinks(services.publicUrl).reviewAd(workspaceId, adId);
  const { workspace, advertiser, tier } = sale;
  await tellPublisher(trx, services, workspaceId, "adWaiting", (language) =>
    language.adWaiting({ workspace, advertiser, tier, ad: name, isRevision, url }),
  );
}
