import { newId } from "#libs/domain/ids.ts";
import { anApprovedAd, aPerson, aPublisher } from "../story.ts";
import type { Call, CallsByName, Ground } from "./ground.ts";

const password = "correct horse battery";

/** What is stored about people, workspaces and advertisers, and the end of it. */
export function privacyCalls({ service, publisher, here, running }: Ground): CallsByName {
  const { id: advertiserId } = running.subscription.advertiser;

  return {
    "account.export": async () => ({ succeed: (api) => api.account.export(), refuse: {} }),
    "account.delete": async () => {
      const leaver = await aPerson(service, "Grace Example");
      const remove: Call = (api) => api.account.delete({ password });
      return {
        by: { 200: leaver.cookie, 409: publisher.person.cookie },
        succeed: remove,
        // The publisher is the only Owner of its workspace.
        refuse: { 409: remove, 422: (api) => api.account.delete({ password: "wrong" }) },
      };
    },
    "advertisers.export": async () => ({
      succeed: (api) => api.advertisers.export({ ...here, advertiserId }),
      refuse: { 404: (api) => api.advertisers.export({ ...here, advertiserId: newId("advertiser") }) },
    }),
    "advertisers.erase": async () => {
      const { subscription, path } = await anApprovedAd(service, publisher);
      await publisher.caller.request("POST", `${path}/reject`, { note: "No." });
      return {
        succeed: (api) => api.advertisers.erase({ ...here, advertiserId: subscription.advertiser.id }),
        refuse: {
          404: (api) => api.advertisers.erase({ ...here, advertiserId: newId("advertiser") }),
          409: (api) => api.advertisers.erase({ ...here, advertiserId }),
        },
      };
    },
    "workspaces.export": async () => ({ succeed: (api) => api.workspaces.export(here), refuse: {} }),
    "workspaces.delete": async () => {
      const { workspace, person } = await aPublisher(service, "Former Weekly");
      return {
        by: { 200: person.cookie },
        succeed: (api) =>
          api.workspaces.delete({ workspaceId: workspace.id, name: "Former Weekly", refund: true }),
        refuse: { 422: (api) => api.workspaces.delete({ ...here, name: "Another Weekly", refund: true }) },
      };
    },
  };
}
