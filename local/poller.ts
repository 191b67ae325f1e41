/** Something that invokes a function again and again until it is stopped: a queue, a stream, a schedule. */
export interface Poller {
  /** Gives up what is under way, so that a restart finds it again. */
  stop(): Promise<void>;
}
