export interface Log {
  info(line: string): void;
  warn(line: string): void;
}

export const terminalLog: Log = console;

export const silentLog: Log = { info: () => undefined, warn: () => undefined };
