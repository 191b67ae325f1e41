import type { OptionSet, Options } from '../cli/options.ts';
import { wrongUsage } from '../cli/stop.ts';

export const endingOptions: OptionSet = {
  retire: { text: 'End the older of two secrets: the partner has changed over' },
  undo: { text: 'End the newer of two secrets: it was lost, or never used' },
};

/** Which secret stays, when the options end a rotation. */
export function ending(options: Options): 'newest' | 'oldest' | undefined {
  if (options.has('retire') && options.has('undo'))
    throw wrongUsage('--retire and --undo exclude each other.');
  if (options.has('retire')) return 'newest';
  return options.has('undo') ? 'oldest' : undefined;
}

export function rotationDetails(meanwhile: string, name: string): string {
  return `A rotation takes two steps:
  1. ${name} <partnerId>            makes the new secret and prints it this once
  2. ${name} <partnerId> --retire   when the partner uses the new one
${meanwhile}
A third secret is refused.`;
}
