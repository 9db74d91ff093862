import { Button, List, Paper, Radio, SegmentedControl, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { periodName } from "#libs/domain/period-words.ts";
import { byPeriod, periodKey, periodsOf, savingsOf } from "#libs/domain/price-choice.ts";
import type { TierFeature } from "#libs/domain/tier.ts";
import { priceWords } from "../components/format.ts";
import { Icon } from "../components/icon.tsx";
import { Section } from "../components/section.tsx";
import type { PriceInput } from "./price-draft.ts";
import { previewOf, type TierDraft, type TierInput } from "./tier-draft.ts";
import classes from "./tiers.module.css";

interface TierPreviewProps {
  readonly draft: TierDraft;
  readonly prices: readonly PriceInput[];
}

/** The card as advertisers will see it. */
export function TierPreview({ draft, prices }: TierPreviewProps) {
  return (
    <Section isPlain size="h4" title="Preview" text="The card on your advertising page.">
      <TierCard tier={previewOf(draft)} prices={prices} />
    </Section>
  );
}

/** A tier as the advertising page shows it. Nothing in it is interactive. */
function TierCard({ tier, prices }: { readonly tier: TierInput; readonly prices: readonly PriceInput[] }) {
  const [first, ...others] = byPeriod(prices);
  const periods = periodsOf(prices);
  const savings = savingsOf(prices);
  return (
    <Paper withBorder p="lg" shadow="sm" inert>
      <Stack gap="md">
        <Title order={3} size="h3" style={{ overflowWrap: "anywhere" }}>
          {tier.name}
        </Title>
        {tier.description.trim() === "" ? null : (
          <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
            {tier.description}
          </Text>
        )}
        {first === undefined ? (
          <Text c="dimmed">Not for sale until it has a price.</Text>
        ) : others.length === 0 ? (
          <Text fw={650} size="lg">
            {priceWords(first)}
          </Text>
        ) : (
          <Stack gap="xs">
            {periods.length === 1 ? null : (
              <SegmentedControl
                size="xs"
                w="fit-content"
                data={periods.map((price) => ({ value: periodKey(price), label: periodName(price) }))}
                value={periodKey(first)}
                readOnly
              />
            )}
            {[first, ...others].map((price) => (
              <Radio
                key={priceWords(price)}
                label={
                  <>
                    {priceWords(price)} <Saving percent={savings.get(price)} />
                  </>
                }
                checked={price === first}
                readOnly
              />
            ))}
          </Stack>
        )}
        {tier.features.length === 0 ? null : (
          <List spacing={6} size="sm" center listStyleType="none">
            {tier.features.map((feature, index) => (
              <List.Item
                // biome-ignore lint/suspicious/noArrayIndexKey: lines may be alike, and hold no state.
                key={index}
                icon={<FeatureSign type={feature.type} />}
              >
                {feature.label}
              </List.Item>
            ))}
          </List>
        )}
        {first === undefined ? null : (
          <Button component="span" fullWidth>
            {prices.every(({ amount }) => amount === 0) ? "Get" : "Buy"} {tier.name}
          </Button>
        )}
      </Stack>
    </Paper>
  );
}

function FeatureSign({ type }: Pick<TierFeature, "type">) {
  const icon = ({ positive: "check", negative: "x", neutral: "point" } as const)[type];
  const color = { positive: "teal", negative: "gray", neutral: "gray" }[type];
  return (
    <ThemeIcon variant="light" color={color} size={20} radius="xl">
      <Icon name={icon} size={13} />
    </ThemeIcon>
  );
}

function Saving({ percent }: { readonly percent: number | undefined }) {
  return percent === undefined ? null : (
    <Text span size="sm" fw={600} c="teal.9" className={classes.saving ?? ""}>
      save {percent}%
    </Text>
  );
}
