import { Box, Center, Paper, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Brand } from "./brand.tsx";
import { OfflineBanner } from "./offline-banner.tsx";

interface FrameProps {
  readonly title: string;
  /** A sentence below the title. */
  readonly text?: ReactNode;
  readonly children?: ReactNode;
  /** Where else to go, below the card. */
  readonly footer?: ReactNode;
  /** In pixels; 420 unless there is more to show than a short form. */
  readonly width?: number;
}

/** A page of its own, outside of any workspace: one card in the middle. */
export function Frame({ title, text, children, footer, width = 420 }: FrameProps) {
  useDocumentTitle(`${title} – Placard`);
  return (
    <>
      <OfflineBanner />
      <Center component="main" mih="100dvh" p="md" className="frame">
        <Stack w="100%" maw={width} gap="lg" py="xl">
          <Center>
            <Brand />
          </Center>
          <Paper withBorder p={{ base: "lg", xs: "xl" }} shadow="xs">
            <Stack gap="lg">
              <Box>
                <Title order={1} size="h3">
                  {title}
                </Title>
                {text === undefined ? null : (
                  <Text c="dimmed" size="sm" mt={6}>
                    {text}
                  </Text>
                )}
              </Box>
              {children}
            </Stack>
          </Paper>
          {footer === undefined || footer === null ? null : (
            <Text size="sm" ta="center" c="dimmed" component="div" className="frame-footer">
              {footer}
            </Text>
          )}
        </Stack>
      </Center>
    </>
  );
}
