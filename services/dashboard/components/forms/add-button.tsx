import { Button } from "@mantine/core";
import { Icon } from "../icon.tsx";

interface AddButtonProps {
  readonly label: string;
  /** Whether the list has as many items as it may have: then nothing is shown. */
  readonly isFull: boolean;
  readonly onAdd: () => void;
}

/** Adds an item to a list of inputs. */
export function AddButton({ label, isFull, onAdd }: AddButtonProps) {
  return isFull ? null : (
    <Button
      variant="default"
      size="xs"
      w="fit-content"
      leftSection={<Icon name="plus" size={14} />}
      onClick={onAdd}
    >
      {label}
    </Button>
  );
}
