import type { Access } from "#libs/contract/errors.ts";
import type { MemberRole } from "#libs/domain/member.ts";
import type { ManagementUnderTest } from "../management.ts";
import type { Tenant } from "../two-tenants.ts";

type Body = Readonly<Record<string, unknown>>;
type Ids = Readonly<Record<string, string>>;

/** What is expected of an endpoint, whatever the contract says. */
export interface MatrixRow {
  readonly access: Access;
  /** The status for a caller with access. */
  readonly allowed: number;
  readonly body?: (tenant: Tenant) => Body;
  /** Makes what a call uses up, before each call that is allowed; with the ids that differ from the tenant's. */
  readonly arrange?: (service: ManagementUnderTest, tenant: Tenant) => Promise<Ids>;
  /** A body that names something of another tenant's, and the status it gets. */
  readonly foreign?: { readonly status: number; readonly body: (other: Tenant) => Body };
}

export const publicly = { kind: "public" } as const;
export const inPerson = { kind: "session" } as const;
export const member = (role: MemberRole) => ({ kind: "member", role }) as const;
export const people = (role: MemberRole) => ({ kind: "people", role }) as const;

/** Arranges an open revision of the tenant's ad. */
export const revisedAd = async (_service: ManagementUnderTest, tenant: Tenant) => {
  await tenant.proposeRevision();
  return {};
};
