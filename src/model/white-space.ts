// White space as Go sees it.

const WHITE_SPACE = /\p{White_Space}/u;

/** Cuts Unicode white space at both ends, as Go's strings.TrimSpace; String.trim differs in U+0085 and U+FEFF. */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isWhiteSpace(text, start)) start += 1;
  while (end > start && isWhiteSpace(text, end - 1)) end -= 1;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

function isWhiteSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code <= 0x20 || code >= 0x80) && WHITE_SPACE.test(text.charAt(at));
}
