export interface QueueJob {
  readonly redisUrl: string;
  readonly prefix: string;
  readonly jobs: number;
  /** Jobs that are added together. */
  readonly batch: number;
  readonly inFlight: number;
  /** Jobs that run at the same time. */
  readonly concurrency: number;
}

export interface QueueResult {
  readonly addSeconds: number;
  readonly processSeconds: number;
}
