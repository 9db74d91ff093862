import type { Generated } from "kysely";
import type { Timestamp } from "./timestamp.ts";

export interface PeopleTable {
  id: string;
  name: string;
  email: string;
  email_verified: Generated<boolean>;
  image: string | null;
  suspended_at: Date | null;
  two_factor_enabled: Generated<boolean>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface SessionsTable {
  id: string;
  person_id: string;
  token: string;
  expires_at: Date;
  ip_address: string | null;
  user_agent: string | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface CredentialsTable {
  id: string;
  person_id: string;
  provider_id: string;
  account_id: string;
  password: string | null;
  access_token: string | null;
  refresh_token: string | null;
  id_token: string | null;
  access_token_expires_at: Date | null;
  refresh_token_expires_at: Date | null;
  scope: string | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface VerificationsTable {
  id: string;
  identifier: string;
  value: string;
  expires_at: Date;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface TwoFactorsTable {
  id: string;
  person_id: string;
  secret: string;
  recovery_codes: string;
  verified: Generated<boolean>;
  failed_verifications: Generated<number>;
  locked_until: Date | null;
  last_step: number | null;
}

export interface PasskeysTable {
  id: string;
  person_id: string;
  name: string | null;
  public_key: string;
  credential_id: string;
  counter: number;
  device_type: string;
  backed_up: boolean;
  transports: string | null;
  aaguid: string | null;
  created_at: Timestamp;
}

export interface EmailChangesTable {
  person_id: string;
  new_email: string;
  token_hash: Buffer;
  expires_at: Date;
}
