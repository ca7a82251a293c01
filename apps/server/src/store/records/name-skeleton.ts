/** Look-alikes of Latin letters and digits on Cyrillic, Greek and Armenian keyboards, from Unicode's confusables (UTS 39). The full table has 6,000 entries for scripts that don't look like a name here. */
const lookalikes: Readonly<Record<string, string>> = {
  a: '\u0430\u03b1\u0251',
  b: '\u044c\u0432',
  c: '\u0441\u03f2',
  d: '\u0501',
  e: '\u0435\u0451\u0454',
  g: '\u0261\u0581',
  h: '\u04bb\u0570\u043d',
  i: '\u0456\u0457\u03b9\u0131',
  j: '\u0458\u03f3',
  k: '\u043a\u03ba',
  // One and the bar look like l.
  l: '1|\u04cf\u0399',
  m: '\u043c',
  n: '\u0578\u03b7',
  o: '0\u043e\u03bf\u0585\u03c3',
  p: '\u0440\u03c1',
  q: '\u051b\u0566',
  r: '\u0433',
  s: '\u0455',
  t: '\u0442\u03c4',
  u: '\u03c5\u057d\u0446',
  v: '\u03bd\u0475',
  w: '\u051d\u0461',
  x: '\u0445\u03c7',
  y: '\u0443\u04af\u03b3',
  z: '\u1d22',
}
const looksLike = new Map(Object.entries(lookalikes).flatMap(([letter, all]) => [...all].map((one) => [one, letter])))

/** Equal for names that look alike. For comparison only, never shown. */
export function nameSkeleton(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\s]/gu, '')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
  const latin = [...plain].map((sign) => looksLike.get(sign) ?? sign).join('')
  // A capital i looks like l, and these pairs run together.
  return latin.replaceAll('i', 'l').replaceAll('rn', 'm').replaceAll('vv', 'w')
}
