import { build, type InlineConfig, type Rolldown } from 'vite'

/** A file of code that a build makes. */
export type Chunk = Rolldown.OutputChunk

/** What begins each part of the pages; `idle` is fetched when the console's first page stands. */
const roots = {
  entry: ['/src/main.tsx'],
  public: ['/src/status/public.tsx'],
  console: ['/src/console.tsx'],
  login: ['/src/screens/sign-in/Login.tsx'],
  idle: ['/src/hosts/Overlays.tsx', '/src/ui/overlays/MenuList.tsx'],
} as const
type Part = keyof typeof roots

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

/**
 * Tells which file a module goes into: one for each part of the pages, `base` for what console and public page share and `inputs` for what
 * signing in needs first; few files are few
 * round trips. The words that only the console has are one file per language. What is asked
 * for later keeps a file of its own (null), and so does the entry, which waits for no other file. Only a
 * build knows what of its imports a module really uses, so the pages are built once before, for nothing else.
 */
export async function createChunkOf(config: InlineConfig): Promise<(id: string) => string | null> {
  const built = await build({ ...config, configFile: false, logLevel: 'error', build: { write: false, minify: false } })
  const chunks = (built as Rolldown.RolldownOutput).output.filter((file) => file.type === 'chunk')
  const parts = Object.fromEntries(
    Object.entries(roots).map(([part, from]) => [
      part,
      new Set([...chunksWith(chunks, from)].flatMap(({ moduleIds }) => moduleIds)),
    ]),
  ) as Record<Part, Set<string>>
  return (id) => {
    const [, language] = /\/locales\/([\w-]+)\/(resources|errors)\.json$/.exec(id) ?? []
    if (language !== undefined) return `words-${language}`
    if (parts.entry.has(id)) return null
    if (parts.console.has(id)) return parts.public.has(id) ? 'base' : 'console'
    if (parts.public.has(id)) return 'public'
    if (parts.idle.has(id)) return parts.login.has(id) ? 'inputs' : 'idle'
    return null
  }
}
