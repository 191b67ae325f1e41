import * as z from 'zod/mini';

/** A check has what it sends, what a receiver should respond, and what to change in one that does not. */
type Meaning = { sent: string; expected: '2xx' | '4xx'; change: string };

/** The checks in the order in which they are shown. */
export const meanings = {
  VALID: {
    sent: 'A callback as we send them',
    expected: '2xx',
    change:
      'compute the signature over webhook-id, webhook-timestamp and the unchanged bytes of the body, joined by dots, with the decoded base64 part of the secret, keep the clock of your server right, and respond 2xx, also about a message or number that you do not know',
  },
  REPEATED: {
    sent: 'The callback of VALID again, with the same webhook-id',
    expected: '2xx',
    change: 'respond 2xx to a webhook-id that you have processed, and do nothing more',
  },
  TOGETHER: {
    sent: 'One callback twice at the same moment',
    expected: '2xx',
    change: 'let a unique key on webhook-id decide which of the two is processed, and respond 2xx to both',
  },
  OPENED_FIRST: {
    sent: 'OPENED, and DELIVERED of the same message after it',
    expected: '2xx',
    change: 'take states in any order: callbacks are not ordered, and OPENED may come alone',
  },
  TWO_SIGNATURES: {
    sent: 'A callback with two signatures, of which the second is yours, as during a rotation',
    expected: '2xx',
    change: 'split webhook-signature at its spaces, and accept when any of the signatures matches',
  },
  UNICODE: {
    sent: 'A callback whose utm has Cyrillic letters, an emoji and the number 1.10',
    expected: '2xx',
    change:
      'verify the bytes of the body as they came, in UTF-8, and not a body that was parsed and written again',
  },
  UNKNOWN_MEMBER: {
    sent: 'A callback with a member that you do not know',
    expected: '2xx',
    change: 'ignore members that you do not know: we may add some',
  },
  SIGNATURE_MISSING: {
    sent: 'A callback without webhook-signature',
    expected: '4xx',
    change: 'respond 401 when webhook-signature is missing: anybody can send such a request',
  },
  SIGNATURE_WRONG: {
    sent: 'A callback signed with another secret',
    expected: '4xx',
    change: 'compare the signature, in constant time, and respond 401 when none matches',
  },
  BODY_CHANGED: {
    sent: 'A callback whose body was changed after it was signed',
    expected: '4xx',
    change: 'include the body in what you verify',
  },
  ID_CHANGED: {
    sent: 'A callback whose webhook-id was changed after it was signed',
    expected: '4xx',
    change: 'include webhook-id in what you verify, or an old callback passes as a new one',
  },
  TIMESTAMP_OLD: {
    sent: 'A callback that was signed ten minutes ago',
    expected: '4xx',
    change: 'refuse timestamps more than five minutes old, or a recorded callback can be sent again for ever',
  },
  TIMESTAMP_AHEAD: {
    sent: 'A callback signed for ten minutes from now',
    expected: '4xx',
    change: 'refuse timestamps more than five minutes ahead, and keep the clock of your server right',
  },
  BASIC_MISSING: {
    sent: 'A callback without the HTTP Basic credentials that you gave us',
    expected: '4xx',
    change: 'respond 401 when the credentials are missing',
  },
} satisfies Record<string, Meaning>;

export type CheckName = keyof typeof meanings;
export const CheckName = z.enum(Object.keys(meanings) as CheckName[]);
