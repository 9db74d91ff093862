import { Anchor, Paper, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconCheck, IconCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { tiersQuery } from "../api/queries.ts";
import { advertiseLink, useMay, useWorkspace } from "../api/workspace.ts";
import { CodeToCopy } from "../components/copy.tsx";
import { Dimmed } from "../components/dimmed.tsx";
import { embedTag } from "../components/embed-code.ts";
import { ButtonTo } from "../components/links.tsx";

/** The steps to the first ad. */
export function GettingStarted() {
  const workspace = useWorkspace();
  const { id: workspaceId } = workspace;
  const mayChange = useMay("Manager");
  const tiers = useQuery(tiersQuery(workspaceId));
  const hasTier = tiers.data?.some(({ isActive }) => isActive) ?? false;
  const link = advertiseLink(workspace);
  return (
    <Paper withBorder p="xl">
      <Title order={2} size="h4">
        No sales yet
      </Title>
      <Dimmed mt={4} mb="lg">
        Three steps to your first ad. You’ll see impressions, clicks and revenue here.
      </Dimmed>
      <ol className="steps">
        <Step
          isDone={hasTier}
          title="Create a tier"
          text={hasTier ? "On sale" : "What you sell, and for how much."}
        >
          {hasTier || !mayChange ? null : (
            <ButtonTo to="/w/$workspaceId/welcome" params={{ workspaceId }} w="fit-content">
              Create a tier
            </ButtonTo>
          )}
        </Step>
        <Step
          isDone={false}
          title="Add Placard to your site"
          text="Paste this where you want ads to appear. It stays empty until you approve your first ad."
        >
          <CodeToCopy code={embedTag(location.origin, workspaceId)} label="Embed tag" action="Copy tag" />
        </Step>
        <Step
          isDone={false}
          title="Tell advertisers where to buy"
          text="Link to this page from your site, or share it with potential advertisers."
        >
          <Anchor href={link} target="_blank" rel="noreferrer" size="sm" style={{ wordBreak: "break-all" }}>
            {link}
          </Anchor>
        </Step>
      </ol>
    </Paper>
  );
}

interface StepProps {
  readonly isDone: boolean;
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
}

function Step({ isDone, title, text, children }: StepProps) {
  const icon = isDone ? (
    <ThemeIcon color="teal.9" size={24} radius="xl">
      <IconCheck size={16} aria-label="Done" />
    </ThemeIcon>
  ) : (
    <ThemeIcon variant="default" size={24} radius="xl">
      <IconCircle size={12} aria-hidden />
    </ThemeIcon>
  );
  return (
    <li>
      {icon}
      <Stack gap={6} miw={0}>
        <Text fw={600}>{title}</Text>
        <Dimmed>{text}</Dimmed>
        {children}
      </Stack>
    </li>
  );
}
