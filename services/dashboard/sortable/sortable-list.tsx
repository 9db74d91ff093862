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
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from "@dnd-kit/sortable";
import type { ReactNode } from "react";
import { announcementsFor, INSTRUCTIONS } from "./announcements.ts";
import classes from "./sortable.module.css";
import { SortableItem } from "./sortable-item.tsx";

interface SortableListProps<Item> {
  readonly items: readonly Item[];
  /** What the list is of: "Tiers". */
  readonly label: string;
  readonly idOf: (item: Item) => string;
  /** What an item is called where it is spoken of. */
  readonly nameOf: (item: Item) => string;
  /** Puts the item at one position, from 0, to another. */
  readonly onMove: (from: number, to: number) => void;
  /** Where nothing may be moved; the handles are left out. */
  readonly isFixed?: boolean;
  /** An item with its handle. */
  readonly children: (item: Item, handle: ReactNode, index: number) => ReactNode;
}

/** So little movement is still a click. */
const CLICK_PIXELS = 4;
const upAndDown: Modifier = ({ transform }) => ({ ...transform, x: 0 });

/** A list whose items are put in order by dragging, or by the keyboard with every step announced. */
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
