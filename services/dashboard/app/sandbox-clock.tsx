import { Box, Text } from "@mantine/core";
import { useMoment } from "../api/processor-clock.ts";
import { formatDate } from "../components/format.ts";

/** The clocks of two machines differ by less. */
const MOVED_MS = 3_600_000;

/** Names the sandbox's date once somebody has moved its clock on: payments and their periods are on it, impressions are not. */
export function SandboxClock() {
  const { now, atProcessor } = useMoment();
  if (atProcessor - now < MOVED_MS) return null;
  return (
    <Box role="status" className="clock-banner">
      <Text size="sm" ta="center" py={6} px="md">
        Sandbox clock: {formatDate(new Date(atProcessor).toISOString())}. Payments follow it; impressions and
        clicks don’t.
      </Text>
    </Box>
  );
}
