import { fieldKeyFromName } from "#libs/domain/field-key.ts";

// What the publisher's tiers, prices and fields should be, kept in plain lists: the oracle of the model-based test. Ids
// are the position in the order of creation; the test knows which real id each stands for.

export interface ModelPrice {
  readonly shape: string;
  readonly amount: number;
  isActive: boolean;
}

export interface ModelTier {
  name: string;
  weight: number;
  order: number;
  isActive: boolean;
  readonly prices: ModelPrice[];
}

export interface ModelField {
  readonly id: number;
  name: string;
  key: string;
  order: number;
}

export class CatalogueModel {
  readonly tiers: ModelTier[] = [];
  fields: ModelField[] = [];
  fieldsMade = 0;

  addTier(
    name: string,
    weight: number,
    order: number | undefined,
    prices: readonly Omit<ModelPrice, "isActive">[],
  ) {
    const shapes = new Set(prices.map(({ shape }) => shape));
    if (shapes.size < prices.length) return 409;
    this.tiers.push({
      name,
      weight,
      order: order ?? afterLast(this.tiers),
      isActive: true,
      prices: prices.map((price) => ({ ...price, isActive: true })),
    });
    return 200;
  }

  addPrice(tier: ModelTier, price: Omit<ModelPrice, "isActive">) {
    if (isTaken(tier, price.shape)) return 409;
    tier.prices.push({ ...price, isActive: true });
    return 200;
  }

  setPriceActive(tier: ModelTier, price: ModelPrice, isActive: boolean) {
    if (isActive && !price.isActive && isTaken(tier, price.shape)) return 409;
    price.isActive = isActive;
    return 200;
  }

  addField(name: string, key: string | undefined, order: number | undefined) {
    const taken = new Set(this.fields.map((field) => field.key));
    if (key !== undefined && taken.has(key)) return 409;
    this.fields.push({
      id: this.fieldsMade,
      name,
      key: key ?? fieldKeyFromName(name, taken),
      order: order ?? afterLast(this.fields),
    });
    this.fieldsMade += 1;
    return 200;
  }

  changeField(
    field: ModelField,
    changes: { readonly name?: string; readonly key?: string; readonly order?: number },
  ) {
    if (this.fields.some((other) => other !== field && other.key === changes.key)) return 409;
    Object.assign(field, changes);
    return 200;
  }

  removeField(id: number) {
    const isThere = this.fields.some((field) => field.id === id);
    this.fields = this.fields.filter((field) => field.id !== id);
    return isThere ? 200 : 404;
  }

  /** The five rules, another way than the service: each of the mentioned waits for its place among the others. */
  reorder(moves: readonly { readonly id: number; readonly order: number }[]) {
    if (new Set(moves.map(({ id }) => id)).size < moves.length || moves.some(({ order }) => order < 0))
      return 422;
    if (moves.some(({ id }) => !this.fields.some((field) => field.id === id))) return 404;
    const staying = this.sortedFields().filter(({ id }) => !moves.some((move) => move.id === id));
    const waiting = moves.map((move, mention) => ({ ...move, mention }));
    waiting.sort((a, b) => a.order - b.order || a.mention - b.mention);
    for (let position = 0; position < this.fields.length; position += 1) {
      const next = waiting[0];
      const isItsTurn = next !== undefined && (next.order <= position || staying.length === 0);
      const placed = isItsTurn ? this.fields.find(({ id }) => id === next.id) : staying.shift();
      if (isItsTurn) waiting.shift();
      if (placed !== undefined) placed.order = position;
    }
    return 200;
  }

  /** In display order: by `order`, then by age. */
  sortedTiers() {
    return this.tiers
      .map((tier, id) => ({ ...tier, id }))
      .toSorted((a, b) => a.order - b.order || a.id - b.id);
  }

  sortedFields() {
    return this.fields.toSorted((a, b) => a.order - b.order || a.id - b.id);
  }
}

function afterLast(rows: readonly { readonly order: number }[]): number {
  return Math.max(-1, ...rows.map(({ order }) => order)) + 1;
}

function isTaken(tier: ModelTier, shape: string): boolean {
  return tier.prices.some((price) => price.isActive && price.shape === shape);
}
