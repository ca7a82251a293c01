import { escapeJson } from './json.ts'

/** A value of JSON as YAML 1.2 in blocks; texts are quoted as in JSON where they could be read as something else. */
export function toYaml(value: unknown): string {
  return `${blockOf(value, 0).replace(/^\n/, '')}\n`
}

/** The text that follows a key or a dash: on its line, or in lines of its own below. */
function blockOf(value: unknown, depth: number): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return value.map((item) => `\n${indent(depth)}- ${blockOf(item, depth + 1).replace(/^\n\s*/, '')}`).join('')
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    if (entries.length === 0) return '{}'
    return entries
      .map(([key, part]) => {
        const block = blockOf(part, depth + 1)
        return `\n${indent(depth)}${scalarOf(key)}:${block.startsWith('\n') ? '' : ' '}${block}`
      })
      .join('')
  }
  return typeof value === 'string' ? textOf(value, depth) : JSON.stringify(value ?? null)
}

const indent = (depth: number) => '  '.repeat(depth)

/** Several lines stand as they are below a `|`, where nothing in them could be taken for something else. */
function textOf(text: string, depth: number): string {
  const isBlock = /^[^\s][^\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]*$/.test(text)
  if (!isBlock || !text.includes('\n') || /\n\n*$/.test(text.replace(/\n$/, ''))) return scalarOf(text)
  const lines = text.replace(/\n$/, '').split('\n')
  const sign = text.endsWith('\n') ? '|' : '|-'
  return [sign, ...lines.map((line) => (line === '' ? '' : indent(depth) + line))].join('\n')
}

/** Words that YAML reads as something other than text, or that begin like it. */
const plain = /^(?!(?:true|false|yes|no|on|off|null|y|n|~)$)[A-Za-z_][\w ./@+()-]*(?<! )$/i

function scalarOf(text: string): string {
  return plain.test(text) ? text : escapeJson(JSON.stringify(text))
}
