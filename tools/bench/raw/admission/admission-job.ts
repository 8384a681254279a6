export interface AdmissionJob {
  readonly databaseUrl: string;
  /** Base64. */
  readonly hashSecret: string;
  readonly apiKeys: readonly string[];
  readonly seconds: number;
  /** Requests of one statement. */
  readonly batch: number;
  /** Statements at the same time. */
  readonly inFlight: number;
}

export interface AdmissionResult {
  readonly accepted: number;
  readonly seconds: number;
}
