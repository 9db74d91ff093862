import { Modal } from "@mantine/core";
import type { ReactNode } from "react";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Whether a click outside closes it; false for a dialog whose content cannot be shown again. Default true. */
  readonly closesByClick?: boolean;
  readonly children: ReactNode;
}

/** A dialog about one's account, open for as long as it is rendered. */
export function Dialog({ title, onClose, closesByClick = true, children }: DialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      centered
      closeOnClickOutside={closesByClick}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {children}
    </Modal>
  );
}
