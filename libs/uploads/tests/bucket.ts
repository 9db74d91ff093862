import { readFile } from "node:fs/promises";
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  ListObjectsV2Command,
  PutBucketPolicyCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { expect } from "vitest";
import type { S3UploadsOptions } from "../s3.ts";

const POLICY = new URL("../../../infra/s3/public-read.json", import.meta.url);

/** A bucket of its own on the store that the environment names, read by everybody as the manual says. */
export interface TestBucket {
  /** What reaches it. */
  readonly options: Pick<
    S3UploadsOptions,
    "bucket" | "region" | "endpoint" | "forcePathStyle" | "credentials"
  >;
  remove(): Promise<void>;
}

export async function createTestBucket(): Promise<TestBucket> {
  const bucket = `placard-${crypto.randomUUID()}`;
  const options = {
    bucket,
    region: "us-east-1",
    endpoint: variable("S3_TEST_ENDPOINT"),
    forcePathStyle: true,
    credentials: {
      accessKeyId: variable("S3_TEST_ACCESS_KEY_ID"),
      secretAccessKey: variable("S3_TEST_SECRET_ACCESS_KEY"),
    },
  };
  const { endpoint, region, forcePathStyle, credentials } = options;
  const client = new S3Client({ endpoint, region, forcePathStyle, credentials });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  const policy = (await readFile(POLICY, "utf8")).replaceAll("BUCKET", bucket);
  await client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy: policy }));
  return {
    options,
    async remove() {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
      for (const { Key } of Contents) await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }));
      await client.send(new DeleteBucketCommand({ Bucket: bucket }));
      client.destroy();
    },
  };
}

function variable(name: string): string {
  const value = process.env[name];
  expect(value, `${name}, which infra/native/up sets`).toBeTruthy();
  return value ?? "";
}
