import type { Source } from '@qd/core/documents'
import { Document, isMap, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml'
import { escapeJson, steering } from './output/json.ts'

export type ReadSource = { ok: true; source: Source } | { ok: false; line: number; text: string }

/** Reads YAML 1.2, and so JSON. Duplicate keys are refused. */
export function readSource(text: string): ReadSource {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [error] = document.errors
  if (error) return { ok: false, line: lines.linePos(error.pos[0]).line, text: error.message }
  const lineOf = (node: unknown): number | null => {
    const range = (node as Node | null | undefined)?.range
    return range ? lines.linePos(range[0]).line : null
  }
  let value: unknown
  try {
    // The library limits aliases, with which a small file could expand without end.
    value = document.toJS()
  } catch (thrown) {
    return { ok: false, line: 1, text: thrown instanceof Error ? thrown.message : '' }
  }
  return {
    ok: true,
    source: {
      value,
      lineOf(path) {
        let node: unknown = document.contents
        let line = lineOf(node) ?? 1
        for (const step of path) {
          const found = childOf(node, step)
          if (!found) break
          node = found.value
          line = lineOf(found.key) ?? lineOf(found.value) ?? line
        }
        return line
      },
    },
  }
}

function childOf(node: unknown, step: string | number): { key: unknown; value: unknown } | null {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
    return pair ? { key: pair.key, value: pair.value } : null
  }
  const items = (node as { items?: readonly unknown[] } | null)?.items
  const value = typeof step === 'number' ? items?.[step] : undefined
  return value === undefined ? null : { key: value, value }
}

/** YAML 1.2 in block style. Quotes what older parsers misread (`no`) and escapes control characters. */
export function toYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false, compat: 'yaml-1.1' })
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && unprintable.test(node.value)) node.type = 'QUOTE_DOUBLE'
    },
  })
  return escapeJson(document.toString({ lineWidth: 0, singleQuote: false }))
}

/** Can't be in a block scalar: control characters, and empty lines at its start or end. */
const unprintable = new RegExp(`[\\u0000-\\u0009\\u000b-\\u001f]|^\\n|\\n\\n$|${steering.source}`)
