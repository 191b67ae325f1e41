export type Log = {
  info(line: string): void;
  warn(line: string): void;
};

export const silentLog: Log = { info: () => undefined, warn: () => undefined };
