export type Day = ReturnType<typeof weekOf>[number];
type Send = { acceptedAt: string; recipients: number };

const daysShown = 7;

/** The last seven days of the calendar here, today last, with what was sent on each. */
export function weekOf(sends: readonly Send[], now = new Date()) {
  return Array.from({ length: daysShown }, (_, n) => {
    const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysShown + 1 + n);
    const ofDay = sends.filter(
      ({ acceptedAt }) => new Date(acceptedAt).toDateString() === day.toDateString(),
    );
    return {
      name: day.toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric' }),
      sends: ofDay.length,
      recipients: ofDay.reduce((sum, { recipients }) => sum + recipients, 0),
    };
  });
}
