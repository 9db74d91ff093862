import { Button, Group, Modal, Text } from "@mantine/core";
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";

export interface Question {
  readonly title: string;
  readonly text: string;
  /** The label of the confirming button: "Revoke key". */
  readonly action: string;
  /** True unless given: the button is red. */
  readonly isDangerous?: boolean;
}

type Confirm = (question: Question) => Promise<boolean>;

const ConfirmContext = createContext<Confirm>(() => Promise.resolve(false));

/** Asks before something that cannot be undone: `if (await confirm({…})) …`. */
export function useConfirm(): Confirm {
  return useContext(ConfirmContext);
}

/** Shows the questions that components below it ask, one at a time. */
export function ConfirmProvider({ children }: { readonly children: ReactNode }) {
  const [asked, setAsked] = useState<(Question & { answer: (yes: boolean) => void }) | null>(null);
  const [isOpen, setOpen] = useState(false);

  const confirm = useCallback<Confirm>(
    (question) =>
      new Promise((resolve) => {
        setAsked((before) => {
          before?.answer(false);
          return { ...question, answer: resolve };
        });
        setOpen(true);
      }),
    [],
  );
  // The text stays while the dialog fades out.
  const close = (yes: boolean) => {
    asked?.answer(yes);
    setOpen(false);
  };

  return (
    <ConfirmContext value={confirm}>
      {children}
      <Modal
        opened={isOpen}
        onClose={() => close(false)}
        title={asked?.title}
        closeButtonProps={{ "aria-label": "Close" }}
        centered
      >
        <Text size="sm">{asked?.text}</Text>
        <Group justify="flex-end" mt="lg" gap="sm">
          <Button variant="default" onClick={() => close(false)}>
            Cancel
          </Button>
          <Button
            {...(asked?.isDangerous === false ? {} : { color: "red.9" })}
            onClick={() => close(true)}
            data-autofocus
          >
            {asked?.action}
          </Button>
        </Group>
      </Modal>
    </ConfirmContext>
  );
}
