import type { Input } from '../../api/operations.ts';
import type { Recipients } from './recipients.ts';

type Content = Omit<NonNullable<Input<'POST /push/delivery'>['body']>, 'msisdn'>;

/** A message as it is written. */
export interface Draft {
  readonly pushType: Content['pushType'];
  readonly title: string;
  readonly message: string;
  readonly image: string;
  readonly target: 'card' | 'campaign' | 'campaigns';
  readonly campaignId: string;
  readonly callbacks: boolean;
  /** As pasted. */
  readonly numbers: string;
}

export const emptyDraft: Draft = {
  pushType: 'SERVICE',
  title: '',
  message: '',
  image: '',
  target: 'card',
  campaignId: '',
  callbacks: true,
  numbers: '',
};

/** The contract's, in characters as people count them; a test compares them with the OpenAPI document. */
export const limits = { title: 50, message: 150, image: 2_048, campaignId: 64 };

export function lengthOf(text: string): number {
  return [...text].length;
}

/** What is sent, without the recipients. */
export function contentOf(draft: Draft): Content {
  const { pushType, title, message, image, target, campaignId, callbacks } = draft;
  // Promotions have whole numbers.
  const promotion = /^[1-9]\d{0,14}$/.test(campaignId) ? Number(campaignId) : campaignId;
  return {
    pushType,
    payload: {
      title,
      message,
      ...(pushType === 'PROMO' && image !== '' ? { image } : {}),
      deeplink: target === 'campaign' ? { target, campaignId: promotion } : { target },
    },
    qos: { deliveryStatusNotifications: callbacks },
  };
}

type Problems = { readonly [field in keyof Draft]?: string };

/** What the service would refuse, by field; nothing for what is only missing yet. */
export function problemsOf(draft: Draft, recipients: Recipients, bulkRecipients: number): Problems {
  const { wrong, numbers } = recipients;
  const problems: { -readonly [field in keyof Draft]?: string } = {};
  for (const field of ['title', 'message', 'image', 'campaignId'] as const) {
    const over = lengthOf(draft[field]) - limits[field];
    if (over > 0) problems[field] = `${over} too many: at most ${limits[field]} characters.`;
  }
  if (draft.pushType === 'PROMO' && draft.image !== '' && !isWebAddress(draft.image))
    problems.image = 'Must be an address that begins with http:// or https://.';
  if (numbers.length > bulkRecipients) {
    const most = bulkRecipients.toLocaleString('en-GB');
    problems.numbers = `A request takes ${most} numbers at most: send the rest in another one.`;
  }
  const [first] = wrong;
  if (first) {
    const more = wrong.length > 1 ? `, and ${wrong.length - 1} more` : '';
    problems.numbers = `Line ${first.line}: "${first.text.slice(0, 30)}" is no number of 7 to 15 digits${more}.`;
  }
  return problems;
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

export function isComplete({ title, message, target, campaignId }: Draft, { numbers }: Recipients): boolean {
  return title !== '' && message !== '' && numbers.length > 0 && (target !== 'campaign' || campaignId !== '');
}
