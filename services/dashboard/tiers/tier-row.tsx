import { ActionIcon, Badge, Group, Menu, Paper, Text } from "@mantine/core";
import { IconArchive, IconDots, IconLink } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { StateBadge } from "../ads/badges.tsx";
import { priceWords } from "../ads/price-words.ts";
import { copyText } from "../editing/copy-text.ts";
import { LinkTo } from "../shell/links.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import { advertiseLink } from "./advertise-link.ts";
import type { Tier } from "./shapes.ts";
import { useArchiveTier } from "./use-archive-tier.ts";

interface TierRowProps {
  readonly tier: Tier;
  /** What the row is dragged by. */
  readonly handle: ReactNode;
  readonly mayChange: boolean;
}

/** A tier on sale: what it is, what it costs, what can be done with it. */
export function TierRow({ tier, handle, mayChange }: TierRowProps) {
  const workspace = useWorkspace();
  const { archive } = useArchiveTier();
  const { id, name, weight, prices } = tier;
  const onSale = prices.filter(({ isActive }) => isActive);
  return (
    <Paper withBorder p="sm">
      <Group gap="sm" wrap="nowrap" align="center">
        {handle}
        <div style={{ flex: 1, minWidth: 0 }}>
          <Group gap="xs">
            {mayChange ? (
              <LinkTo
                to="/w/$workspaceId/tiers"
                params={{ workspaceId: workspace.id }}
                search={{ edit: id }}
                fw={600}
                style={{ overflowWrap: "anywhere" }}
              >
                {name}
              </LinkTo>
            ) : (
              <Text fw={600}>{name}</Text>
            )}
            <Badge variant="default" tt="none" fw={500}>{`Weight ${weight}`}</Badge>
          </Group>
          {onSale.length === 0 ? (
            <StateBadge color="red" text="No price on sale: nobody can buy it" />
          ) : (
            <Text size="sm" c="dimmed">
              {onSale.map(priceWords).join(" · ")}
            </Text>
          )}
        </div>
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`More about ${name}`}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<IconLink size={16} aria-hidden />}
              onClick={() => void copyText(advertiseLink(workspace, id), "Advertise link copied")}
            >
              Copy advertise link
            </Menu.Item>
            {mayChange ? (
              <Menu.Item
                color="red"
                leftSection={<IconArchive size={16} aria-hidden />}
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
