import { UsageError } from './operator-values.ts'

type Content = Readonly<Record<string, unknown>>

/** A settings file as text: what it holds, and the same file with other values. */
export interface SettingsFile {
  readonly content: Content
  /** The text of the file with these values alone; in YAML, comments and order of what stays are kept. */
  with(next: Content): string
}

const toObject = (value: unknown): Content | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined

const readJson = (path: string, text: string): SettingsFile => {
  const write = (next: Content) => `${JSON.stringify(next, null, 2)}\n`
  try {
    const content = toObject(JSON.parse(text))
    if (content) return { content, with: write }
  } catch {}
  throw new UsageError(`${path} is not a JSON object; fix it, or give another file with --config`)
}

/** Reads the file of an existing agent. Names count in any case, as they do there (agent contract 8.3). Errors: `UsageError`. */
export const readYaml = async (path: string, text: string): Promise<SettingsFile> => {
  // Only who comes from an existing agent needs it.
  const { isMap, parseDocument } = await import('yaml')
  const document = parseDocument(text)
  const [fault] = document.errors
  if (fault) throw new UsageError(`${path} is not YAML: ${fault.message.split('\n')[0]?.replace(/:$/, '')}`)
  const { contents } = document
  if (contents !== null && !isMap(contents)) throw new UsageError(`${path} contains no settings`)
  const written = toObject(document.toJS()) ?? {}
  const names = new Map(Object.keys(written).map((name) => [name.toLowerCase(), name]))
  return {
    content: Object.fromEntries(Object.entries(written).map(([name, value]) => [name.toLowerCase(), value])),
    with(next) {
      for (const [key, name] of names) if (!(key in next)) document.delete(name)
      for (const [key, value] of Object.entries(next)) document.set(names.get(key) ?? key, value)
      return document.toString()
    },
  }
}

/** Reads a settings file: YAML if its name ends so, else JSON; undefined text is an empty file. Errors: `UsageError`. */
export const readSettingsFile = async (path: string, text: string | undefined): Promise<SettingsFile> =>
  /\.ya?ml$/i.test(path) ? readYaml(path, text ?? '') : readJson(path, text ?? '{}')
