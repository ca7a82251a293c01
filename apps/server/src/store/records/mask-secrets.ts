import type { Masking } from '@qd/core/define'

/** Stands for whatever is hidden, however long it is. */
const hidden = '••••••'
/** Longer texts are not returned, because masking them would cost too much. */
const maxCharacters = 8192
/** JSON within JSON, deeper than anybody writes it. */
const maxDepth = 4

/** Words of a name whose value is a secret; compared without case, blanks and signs. */
const secretName =
  /token|passw|passphrase|pwd|secret|auth(?!or(?!i))|credential|signature|session|cookie|bearer|jwt|key$|^(sign|pass|pin|otp|code)$/
const isSecretName = (name: string) =>
  secretName.test(
    unescaped(name)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, ''),
  )

/** A name as it is meant, where it stands in an address. */
function unescaped(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Headers that say how a message is written, and nothing of who sends it. */
const openHeaders = ['content-type', 'accept', 'accept-language', 'user-agent', 'priority', 'title', 'tags']
const isHiddenHeader = (name: string) => !openHeaders.includes(name.toLowerCase()) || isSecretName(name)

/**
 * A stored text as its owner may read it again: what could be a secret in it is hidden. Hidden are values of names that sound like one (in
 * JSON, finished or not, in forms, XML and lines), what signs in within an address, the parts of addresses of Slack, Discord and Telegram
 * that let anybody post, and long runs of letters and digits wherever they stand. Empty if it is too long to be read.
 */
export function maskSecrets(text: string, masking: Masking): string {
  if (text.length > maxCharacters) return ''
  return maskPairs(text, masking === 'headers' ? isHiddenHeader : isSecretName, 0)
}

/** Parts of JSON, or of something that was to be JSON: strings, signs, blanks and everything else. */
const parts = /"(?:[^"\\]|\\[\s\S])*"?|[{}[\],:]|\s+|[^\s"{}[\],:]+/g

/** Hides values of names in text that may be JSON with placeholders in it, and then what is a secret whatever its name. */
function maskPairs(text: string, isSecret: (name: string) => boolean, depth: number): string {
  const found = maskElements(text).match(parts) ?? []
  let level = 0
  let name: { text: string; isQuoted: boolean } | null = null
  /** What is being hidden: since which level, whether a line ends it, and whether anything of it was met. */
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
    // The value of `name="value"` is a part of its own.
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

/** A string of JSON: what is in it is read as it is meant, escapes undone, and may be JSON itself. */
function maskString(part: string, isSecret: (name: string) => boolean, depth: number): string {
  const content = contentOf(part)
  if (content === null) return `"${hidden}"`
  const isNested = /["{[:]/.test(content)
  if (isNested && depth >= maxDepth) return `"${hidden}"`
  const masked = isNested ? maskPairs(content, isSecret, depth + 1) : maskPlain(content)
  return masked === content ? part : JSON.stringify(masked)
}

/** What a string of JSON holds; null if it is none. Line breaks in it are taken as written. */
function contentOf(part: string): string | null {
  try {
    return JSON.parse(part.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')) as string
  } catch {
    return null
  }
}

/** Names and values of addresses and forms. A name is looked for only where one can begin: else a long text without a `=` costs its square. */
const pair = /(?<![\w.%+[\]-])([\w.%+[\]-]+)=('?)[^&\s"']+/g
/** An element of XML with text in it; what follows the name begins with another sign, for the same reason. */
const element = /<([\w:.-]+)((?:[^\w:.<>-][^<>]*)?)>([^<>]+)</g
function maskElements(text: string): string {
  return text.replaceAll(element, (whole, name: string, rest: string) =>
    isSecretName(name) ? `<${name}${rest}>${hidden}<` : whole,
  )
}

/** Who signs in within an address. */
const userinfo = /(\/\/)[^/\s@"'<>]*@/g
/** What follows the word for a way to sign in. */
const scheme = /\b(bearer|basic|digest)(\s+)[^\s"'<>,;]+/gi
/** The parts of addresses of Slack, Discord and Telegram with which anybody may post. */
const slack = /(\/(?:services|workflows|triggers)\/)[^\s"'<>?#]+/gi
const discord = /(\/webhooks\/)[^\s"'<>?#]+/gi
const telegram = /\b(bot)\d+:[\w-]+/gi
/** A run of what keys are made of, and one of base64, which may hold slashes but begins no path. */
const run = /[A-Za-z0-9_+-]{16,}={0,2}/g
const base64 = /(?<![\w./:+-])[A-Za-z0-9+/]{32,}={0,2}/g
/** Letters and digits mixed, small and capital letters mixed, or longer than words are. */
const isKeyLike = (text: string) =>
  (/\d/.test(text) && (/[A-Za-z]/.test(text) || text.length >= 20)) ||
  (/[a-z]/.test(text) && /[A-Z]/.test(text)) ||
  /[A-Za-z]{24}/.test(text)

/** Hides what is a secret by its looks, in text without quotes. */
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
