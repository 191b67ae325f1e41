import { Option } from '@commander-js/extra-typings';

export const retireOption = new Option(
  '--retire',
  'End the older of two secrets: the partner has changed over',
).conflicts('undo');
export const undoOption = new Option('--undo', 'End the newer of two secrets: it was lost, or never used');

/** Which secret stays, when the options end a rotation. */
export function keptSecret(options: {
  retire?: true | undefined;
  undo?: true | undefined;
}): 'newest' | 'oldest' | undefined {
  if (options.retire) return 'newest';
  return options.undo ? 'oldest' : undefined;
}

export function rotationHelp(meanwhile: string, name: string): string {
  return `
A rotation takes two steps:
  1. ${name} <partnerId>            makes the new secret and prints it this once
  2. ${name} <partnerId> --retire   when the partner uses the new one
${meanwhile}
A third secret is refused.`;
}
