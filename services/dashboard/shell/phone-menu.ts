import { useMediaQuery } from "@mantine/hooks";
import { type RefObject, useEffect, useRef, useState } from "react";

/** Where Mantine's `sm` begins. */
const NARROW = "(max-width: 47.99em)";

export interface PhoneMenu {
  readonly isOpen: boolean;
  /** Nothing in the navigation can be reached while it is out of view, and nothing else while it covers the page. */
  readonly isHidden: boolean;
  readonly covers: boolean;
  readonly opener: RefObject<HTMLButtonElement | null>;
  readonly closer: RefObject<HTMLButtonElement | null>;
  open(): void;
  /** Closes and leads the keyboard back to the button that opened it. */
  close(): void;
  /** Closes because another page is shown. */
  leave(): void;
}

/** The navigation where there is no room for it beside the page. */
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
