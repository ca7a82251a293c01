import { build, type InlineConfig, type Rolldown } from 'vite'
import { firstKeys, type IsFirst } from './first-words.ts'

/** A file of code that a build makes. */
export type Chunk = Rolldown.OutputChunk

/** What begins each part of the pages; `near` is fetched when somebody is at the console's first page. */
const roots = {
  entry: ['/src/main.tsx'],
  public: ['/src/public/public.tsx'],
  console: ['/src/shell/console.tsx'],
  login: ['/src/shell/screens/sign-in/Login.tsx'],
  language: ['/src/base/state/localized.tsx'],
  near: ['/src/shell/hosts/Overlays.tsx', '/src/ui/overlays/MenuList.tsx', '/src/act/perform/page-commands.ts'],
} as const
type Part = keyof typeof roots

/** What draws pages without waiting for the later texts: the console's first page, and all of a visitor's. */
const speaking = [...roots.console, ...roots.public, '/src/public/Wall.tsx']

/** The files that hold these modules (ends of their paths), and all that those import. */
export function chunksWith(chunks: readonly Chunk[], modules: readonly string[]): ReadonlySet<Chunk> {
  const files = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const found = new Set<Chunk>()
  const collect = (chunk: Chunk | undefined) => {
    if (!chunk || found.has(chunk)) return
    found.add(chunk)
    for (const file of chunk.imports) collect(files.get(file))
  }
  for (const module of modules) {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)))
    if (!chunk) throw new Error(`the build has no ${module}`)
    collect(chunk)
  }
  return found
}

/** How the pages are divided: which file a module goes into, and which texts come with the first. */
export interface Division {
  chunkOf(id: string): string | null
  isFirst: IsFirst
}

/**
 * One file for each part of the pages, `base` for what console and public page share and `inputs` for what signing in needs first; few
 * files are few round trips. The words that only the console has are one file per language, and so are those said later. What is asked for
 * later keeps a file of its own (null), and so does the entry, which waits for no other file. Only a build knows what of its imports a
 * module really uses, so the pages are built once before, for nothing else.
 */
export async function divide(config: InlineConfig): Promise<Division> {
  const built = await build({ ...config, configFile: false, logLevel: 'error', build: { write: false, minify: false } })
  const chunks = (built as Rolldown.RolldownOutput).output.filter((file) => file.type === 'chunk')
  const parts = Object.fromEntries(
    Object.entries(roots).map(([part, from]) => [
      part,
      new Set([...chunksWith(chunks, from)].flatMap(({ moduleIds }) => moduleIds)),
    ]),
  ) as Record<Part, Set<string>>
  return {
    isFirst: firstKeys(chunksWith(chunks, speaking)),
    chunkOf(id) {
      const [, language, space, which] = /\/locales\/([\w-]+)\/(\w+)\.json\.(\w+)\.js$/.exec(id) ?? []
      if (which === 'later') return `later-${language}`
      if (space === 'resources' || space === 'errors') return `words-${language}`
      if (parts.entry.has(id)) return null
      if (parts.console.has(id)) return parts.public.has(id) ? 'base' : 'console'
      if (parts.public.has(id)) return 'public'
      if (parts.language.has(id)) return 'language'
      if (parts.near.has(id)) return parts.login.has(id) ? 'inputs' : 'near'
      return null
    },
  }
}
