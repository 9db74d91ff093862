/**
 * The parts of kafkajs 2.2.4 that its own types leave out. kafkajs is pinned to exactly this version; the tests against
 * the real broker prove each of them.
 */
declare module "kafkajs/src/broker/index.js" {
  import type { IHeaders } from "kafkajs";
  import type Encoder from "kafkajs/src/protocol/encoder.js";

  export interface WireRequest<T> {
    readonly request: {
      readonly apiKey: number;
      readonly apiVersion: number;
      readonly apiName: string;
      encode(): Promise<Encoder>;
    };
    readonly response: {
      decode(payload: Buffer): Promise<T>;
      parse(decoded: T): Promise<T>;
    };
  }

  export interface FetchedMessage {
    readonly offset: string;
    readonly timestamp: string;
    readonly value: Buffer | null;
    readonly headers?: IHeaders;
    readonly isControlRecord?: boolean;
    /** `timestampType` 1 is the broker's time of the append. */
    readonly batchContext?: { readonly timestampType?: number; readonly partitionLeaderEpoch?: number };
  }

  export interface FetchedPartition {
    readonly partition: number;
    readonly highWatermark: string;
    readonly messages: readonly FetchedMessage[];
  }

  // biome-ignore lint/style/noDefaultExport: kafkajs exports it so.
  export default class Broker {
    readonly connectionPool: { send<T>(request: WireRequest<T>): Promise<T> };
    isConnected(): boolean;
    initProducerId(request: {
      transactionTimeout: number;
    }): Promise<{ producerId: string; producerEpoch: number }>;
    produce(request: {
      topicData: {
        topic: string;
        partitions: {
          partition: number;
          firstSequence: number;
          messages: { value: Buffer; headers: Record<string, string> }[];
        }[];
      }[];
      producerId: string;
      producerEpoch: number;
      acks: number;
      timeout: number;
    }): Promise<unknown>;
    fetch(request: {
      isolationLevel: number;
      maxWaitTime: number;
      minBytes: number;
      maxBytes: number;
      topics: { topic: string; partitions: { partition: number; fetchOffset: string; maxBytes: number }[] }[];
    }): Promise<{ responses: { topicName: string; partitions: FetchedPartition[] }[] }>;
    listOffsets(request: {
      replicaId: number;
      isolationLevel: number;
      topics: { topic: string; partitions: { partition: number; timestamp: number }[] }[];
    }): Promise<{ responses: { topic: string; partitions: { partition: number; offset: string }[] }[] }>;
    describeConfigs(request: {
      resources: { type: number; name: string; configNames: string[] }[];
      includeSynonyms: boolean;
    }): Promise<{ resources: { configEntries: { configName: string; configValue: string }[] }[] }>;
    joinGroup(request: {
      groupId: string;
      sessionTimeout: number;
      rebalanceTimeout: number;
      memberId: string;
      groupProtocols: { name: string; metadata: Buffer }[];
    }): Promise<{
      generationId: number;
      leaderId: string;
      memberId: string;
      members: { memberId: string; memberMetadata: Buffer }[];
    }>;
    syncGroup(request: {
      groupId: string;
      generationId: number;
      memberId: string;
      groupAssignment: { memberId: string; memberAssignment: Buffer }[];
    }): Promise<{ memberAssignment: Buffer }>;
    heartbeat(request: { groupId: string; groupGenerationId: number; memberId: string }): Promise<unknown>;
    leaveGroup(request: { groupId: string; memberId: string }): Promise<unknown>;
    offsetCommit(request: {
      groupId: string;
      groupGenerationId: number;
      memberId: string;
      topics: { topic: string; partitions: { partition: number; offset: string; metadata: string }[] }[];
    }): Promise<unknown>;
    offsetFetch(request: {
      groupId: string;
      topics: { topic: string; partitions: { partition: number }[] }[];
    }): Promise<{
      responses: {
        topic: string;
        partitions: { partition: number; offset: string; metadata: string | null }[];
      }[];
    }>;
  }
}

declare module "kafkajs/src/network/requestQueue/index.js" {
  // biome-ignore lint/style/noDefaultExport: kafkajs exports it so.
  export default class RequestQueue {
    readonly pending: readonly unknown[];
    readonly throttledUntil: number;
    scheduleCheckPendingRequests(): void;
  }
}

declare module "kafkajs/src/protocol/encoder.js" {
  // biome-ignore lint/style/noDefaultExport: kafkajs exports it so.
  export default class Encoder {
    writeBuffer(bytes: Buffer): this;
  }
}
