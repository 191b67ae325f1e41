/** Something that invokes a function again and again until it is stopped: a queue, a stream, a schedule. */
export interface Poller {
  /** Abandons what is in progress, so that a restart finds it again. */
  stop(): Promise<void>;
}
