const SUFFIX = "01kahm4sw4fksra52s8bd8xk";

/** Ids of the examples. Where this installation has the demo, its own ids take their place (`demo-ids.ts`). */
export const EXAMPLE_IDS = {
  workspace: `ws_${SUFFIX}d1`,
  tier: `tier_${SUFFIX}d1`,
  price: `price_${SUFFIX}d1`,
  field: `field_${SUFFIX}d1`,
  publishersField: `field_${SUFFIX}d2`,
  runningAd: `ad_${SUFFIX}d1`,
  pendingAd: `ad_${SUFFIX}d2`,
  revisedAd: `ad_${SUFFIX}d3`,
  rejectedAd: `ad_${SUFFIX}d4`,
  advertiser: `adv_${SUFFIX}d1`,
  formerAdvertiser: `adv_${SUFFIX}d4`,
  correction: `cor_${SUFFIX}d1`,
  person: `usr_${SUFFIX}d1`,
  subscription: `sub_${SUFFIX}d1`,
  invoice: `invoice_${SUFFIX}d1`,
  apiKey: `key_${SUFFIX}d1`,
  member: `mem_${SUFFIX}d1`,
  invitation: `inv_${SUFFIX}d1`,
  session: "cs_test_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0",
  token: "3vXQ8m2Zr7Tg5Yw1Kb9Ls4Nd6Fh0Jc8P",
} as const;
