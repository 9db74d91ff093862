import { newId } from "#libs/domain/ids.ts";
import { aField, aTier } from "../story.ts";
import type { Call, CallsByName, Ground } from "./ground.ts";

/** Tiers, prices and fields. */
export function catalogueCalls({ publisher, here, tier, field }: Ground): CallsByName {
  const noTier = { ...here, tierId: newId("tier") };
  const noField = { ...here, fieldId: newId("field") };

  return {
    "fields.list": async () => ({
      succeed: (api) => api.fields.list(here),
      refuse: { 422: (api) => api.fields.list({ ...here, page: 1.5 }) },
    }),
    "fields.create": async () => {
      const create: Call = (api) =>
        api.fields.create({ ...here, name: "Colour", type: "Select", key: "colour", options: ["Red"] });
      return {
        succeed: create,
        refuse: {
          409: create,
          422: (api) => api.fields.create({ ...here, name: "Colour", type: "Select" }),
        },
      };
    },
    "fields.get": async () => ({
      succeed: (api) => api.fields.get({ ...here, fieldId: field.id }),
      refuse: { 404: (api) => api.fields.get(noField) },
    }),
    "fields.update": async () => {
      const other = await aField(publisher, { key: "other" });
      return {
        succeed: (api) => api.fields.update({ ...here, fieldId: other.id, maxLength: 40 }),
        refuse: {
          404: (api) => api.fields.update({ ...noField, name: "Slogan" }),
          409: (api) => api.fields.update({ ...here, fieldId: other.id, key: field.key }),
          422: (api) => api.fields.update({ ...here, fieldId: other.id, maxLength: 0 }),
        },
      };
    },
    "fields.delete": async () => {
      const made = await aField(publisher);
      return {
        succeed: (api) => api.fields.delete({ ...here, fieldId: made.id }),
        refuse: { 404: (api) => api.fields.delete(noField) },
      };
    },
    "fields.reorder": async () => ({
      succeed: (api) => api.fields.reorder({ ...here, fields: [{ id: field.id, order: 0 }] }),
      refuse: {
        404: (api) => api.fields.reorder({ ...here, fields: [{ id: newId("field"), order: 0 }] }),
        422: (api) => api.fields.reorder({ ...here, fields: [{ id: field.id, order: -1 }] }),
      },
    }),
    "prices.create": async () => {
      const create: Call = (api) =>
        api.prices.create({
          ...here,
          tierId: tier.id,
          amount: 500,
          intervalCount: 1,
          currency: "jpy",
          interval: "Week",
        });
      return {
        succeed: create,
        refuse: {
          404: (api) => api.prices.create({ ...noTier, amount: 100, intervalCount: 1, currency: "eur" }),
          409: create,
          422: (api) =>
            api.prices.create({
              ...here,
              tierId: tier.id,
              amount: 100,
              intervalCount: 4,
              interval: "Year",
              currency: "eur",
            }),
        },
      };
    },
    "prices.archive": async () => {
      const made = await aTier(publisher);
      const of = { ...here, tierId: made.id };
      return {
        succeed: (api) => api.prices.archive({ ...of, priceId: made.prices[0]?.id ?? "" }),
        refuse: { 404: (api) => api.prices.archive({ ...of, priceId: newId("price") }) },
      };
    },
    "prices.unarchive": async () => {
      const made = await aTier(publisher);
      const of = { ...here, tierId: made.id };
      const archived = { ...of, priceId: made.prices[0]?.id ?? "" };
      const path = `${publisher.path}/tiers/${made.id}/prices`;
      await publisher.caller.request("DELETE", `${path}/${archived.priceId}`);
      return {
        succeed: (api) => api.prices.unarchive(archived),
        refuse: {
          404: (api) => api.prices.unarchive({ ...of, priceId: newId("price") }),
          409: async (api) => {
            await publisher.caller.request("DELETE", `${path}/${archived.priceId}`);
            const shape = { amount: 100, intervalCount: 1, currency: "usd" };
            await publisher.caller.request("POST", path, shape);
            return api.prices.unarchive(archived);
          },
        },
      };
    },
    "tiers.list": async () => ({
      succeed: (api) => api.tiers.list(here),
      refuse: { 422: (api) => api.tiers.list({ ...here, page: -1 }) },
    }),
    "tiers.create": async () => {
      const eur = { amount: 4900, intervalCount: 1, currency: "eur" };
      const silver = { ...here, name: "Silver", weight: 2 };
      return {
        succeed: (api) => api.tiers.create({ ...silver, initialPrices: [eur] }),
        refuse: {
          409: (api) => api.tiers.create({ ...silver, initialPrices: [eur, eur] }),
          422: (api) => api.tiers.create({ ...silver, initialPrices: [] }),
        },
      };
    },
    "tiers.get": async () => ({
      succeed: (api) => api.tiers.get({ ...here, tierId: tier.id }),
      refuse: { 404: (api) => api.tiers.get(noTier) },
    }),
    "tiers.update": async () => ({
      succeed: (api) => api.tiers.update({ ...here, tierId: tier.id, weight: 2.5 }),
      refuse: {
        404: (api) => api.tiers.update({ ...noTier, weight: 1 }),
        422: (api) => api.tiers.update({ ...here, tierId: tier.id, weight: 0 }),
      },
    }),
    "tiers.archive": async () => {
      const made = await aTier(publisher);
      return {
        succeed: (api) => api.tiers.archive({ ...here, tierId: made.id }),
        refuse: { 404: (api) => api.tiers.archive(noTier) },
      };
    },
    "tiers.unarchive": async () => ({
      succeed: (api) => api.tiers.unarchive({ ...here, tierId: tier.id }),
      refuse: { 404: (api) => api.tiers.unarchive(noTier) },
    }),
  };
}
