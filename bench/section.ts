/** One measured number. Times are medians over several rounds. */
export interface Figure {
  /** What was measured: `SendMessage, warm CPU`. */
  readonly what: string;
  readonly unit: 'ms' | 'us' | 's' | 'kB' | 'per s' | 'units' | 'requests' | 'invocations';
  readonly median: number;
  /** Half the distance between the quartiles, in the same unit; absent where every round gives the same. */
  readonly spread?: number;
  /** The same thing done the bare way, in the same run, round by round alternating. */
  readonly baseline?: { readonly what: string; readonly median: number };
  /** What it is one of several sizes of: `sync, new, finished`, at 1,000 places. */
  readonly series?: { readonly of: string; readonly size: number };
  /** What must hold: for the ratio to the baseline, or for the median itself. */
  readonly budget?: { readonly of: 'ratio' | 'median'; readonly atMost?: number; readonly atLeast?: number };
}

/** A part of the bench that can be run alone. */
export interface Section {
  /** As it is typed: `cold`. */
  readonly name: string;
  /** One line for --help. */
  readonly about: string;
  /** Too long for a run of everything: it runs when it is named. */
  readonly onlyWhenNamed?: true;
  /** Checks first that what it times is correct, and throws when it is not. Cleans up behind itself. */
  readonly run: (say: (progress: string) => void) => Promise<readonly Figure[]>;
}
