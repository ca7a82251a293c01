import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)
/** Built programs by the state of their sources: test files that need one share it. */
const cache = fileURLToPath(new URL('.cache/programs/', root))
/** Programs of former sources are kept this long, since another run may use them. */
const keptMs = 3_600_000

/** The programs as they are shipped, built from the sources of now. */
export interface Programs {
  /** Path of qd.cjs. */
  readonly qd: string
  /** Path of the agent's main.js. */
  readonly agent: string
  close(): void
}

type Name = 'tui' | 'agent' | 'server'

interface Build {
  readonly targets: Readonly<Record<string, { build(outdir: string): Promise<unknown> }>>
  stateOf(name: string): string
}

/** The folder of a program that was built from the sources of now. Not to be written to. */
async function builtFolder(name: Name): Promise<string> {
  const { targets, stateOf } = (await import(new URL('scripts/build.mjs', root).href)) as Build
  const folder = join(cache, `${name}-${stateOf(`apps/${name}`)}`)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  // A test file beside this one may remove it first.
  for (const old of readdirSync(cache))
    if (Date.now() - (statSync(join(cache, old), { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > keptMs)
      rmSync(join(cache, old), { recursive: true, force: true })
  const beside = mkdtempSync(join(cache, `making-${name}-`))
  await targets[`apps/${name}`]!.build(beside)
  try {
    renameSync(beside, folder)
  } catch (error) {
    // Another test file was faster.
    if (!existsSync(folder)) throw error
    rmSync(beside, { recursive: true, force: true })
  }
  return folder
}

/** The server's main.js. */
export const serverProgram = async (): Promise<string> => join(await builtFolder('server'), 'main.js')

async function copyOf(...names: readonly Name[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'qd-programs-'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  // The agent finds its terminal module as an installed one does.
  symlinkSync(fileURLToPath(new URL('node_modules', root)), join(folder, 'node_modules'))
  for (const name of names) cpSync(await builtFolder(name), join(folder, name), { recursive: true })
  return folder
}

/** `qd` and the agent in a temporary folder, built with the settings of scripts/build.mjs. */
export async function buildPrograms(): Promise<Programs> {
  const folder = await copyOf('tui', 'agent')
  return {
    qd: join(folder, 'tui/qd.cjs'),
    agent: join(folder, 'agent/main.js'),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The agent alone. */
export async function buildAgent(): Promise<Pick<Programs, 'agent' | 'close'>> {
  const folder = await copyOf('agent')
  return {
    agent: join(folder, 'agent/main.js'),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The server as another version, with one migration more if it is named. */
export async function buildOtherServer(version: string, migration?: string): Promise<{ main: string; close(): void }> {
  const folder = await copyOf('server')
  const replaced = new Map<RegExp, string>([[/(?<=name:"quarterdeck",version:)"[^"]+"/, `"${version}"`]])
  if (migration !== undefined) replaced.set(/(?=async"0\d{3}-)/, `async"${migration}"(){},`)
  for (const name of readdirSync(join(folder, 'server'), { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, 'server', name)
    if (!name.endsWith('.js')) continue
    let text = readFileSync(file, 'utf8')
    for (const [part, other] of replaced) {
      if (!part.test(text)) continue
      text = text.replace(part, other)
      replaced.delete(part)
    }
    writeFileSync(file, text)
  }
  if (replaced.size > 0) throw new Error(`the built server has no ${[...replaced.keys()].join(', ')}`)
  return { main: join(folder, 'server/main.js'), close: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Server and agent beside each other as they are shipped, so that the server starts the agent of its own machine. */
export async function buildServerAndAgent(): Promise<{ server: string; close(): void }> {
  const folder = await copyOf()
  for (const name of ['server', 'agent'] as const)
    cpSync(await builtFolder(name), join(folder, name, 'dist'), { recursive: true })
  return { server: join(folder, 'server/dist/main.js'), close: () => rmSync(folder, { recursive: true, force: true }) }
}
