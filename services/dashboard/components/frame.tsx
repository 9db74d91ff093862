import { Box, Center, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle, useNetwork } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Dimmed } from "./dimmed.tsx";
import icon from "./icon.svg";

interface FrameProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
  readonly footer?: ReactNode;
  /** In pixels. Default 420, enough for a short form. */
  readonly width?: number;
}

/** A page outside any workspace: one card in the middle. */
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
                {text === undefined ? null : <Dimmed mt={6}>{text}</Dimmed>}
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

/** The logo and name of the product. */
export function Brand() {
  return (
    <Group gap={8} wrap="nowrap">
      <img src={icon} width={24} height={24} alt="" />
      <Text fw={700} size="lg" lh={1}>
        Placard
      </Text>
    </Group>
  );
}

/** Says at the top of every page that there is no connection. */
export function OfflineBanner() {
  const { online } = useNetwork();
  return (
    <Box role="status" className="offline-banner" data-shown={!online}>
      {online ? null : (
        <Text size="sm" ta="center" py={6} px="md">
          You’re offline. This page may be out of date, and changes can’t be saved.
        </Text>
      )}
    </Box>
  );
}
