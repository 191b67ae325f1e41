/** Whether CloudWatch Logs would count a line by a pattern such as `{ $.status = "500" && $.partnerId != "-" }`. */
export function matches(pattern: string, line: Record<string, string>): boolean {
  const condition = pattern
    .replace(/^\{|\}$/g, '')
    .replaceAll(
      /\$\.(\w+) (!?=) /g,
      (_, name: string, sign: string) => `line.${name} ${sign === '=' ? '===' : '!=='} `,
    );
  return new Function('line', `return ${condition}`)(line);
}
