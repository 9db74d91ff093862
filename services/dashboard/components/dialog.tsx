import { Modal, type ModalProps, Stack } from "@mantine/core";
import type { ReactNode } from "react";

interface DialogProps extends Pick<ModalProps, "size"> {
  readonly title: string;
  readonly onClose: () => void;
  /** Whether a click outside closes it. False for content that cannot be shown again. Default true. */
  readonly closesByClick?: boolean;
  readonly children: ReactNode;
}

/** A dialog that is open while it is rendered. */
export function Dialog({ closesByClick = true, children, ...modal }: DialogProps) {
  return (
    <Modal
      opened
      {...modal}
      centered
      closeOnClickOutside={closesByClick}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Stack gap="md">{children}</Stack>
    </Modal>
  );
}
