import type { Input } from '../../api/operations.ts';
import { dateProblems } from '../../parts/date-time.tsx';
import { count } from '../../parts/figures.tsx';

type Content = Omit<NonNullable<Input<'POST /push/delivery'>['body']>, 'msisdn'>;

export type Draft = typeof emptyDraft;

export const emptyDraft = {
  pushType: 'SERVICE' as Content['pushType'],
  title: '',
  message: '',
  image: '',
  target: 'card' as 'card' | 'campaign' | 'campaigns',
  campaignId: '',
  /** When it is sent, and the last moment to show it, on the clock of this computer: `2026-11-24T10:45`. Empty: at once, and none. */
  start: '',
  deadline: '',
  callbacks: true,
  utmSource: '',
  utmMiddle: '',
  utmCampaign: '',
  /** The numbers as the user typed or pasted them. */
  numbers: '',
};

/** The limits of the contract, in Unicode code points. A test compares them with the OpenAPI document. */
export const limits = { title: 50, message: 150, image: 2_048, campaignId: 512 };

export const utmFields = ['utmSource', 'utmMiddle', 'utmCampaign'] as const;

/** The moment that a field holds; undefined if it is empty or typed in part. */
export function momentIn(typed: string): Date | undefined {
  const moment = new Date(typed);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

export function lengthOf(text: string): number {
  return [...text].length;
}

const trimmedFields = ['image', 'campaignId', ...utmFields] as const;

/** The draft without what the form hides, and without blanks around what is compared as it is: `17 ` is the number of no promotion. */
function shown(draft: Draft): Draft {
  return {
    ...draft,
    ...Object.fromEntries(trimmedFields.map((name) => [name, draft[name].trim()])),
    ...(draft.pushType !== 'PROMO' && { image: '' }),
    ...(draft.target !== 'campaign' && { campaignId: '' }),
  };
}

export function contentOf(typed: Draft): Content {
  const draft = shown(typed);
  const { pushType, title, message, image, target, campaignId, callbacks } = draft;
  const from = momentIn(draft.start);
  const due = momentIn(draft.deadline);
  // The ids of our promotions are whole numbers, and the API expects them as such.
  const promotion = /^[1-9]\d{0,14}$/.test(campaignId) ? Number(campaignId) : campaignId;
  const utm = utmFields.filter((name) => draft[name] !== '').map((name) => [name, draft[name]]);
  return {
    pushType,
    payload: {
      title,
      message,
      ...(image !== '' && { image }),
      deeplink: target === 'campaign' ? { target, campaignId: promotion } : { target },
    },
    qos: {
      deliveryStatusNotifications: callbacks,
      ...(from && { deliverFrom: from.toISOString() }),
      ...(due && { deliverDue: due.toISOString() }),
    },
    ...(utm.length > 0 && { utm: Object.fromEntries(utm) }),
  };
}

type Problems = { [field in keyof Draft]?: string };

/**
 * Returns a sentence for each field that can be seen to be wrong while it is typed. The service says the rest. Fields that
 * are still empty have no problem yet.
 */
export function problemsOf(typed: Draft, recipients: Recipients, bulkRecipients: number, nowMs = Date.now()) {
  const draft = shown(typed);
  const { wrong, numbers } = recipients;
  const { start, deadline } = draft;
  const problems: Problems = dateProblems({ start, deadline });
  for (const field of ['start', 'deadline'] as const) {
    if (Date.parse(draft[field]) <= nowMs) problems[field] = 'Must be in the future.';
  }
  for (const field of ['title', 'message', 'image', 'campaignId'] as const) {
    const over = lengthOf(draft[field]) - limits[field];
    if (over > 0) problems[field] = `${count(over)} too many: at most ${count(limits[field])} characters.`;
  }
  if (numbers.length > bulkRecipients) {
    problems.numbers = `A request takes at most ${count(bulkRecipients, 'number')}: send the rest in another one.`;
  }
  const [first] = wrong;
  if (first) {
    const more = wrong.length > 1 ? `, and ${count(wrong.length - 1)} more` : '';
    problems.numbers = `Line ${first.line}: "${first.text.slice(0, 30)}" is no number of 7 to 15 digits${more}.`;
  }
  return problems;
}

const list = new Intl.ListFormat('en-GB');

/** Why the message cannot be sent yet: `First write a title and a message.` Undefined if it can. */
export function reasonNotToSend(draft: Draft, { numbers }: Recipients, problems: Problems) {
  const { title, message, target, campaignId } = shown(draft);
  const missing = [
    title === '' && 'a title',
    message === '' && 'a message',
    target === 'campaign' && campaignId === '' && 'the number of the promotion',
    numbers.length === 0 && 'a number to send to',
  ].filter((what) => what !== false);
  if (Object.keys(problems).length > 0) return 'First correct the fields that are marked.';
  return missing.length > 0 ? `First write ${list.format(missing)}.` : undefined;
}

export type Recipients = ReturnType<typeof recipientsIn>;

/** `wrong` has the parts of the text that are not a phone number, with their lines. */
export function recipientsIn(pasted: string) {
  const numbers = new Set<number>();
  const wrong: { line: number; text: string }[] = [];
  let given = 0;
  for (const [index, line] of pasted.split('\n').entries()) {
    for (const part of line.split(/[,;\t]/)) {
      const text = part.trim();
      if (text === '') continue;
      const digits = text.replace(/[\s()+-]/g, '');
      // The contract requires a whole number of 7 to 15 digits.
      if (!/^[1-9]\d{6,14}$/.test(digits)) {
        wrong.push({ line: index + 1, text });
        continue;
      }
      given += 1;
      numbers.add(Number(digits));
    }
  }
  return { numbers: [...numbers], duplicates: given - numbers.size, wrong };
}
