/** What the terminal shows. */
export interface Log {
  info(line: string): void;
  warn(line: string): void;
}

export const terminalLog: Log = {
  info: (line) => console.log(line),
  warn: (line) => console.warn(line),
};

export const silentLog: Log = { info: () => undefined, warn: () => undefined };
