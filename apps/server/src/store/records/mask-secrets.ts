import type { Masking } from '@qd/core/define'

const hidden = '••••••'
/** Longer texts aren't returned: masking would cost too much. */
const maxCharacters = 8192
const maxDepth = 4

/** Names of secrets; compared without case, blanks and signs. */
const secretName =
  /token|passw|passphrase|pwd|secret|auth(?!or(?!i))|credential|signature|session|cookie|bearer|jwt|key$|^(sign|pass|pin|otp|code)$/
const isSecretName = (name: string) =>
  secretName.test(
    unescaped(name)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, ''),
  )

function unescaped(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Headers about the message's format, not its sender. */
const openHeaders = ['content-type', 'accept', 'accept-language', 'user-agent', 'priority', 'title', 'tags']
const isHiddenHeader = (name: string) => !openHeaders.includes(name.toLowerCase()) || isSecretName(name)

/** Hides possible secrets in a stored text for its owner: values of secret-sounding names (JSON even if incomplete, forms, XML, lines), user info in URLs, the secret parts of Slack, Discord and Telegram URLs, and long runs of letters and digits. Empty if the text is too long. */
export function maskSecrets(text: string, masking: Masking): string {
  if (text.length > maxCharacters) return ''
  return maskPairs(text, masking === 'headers' ? isHiddenHeader : isSecretName, 0)
}

/** Tokens of JSON, valid or not: strings, signs, blanks and the rest. */
const parts = /"(?:[^"\\]|\\[\s\S])*"?|[{}[\],:]|\s+|[^\s"{}[\],:]+/g

/** Hides values by name in a text that may be JSON with placeholders, then secrets by their look. */
function maskPairs(text: string, isSecret: (name: string) => boolean, depth: number): string {
  const found = maskElements(text).match(parts) ?? []
  let level = 0
  let name: { text: string; isQuoted: boolean } | null = null
  /** What is being hidden: from which level, whether a line ends it, and whether a value was found. */
  let hiding: { level: number; byLine: boolean; hasMet: boolean } | null = null
  let open = ''
  let result = ''
  const flush = () => {
    result += maskPlain(open)
    open = ''
  }
  for (const part of found) {
    if (/^[}\]]/.test(part)) level--
    const isOver = hiding && (level < hiding.level || (part === ',' && level === hiding.level && !hiding.byLine))
    if (isOver || (hiding?.byLine && hiding.hasMet && level === hiding.level && part.includes('\n'))) hiding = null
    if (/^[{[]/.test(part)) level++
    const isText = !/^[{}[\],:\s]/.test(part)
    if (part === ':' && name && !hiding && isSecret(name.text))
      hiding = { level, byLine: !name.isQuoted, hasMet: false }
    // In `name="value"`, the value is a token of its own.
    const given = !hiding && /^[^"].*=$/.test(part) && isSecretName(part.slice(0, -1))
    if (hiding && isText) {
      flush()
      hiding.hasMet = true
      result += part.startsWith('"') ? `"${hidden}"` : hidden
    } else if (part.startsWith('"')) {
      flush()
      result += maskString(part, isSecret, depth)
    } else open += part
    if (given) hiding = { level, byLine: true, hasMet: false }
    if (isText) name = { text: part.startsWith('"') ? (contentOf(part) ?? part) : part, isQuoted: part.startsWith('"') }
    else if (part.trim() !== '' && part !== ':') name = null
  }
  flush()
  return result
}

/** Masks a JSON string's unescaped content, which may be JSON itself. */
function maskString(part: string, isSecret: (name: string) => boolean, depth: number): string {
  const content = contentOf(part)
  if (content === null) return `"${hidden}"`
  const isNested = /["{[:]/.test(content)
  if (isNested && depth >= maxDepth) return `"${hidden}"`
  const masked = isNested ? maskPairs(content, isSecret, depth + 1) : maskPlain(content)
  return masked === content ? part : JSON.stringify(masked)
}

/** A JSON string's content; null if it is none. Raw line breaks are accepted. */
function contentOf(part: string): string | null {
  try {
    return JSON.parse(part.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')) as string
  } catch {
    return null
  }
}

/** `name=value` in URLs and forms. The lookbehind keeps a long text without `=` from quadratic time. */
const pair = /(?<![\w.%+[\]-])([\w.%+[\]-]+)=('?)[^&\s"']+/g
/** An XML element with text; the attribute part starts with another sign for the same reason. */
const element = /<([\w:.-]+)((?:[^\w:.<>-][^<>]*)?)>([^<>]+)</g
function maskElements(text: string): string {
  return text.replaceAll(element, (whole, name: string, rest: string) =>
    isSecretName(name) ? `<${name}${rest}>${hidden}<` : whole,
  )
}

const userinfo = /(\/\/)[^/\s@"'<>]*@/g
const scheme = /\b(bearer|basic|digest)(\s+)[^\s"'<>,;]+/gi
const slack = /(\/(?:services|workflows|triggers)\/)[^\s"'<>?#]+/gi
const discord = /(\/webhooks\/)[^\s"'<>?#]+/gi
const telegram = /\b(bot)\d+:[\w-]+/gi
const run = /[A-Za-z0-9_+-]{16,}={0,2}/g
const base64 = /(?<![\w./:+-])[A-Za-z0-9+/]{32,}={0,2}/g
/** Mixed letters and digits, mixed case, or longer than words. */
const isKeyLike = (text: string) =>
  (/\d/.test(text) && (/[A-Za-z]/.test(text) || text.length >= 20)) ||
  (/[a-z]/.test(text) && /[A-Z]/.test(text)) ||
  /[A-Za-z]{24}/.test(text)

function maskPlain(text: string): string {
  if (text.trim() === '') return text
  return text
    .replaceAll(pair, (whole, name: string, quote: string) =>
      isSecretName(name) ? `${name}=${quote}${hidden}` : whole,
    )
    .replaceAll(userinfo, `$1${hidden}@`)
    .replaceAll(scheme, `$1$2${hidden}`)
    .replaceAll(slack, `$1${hidden}`)
    .replaceAll(discord, `$1${hidden}`)
    .replaceAll(telegram, `$1${hidden}`)
    .replaceAll(base64, (found) => (isKeyLike(found) ? hidden : found))
    .replaceAll(run, (found) => (isKeyLike(found) ? hidden : found))
}
