import { ActionIcon, Group, Menu, Paper, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { SubscriptionTotals } from "#libs/contract/subscriptions.ts";
import type { Tier } from "#libs/contract/tiers.ts";
import { advertiseLink, useWorkspace } from "../api/workspace.ts";
import { Flag, StateBadge } from "../components/badges.tsx";
import { copyText } from "../components/copy.tsx";
import { ALL_TIERS, EditLink } from "../components/edit-page.tsx";
import { formatCounted, formatMoney, formatPercent, priceWords } from "../components/format.ts";
import { Icon } from "../components/icon.tsx";
import { MenuItemTo } from "../components/links.tsx";
import { useArchiveTier } from "./use-change-tier.ts";

/** What a tier has sold. */
export type TierFigures = SubscriptionTotals["tiers"][number];

interface TierRowProps {
  readonly tier: Tier;
  /** Undefined while they are read, and for a tier that is newer than they are. */
  readonly figures: TierFigures | undefined;
  readonly handle: ReactNode;
  readonly mayChange: boolean;
}

/** A tier on sale, with its prices and actions. */
export function TierRow({ tier, figures, handle, mayChange }: TierRowProps) {
  const workspace = useWorkspace();
  const { act: archive } = useArchiveTier();
  const { id, name, weight, prices } = tier;
  const onSale = prices.filter(({ isActive }) => isActive);
  return (
    <Paper withBorder p="sm">
      <Group gap="sm" wrap="nowrap" align="center">
        {handle}
        <div style={{ flex: 1, minWidth: 0 }}>
          <Group gap="xs">
            <EditLink list={ALL_TIERS} id={id} name={name} mayChange={mayChange} />
            <Flag text={`Weight ${weight}`} />
          </Group>
          {onSale.length === 0 ? (
            <StateBadge color="red" text="No price on sale: nobody can buy it" />
          ) : (
            <Text size="sm" c="dimmed">
              {onSale.map(priceWords).join(" · ")}
            </Text>
          )}
          <TierSold figures={figures} />
        </div>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`More about ${name}`}>
              <Icon name="dots" size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<Icon name="link" />}
              onClick={() => void copyText(advertiseLink(workspace, id), "Advertising link copied")}
            >
              Copy advertising link
            </Menu.Item>
            <MenuItemTo
              to="/w/$workspaceId/reports"
              params={{ workspaceId: workspace.id }}
              search={{ tier: id }}
              leftSection={<Icon name="report-analytics" />}
            >
              Report of any period
            </MenuItemTo>
            {mayChange ? (
              <Menu.Item
                c="var(--mantine-color-error)"
                leftSection={<Icon name="archive" />}
                onClick={() => void archive(tier)}
              >
                Archive
              </Menu.Item>
            ) : null}
          </Menu.Dropdown>
        </Menu>
      </Group>
    </Paper>
  );
}

/** What a tier has on the air and brings: `3 ads live · $147 a month · 60% of first places`. */
export function TierSold({ figures }: Pick<TierRowProps, "figures">) {
  if (figures === undefined) return null;
  const { adsOnAir, firstShare, serving } = figures;
  const words = [
    `${formatCounted(adsOnAir, "ad")} live`,
    ...serving.map(({ currency, monthlyAmount }) => `${formatMoney(monthlyAmount, currency)} a month`),
    ...(adsOnAir === 0 || firstShare === null ? [] : [`${formatPercent(firstShare)} of first places`]),
  ];
  return (
    <Text size="sm" c="dimmed">
      {words.join(" · ")}
    </Text>
  );
}
