import { readFileSync } from 'node:fs'
import type { Plugin, Rolldown } from 'vite'

interface Words {
  readonly [key: string]: string | Words
}

/** Tells whether the pages say this key before they load anything more. */
export type IsFirst = (key: string) => boolean

const written = /(['"`])((?:ui|errors|resources)(?:\.(?:[\w-]|\$\{[^}`]*\})+)+)\1/g
const derived = /(\w+): \([^)]*\) => (`[^`]+`)/g
const plural = /_(zero|one|two|few|many|other)$/

/** Reads from the code of these files which keys it says; of `textKey`'s, which are derived, those that it asks for. */
export function firstKeys(chunks: Iterable<Rolldown.OutputChunk>): IsFirst {
  const modules = [...chunks].flatMap((chunk) => Object.entries(chunk.modules))
  const codes = modules.map(([id, { code }]) => [id, code ?? ''] as const)
  const asked = new Set(codes.flatMap(([, code]) => [...code.matchAll(/\btextKey\.(\w+)/g)].map(([, name]) => name)))
  const said = codes.flatMap(([id, code]) => {
    if (!id.endsWith('/define/text-keys.ts')) return [...code.matchAll(written)].map(([, , key]) => key!)
    const all = [...code.matchAll(derived)]
    if (all.length === 0) throw new Error('textKey has no keys that could be read')
    const others = [...code.replace(derived, '').matchAll(written)].map(([, , key]) => key!)
    return [...others, ...all.filter(([, name]) => asked.has(name)).map(([, , key]) => key!.slice(1, -1))]
  })
  const patterns = said.map((key) => key.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w.-]+'))
  const isSaid = new RegExp(`^(?:${[...new Set(patterns)].join('|')})(?:\\.|$)`)
  return (key) => isSaid.test(key) || isSaid.test(key.replace(plural, ''))
}

function pick(words: Words, path: string, isWanted: IsFirst): Words {
  const entries = Object.entries(words).map(([name, word]) => {
    const key = `${path}.${name}`
    if (typeof word === 'string') return [name, isWanted(key) ? word : null] as const
    const below = pick(word, key, isWanted)
    return [name, Object.keys(below).length > 0 ? below : null] as const
  })
  return Object.fromEntries(entries.filter((entry): entry is [string, string | Words] => entry[1] !== null))
}

const file = /^(.*\/locales\/[\w-]+\/(\w+)\.json)\.(first|later)\.js$/

/** Makes two modules of every file of texts: what `isFirst`, and the rest as its `later`. Words of the terminal programs are left out. */
export function firstWords(isFirst: IsFirst): Plugin {
  return {
    name: 'quarterdeck-first-words',
    enforce: 'pre',
    apply: 'build',
    async resolveId(source, importer, options) {
      if (file.test(source)) return source
      if (!/\/locales\/[\w-]+\/\w+\.json$/.test(source)) return null
      const found = await this.resolve(source, importer, { ...options, skipSelf: true })
      return found && `${found.id}.first.js`
    },
    load(id) {
      const [, path, space, which] = file.exec(id) ?? []
      if (path === undefined) return null
      const { cli: _cli, tui: _tui, ...words } = JSON.parse(readFileSync(path, 'utf8')) as Words
      const picked = pick(words, space!, (key) => isFirst(key) === (which === 'first'))
      const later =
        which === 'first' ? `\nexport const later = () => import(${JSON.stringify(`${path}.later.js`)})` : ''
      return `export default ${JSON.stringify(picked)}${later}`
    },
  }
}
