import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  type Modifier,
  PointerSensor,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from "@dnd-kit/sortable";
import { ActionIcon } from "@mantine/core";
import { useReducedMotion } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Icon } from "../icon.tsx";
import { announcementsFor, INSTRUCTIONS } from "./announcements.ts";
import classes from "./sortable.module.css";

interface SortableListProps<Item> {
  readonly items: readonly Item[];
  readonly label: string;
  readonly idOf: (item: Item) => string;
  readonly nameOf: (item: Item) => string;
  /** Moves the item at one position, counted from 0, to another. */
  readonly onMove: (from: number, to: number) => void;
  /** Whether nothing can be moved: the items then have no handles. */
  readonly isFixed?: boolean;
  readonly children: (item: Item, handle: ReactNode, index: number) => ReactNode;
}

/** Less movement than this is still a click. */
const CLICK_PIXELS = 4;
const upAndDown: Modifier = ({ transform }) => ({ ...transform, x: 0 });

/** A list whose items are reordered by dragging, or by keyboard with every step announced. */
export function SortableList<Item>(props: SortableListProps<Item>) {
  const { items, label, idOf, nameOf, onMove, isFixed = false, children } = props;
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: CLICK_PIXELS } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const ids = items.map(idOf);
  const names = new Map(items.map((item) => [idOf(item), nameOf(item)]));
  const drop = ({ active, over }: DragEndEvent) => {
    const from = ids.indexOf(String(active.id));
    const to = over === null ? -1 : ids.indexOf(String(over.id));
    if (from !== -1 && to !== -1 && from !== to) onMove(from, to);
  };

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={[upAndDown]}
      onDragEnd={drop}
      accessibility={{
        announcements: announcementsFor(ids, (id) => names.get(id) ?? "Item"),
        screenReaderInstructions: INSTRUCTIONS,
      }}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy} disabled={isFixed}>
        <ul className={classes.list} aria-label={label}>
          {items.map((item, index) => (
            <SortableItem key={idOf(item)} id={idOf(item)} name={nameOf(item)} isFixed={isFixed}>
              {(handle) => children(item, handle, index)}
            </SortableItem>
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  );
}

interface SortableItemProps {
  readonly id: string;
  readonly name: string;
  readonly isFixed: boolean;
  readonly children: (handle: ReactNode) => ReactNode;
}

function SortableItem({ id, name, isFixed, children }: SortableItemProps) {
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
      <Icon name="grip-vertical" size={18} />
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
