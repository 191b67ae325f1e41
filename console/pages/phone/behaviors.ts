/** How the simulated wallet platform treats messages to its test numbers. A test compares this with what it does. */
export const behaviors: Readonly<Record<string, string>> = {
  '79999990001': 'It is never registered, and cannot become a phone of yours: MSISDN_NOT_REGISTERED.',
  '79999990002': 'It never shows a message.',
  '79999990003': 'It shows messages, and opens none by itself.',
  '79999990004': 'It shows and opens messages by itself, and reports each state twice.',
  '79999990005': 'It shows and opens messages by itself, and reports first that they were opened.',
  '79999990006': 'It shows messages after 2 minutes, and then opens them by itself.',
  '79999990007': 'It lets every deadline pass. A message without one it shows and opens by itself.',
  '79999990008': 'It shows messages, and opens one just before you take it back.',
};
