import type { PlacardClient } from "#libs/client/index.ts";
import type { ManagementUnderTest } from "../management.ts";
import { aField, anApprovedAd, aPublisher, aTier } from "../story.ts";

export type Call = (api: PlacardClient) => Promise<unknown>;

/** The calls that bring an endpoint to each of its answers. */
export interface Calls {
  /** Answered with 200. */
  readonly succeed: Call;
  /** Answered with that error; the 409 is tried after the success, which is often what causes it. */
  readonly refuse: Partial<Record<404 | 409 | 422, Call>>;
  /** The session cookie of who has to make a call; else it is an Owner, with a key wherever one is taken. */
  readonly by?: Partial<Record<200 | 409, string>>;
}

/** What each endpoint needs is arranged when its turn has come. */
export type CallsByName = Record<string, () => Promise<Calls>>;

export type Ground = Awaited<ReturnType<typeof prepareGround>>;

export const note = "A clearer name, please.";
export const revised = { name: "Example Roasters", websiteUrl: "https://roasters.example" };

/** A publisher with a tier, a field and an ad on air, which the calls read and leave as they are. */
export async function prepareGround(service: ManagementUnderTest) {
  const publisher = await aPublisher(service);
  const here = { workspaceId: publisher.workspace.id };
  const tier = await aTier(publisher);
  return {
    service,
    publisher,
    here,
    tier,
    priceId: tier.prices[0]?.id ?? "",
    field: await aField(publisher),
    running: await anApprovedAd(service, publisher),
    /** Where an approved ad with an open revision is. */
    async aRevisedAd() {
      const { id: adId, checkout } = await anApprovedAd(service, publisher);
      await checkout.caller.request("POST", `${checkout.path}/ad`, revised);
      return { ...here, adId };
    },
  };
}
