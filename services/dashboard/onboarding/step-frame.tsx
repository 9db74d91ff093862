import { Progress, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Frame } from "../components/frame.tsx";

const STEPS = ["Workspace", "First tier", "Ad content", "Your site"];

interface StepFrameProps {
  /** 1 to 4. */
  readonly step: number;
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
}

/** The frame of one onboarding step. */
export function StepFrame({ step, title, text, children, footer }: StepFrameProps) {
  return (
    <Frame title={title} text={text} footer={footer} width={620}>
      <Stack gap={6}>
        <Progress value={(step / STEPS.length) * 100} size="sm" aria-hidden />
        <Text size="xs" c="dimmed">
          Step {step} of {STEPS.length}: {STEPS[step - 1]}
        </Text>
      </Stack>
      {children}
    </Frame>
  );
}
