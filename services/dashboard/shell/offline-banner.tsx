import { Box, Text } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";

/** Says at the top of every page that there is no connection, for as long as there is none. */
export function OfflineBanner() {
  const { online } = useNetwork();
  return (
    <Box role="status" className="offline-banner" data-shown={!online}>
      {online ? null : (
        <Text size="sm" ta="center" py={6} px="md">
          You are offline. What you see may be out of date, and changes cannot be saved.
        </Text>
      )}
    </Box>
  );
}
