// A map from pairs of texts to numbers, outside the garbage collector's reach
export { NumberTable, type TableKey } from "./number-table.ts";

// What it knows a pair by
export { TableKeys } from "./table-keys.ts";
