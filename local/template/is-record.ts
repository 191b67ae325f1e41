export type Properties = Readonly<Record<string, unknown>>;

/** One entry of a template's `Resources`, its intrinsic functions not yet resolved. */
export interface Resource {
  readonly logicalId: string;
  readonly stackName: string;
  readonly type: string;
  readonly properties: Properties;
  readonly metadata: Properties;
}

export interface Stack {
  readonly name: string;
  readonly resources: ReadonlyMap<string, Resource>;
}

/** All stacks of a synthesized assembly. */
export interface Assembly {
  readonly folder: string;
  readonly stacks: readonly Stack[];
  /** Export name -> the stack that exports it and the value, unresolved. */
  readonly exports: ReadonlyMap<string, { readonly stack: Stack; readonly value: unknown }>;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
