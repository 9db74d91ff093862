import { useSortable } from "@dnd-kit/sortable";
import { ActionIcon } from "@mantine/core";
import { useReducedMotion } from "@mantine/hooks";
import { IconGripVertical } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./sortable.module.css";

interface SortableItemProps {
  readonly id: string;
  readonly name: string;
  readonly isFixed: boolean;
  readonly children: (handle: ReactNode) => ReactNode;
}

/** One item of a sortable list; its handle is what is dragged by. */
export function SortableItem({ id, name, isFixed, children }: SortableItemProps) {
  const isCalm = useReducedMotion();
  const sorting = useSortable({ id, disabled: isFixed, ...(isCalm ? { transition: null } : {}) });
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    sorting;
  const handle = isFixed ? null : (
    <ActionIcon
      ref={setActivatorNodeRef}
      variant="subtle"
      color="gray"
      size="lg"
      className={classes.handle}
      aria-label={`Move ${name}`}
      {...attributes}
      {...listeners}
    >
      <IconGripVertical size={18} aria-hidden />
    </ActionIcon>
  );
  return (
    <li
      ref={setNodeRef}
      className={classes.item}
      data-dragging={isDragging || undefined}
      style={{
        transform: transform === null ? undefined : `translate3d(${transform.x}px, ${transform.y}px, 0)`,
        transition,
      }}
    >
      {children(handle)}
    </li>
  );
}
