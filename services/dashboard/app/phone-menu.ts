import { useMediaQuery } from "@mantine/hooks";
import { type RefObject, useEffect, useRef, useState } from "react";

/** Below Mantine's `md` breakpoint. */
const NARROW = "(max-width: 61.99em)";

interface PhoneMenu {
  readonly isOpen: boolean;
  /** Hidden navigation cannot be focused, nor can the page while the navigation covers it. */
  readonly isHidden: boolean;
  readonly covers: boolean;
  readonly opener: RefObject<HTMLButtonElement | null>;
  readonly closer: RefObject<HTMLButtonElement | null>;
  open(): void;
  /** Closes and returns focus to the button that opened it. */
  close(): void;
  /** Closes because another page is shown. */
  leave(): void;
}

/** The state of the navigation where there is no room for it beside the page. */
export function usePhoneMenu(): PhoneMenu {
  const isNarrow = useMediaQuery(NARROW, window.matchMedia(NARROW).matches);
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const closer = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  const [isLeaving, setLeaving] = useState(false);

  useEffect(() => {
    if (isOpen) closer.current?.focus();
    else if (wasOpen.current && !isLeaving) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen, isLeaving]);

  return {
    isOpen,
    isHidden: isNarrow && !isOpen,
    covers: isNarrow && isOpen,
    opener,
    closer,
    open: () => {
      setLeaving(false);
      setOpen(true);
    },
    close: () => setOpen(false),
    leave: () => {
      setLeaving(true);
      setOpen(false);
    },
  };
}
