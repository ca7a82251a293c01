import { asList, cannot, textFrom, typeOf } from './values.ts'

const html: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&#39;', '"': '&quot;' }
const tabs: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' }

/** Ways to write a value as text, by the name behind `@`. Errors: the failure of a filter. */
export const formats: Readonly<Record<string, (value: unknown) => string>> = {
  '@text': textFrom,
  '@json': (value) => JSON.stringify(value ?? null),
  '@csv': (value) => cells(value, '@csv', (text) => `"${text.replaceAll('"', '""')}"`).join(','),
  '@tsv': (value) => cells(value, '@tsv', (text) => text.replace(/[\t\n\r\\]/g, (sign) => tabs[sign]!)).join('\t'),
  '@sh': (value) => (Array.isArray(value) ? value : [value]).map(shellWord).join(' '),
  '@uri': (value) => encodeURIComponent(textFrom(value)),
  '@html': (value) => textFrom(value).replace(/[&<>'"]/g, (sign) => html[sign]!),
  '@base64': (value) => Buffer.from(textFrom(value)).toString('base64'),
}

function cells(value: unknown, part: string, write: (text: string) => string): string[] {
  return asList(value, part).map((cell) => {
    if (typeof cell === 'string') return write(cell)
    if (typeOf(cell) === 'object' || Array.isArray(cell)) throw cannot(part, cell)
    return cell === null || cell === undefined ? '' : String(cell)
  })
}

function shellWord(value: unknown): string {
  if (typeOf(value) === 'object' || Array.isArray(value)) throw cannot('@sh', value)
  return typeof value === 'string' ? `'${value.replaceAll("'", `'\\''`)}'` : textFrom(value)
}
