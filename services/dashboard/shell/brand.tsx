import { Group, Text } from "@mantine/core";
import icon from "./icon.svg";

/** The product's sign and name. */
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
