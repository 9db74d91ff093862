import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { priceWords } from "../ads/price-words.ts";
import { Section } from "../editing/section.tsx";
import { api } from "../shell/client.ts";
import { useConfirm } from "../shell/confirm.tsx";
import { notifyDone, notifyProblem } from "../shell/notify.ts";
import { useWorkspace } from "../shell/workspace.tsx";
import { NewPrice } from "./new-price.tsx";
import type { Tier, TierPrice } from "./shapes.ts";
import { takeTier } from "./tiers-query.ts";

/** What a tier costs: prices on sale, archived ones, the form of another. Each change holds at once. */
export function TierPrices({ tier }: { readonly tier: Tier }) {
  const [isAdding, setAdding] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setAdding(false);
    opener.current?.focus();
  };
  const prices = tier.prices.toSorted((a, b) => Number(b.isActive) - Number(a.isActive));
  const onSale = prices.filter(({ isActive }) => isActive).length;
  return (
    <Section
      title="Prices"
      text="A price never changes. To ask for another amount, archive it and add a new one; subscriptions go on at the old one."
      actions={
        <Button
          ref={opener}
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          aria-expanded={isAdding}
          onClick={() => setAdding(!isAdding)}
        >
          Add a price
        </Button>
      }
    >
      {isAdding ? <NewPrice tier={tier} onDone={close} /> : null}
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: "none" }}>
        {prices.map((price) => (
          <PriceRow key={price.id} tier={tier} price={price} isLast={price.isActive && onSale === 1} />
        ))}
      </Stack>
    </Section>
  );
}

interface PriceRowProps {
  readonly tier: Tier;
  readonly price: TierPrice;
  /** Whether it is the only one that the tier is sold at. */
  readonly isLast: boolean;
}

function PriceRow({ tier, price, isLast }: PriceRowProps) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const words = priceWords(price);
  const change = useMutation({
    mutationFn: async () => {
      const one = { workspaceId, tierId: tier.id, priceId: price.id };
      return price.isActive ? await api.prices.archive(one) : await api.prices.unarchive(one);
    },
    onSuccess: (changed) => {
      takeTier(queryClient, workspaceId, changed);
      notifyDone(price.isActive ? `${words} is archived` : `${words} is on sale again`);
    },
    onError: notifyProblem,
  });
  const archive = async () => {
    const isMeant = await confirm({
      title: `Archive ${words}?`,
      text: `Nobody can buy at this price any more. Subscriptions to it go on.${
        isLast ? " It is the last price on sale, so the tier cannot be bought until you add another." : ""
      }`,
      action: "Archive price",
      isDangerous: true,
    });
    if (isMeant) change.mutate();
  };
  return (
    <Group component="li" justify="space-between" gap="sm">
      <Group gap="xs">
        <Text c={price.isActive ? "bright" : "dimmed"}>{words}</Text>
        {price.isActive ? null : (
          <Badge variant="default" tt="none" fw={500}>
            Archived
          </Badge>
        )}
      </Group>
      <Button
        variant="default"
        size="compact-sm"
        loading={change.isPending}
        aria-label={price.isActive ? `Archive ${words}` : `Put back on sale: ${words}`}
        onClick={() => (price.isActive ? void archive() : change.mutate())}
      >
        {price.isActive ? "Archive" : "Put back on sale"}
      </Button>
    </Group>
  );
}
