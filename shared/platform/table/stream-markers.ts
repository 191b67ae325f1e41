/** The markers that the filters on the table's stream look for. A row without a marker invokes no function. */
export const streamMarkers = { dispatch: 'toDispatch', callBack: 'toCallBack' } as const;

/** The value of a marker that is set; a row that lacks the attribute is not marked. */
export const marked = 'yes';

export function isMarked(row: unknown, marker: keyof typeof streamMarkers): boolean {
  return (row as Record<string, unknown> | undefined)?.[streamMarkers[marker]] === marked;
}
