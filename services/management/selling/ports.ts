import { forWorkspace } from "#libs/database/for-workspace.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import type { Limits } from "#libs/limits/index.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";
import type { CheckoutRates } from "../api/address-limit.ts";
import type { Seals } from "../api/seals.ts";
import type { SalePorts } from "../billing/checkout/sale.ts";
import type { Billing } from "../billing/mirror.ts";
import type { UploadPorts } from "../media/uploads/records.ts";

export interface SellingPorts extends SalePorts, Billing, UploadPorts {
  readonly stats: StatsStore;
  readonly limits: Limits;
  readonly checkoutRates: CheckoutRates;
  readonly reportSeals: Seals;
  readonly sales: SalePorts["sales"] & {
    /** Whether no real money moves; every page that sells says so. */
    readonly isSandbox: boolean;
  };
}

/** The time on the processor's clock, with which what was bought is compared. */
export function processorNow({ payments, now }: Pick<SellingPorts, "payments" | "now">): ProcessorTime {
  return payments.moment(now()).atProcessor;
}

/** The same ports with a database handle that sees one workspace only. */
export function inWorkspace(ports: SellingPorts, workspaceId: string): SellingPorts {
  return { ...ports, db: forWorkspace(ports.db, workspaceId) };
}
