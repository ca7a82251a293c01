import { createHash } from 'node:crypto'
import { createReadStream, type ReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@qd/core/errors'
import { shellQuote } from '@qd/protocol/shell-quote'
import * as z from 'zod'

/** The systems that an install command can be for, by the word that file names of a release have for it. */
const wordOf = { linux: 'linux', macos: 'darwin', windows: 'windows' } as const

const maxManifestBytes = 65_536

/** Decides also what a script and a path of this server may contain. */
const fileName = /^nezha-agent_(linux|darwin|freebsd|windows)_[a-z\d]{1,16}\.zip$/

const manifestShape = z.strictObject({
  version: z.string().regex(/^\d[\w.+-]{0,63}$/),
  url: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .optional(),
  files: z.record(z.string().regex(fileName), z.string().regex(/^[\da-f]{64}$/i)),
})
type Manifest = z.infer<typeof manifestShape>

/** The installers of the Nezha agent, by the path below which this server offers them. */
export type NezhaScript = 'nezha-agent.sh' | 'nezha-agent.ps1'

/** The one release of the Nezha agent that hosts may install, as a folder of this server pins it. */
export interface NezhaRelease {
  /** Refuses a system that the release has no file for. Errors: `nezhaReleaseRequired`, `nezhaReleaseUnusable`. */
  check(os: keyof typeof wordOf): Promise<void>
  /** An installer that knows the version, the address, and the checksums. Errors: as `check`. */
  script(name: NezhaScript): Promise<{ text: string; sha256: string }>
  /** A file of the release in the folder; null if the release is elsewhere, or has no such file. */
  file(name: string): Promise<{ size: number; open(): ReadStream } | null>
}

const unusable = (reason: string) =>
  new AppError('nezhaReleaseUnusable', { reason: `nezha-agent/manifest.json: ${reason}` })

/** Reads `manifest.json` in this folder, anew each time. `installers` is the folder of the scripts. */
export function createNezhaRelease(folder: string, installers: string): NezhaRelease {
  const path = join(folder, 'manifest.json')

  async function read(): Promise<Manifest> {
    const found = await stat(path).catch(() => null)
    if (!found?.isFile()) throw new AppError('nezhaReleaseRequired')
    if (found.size > maxManifestBytes) throw unusable(`larger than ${maxManifestBytes} bytes`)
    const text = await readFile(path, 'utf8').catch((error: Error) => {
      throw unusable(error.message)
    })
    return parse(text)
  }

  const sizeOf = async (name: string) => {
    const found = await stat(join(folder, name)).catch(() => null)
    return found?.isFile() ? found.size : null
  }

  return {
    async check(os) {
      const { url, files } = await read()
      const names = Object.keys(files).filter((name) => fileName.exec(name)?.[1] === wordOf[os])
      if (names.length === 0) throw unusable(`no file for ${wordOf[os]}`)
      if (url !== undefined) return
      for (const name of names)
        if ((await sizeOf(name)) === null) throw unusable(`no url, and ${name} is not beside it`)
    },
    async script(name) {
      const { version, url = '', files } = await read()
      const body = await readFile(join(installers, name), 'utf8')
      const sums = Object.entries(files).map(([file, sum]) => `${file} ${sum.toLowerCase()}`)
      const [start, quoted] = name.endsWith('.sh') ? ['', shellQuote] : ['$', inPowerShell]
      const known = { version, url: url.replace(/\/+$/, ''), sums: sums.join('\n') }
      const lines = Object.entries(known).map(([variable, value]) => `${start}${variable}=${quoted(value)}\n`)
      const text = `${lines.join('')}${body}`
      return { text, sha256: createHash('sha256').update(text).digest('hex') }
    },
    async file(name) {
      const manifest = await read().catch(() => null)
      if (manifest === null || manifest.url !== undefined || !Object.hasOwn(manifest.files, name)) return null
      const size = await sizeOf(name)
      return size === null ? null : { size, open: () => createReadStream(join(folder, name)) }
    },
  }
}

/** Errors: `nezhaReleaseUnusable`. */
function parse(text: string): Manifest {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw unusable('not JSON')
  }
  const { success, data, error } = manifestShape.safeParse(content)
  if (success) return data
  const [issue] = error.issues
  throw unusable(`${issue!.path.map((part) => JSON.stringify(part)).join('.') || 'content'}: ${issue!.message}`)
}

const isPlain = (text: string) => /^[\w.+/=@:-]+$/.test(text)

/** A text as PowerShell reads it back. It takes typographic quotes for plain ones. */
export const inPowerShell = (text: string): string =>
  isPlain(text) ? `"${text}"` : `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`
