import Module from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createIo } from '../base/io.ts'
import { version } from '../base/version.ts'

/** Node 22.8 and newer keep what they compiled, so that the next start need not; older ones have no such function. */
const { enableCompileCache } = Module as { enableCompileCache?(folder: string): void }
const load = Module.createRequire(__filename)

/** A part of the program that the build keeps apart. It is an ES module, which this file is not: Node loads those 5 ms later. */
const part = (name: string): Promise<unknown> => import(pathToFileURL(join(__dirname, name)).href)

const io = createIo({
  yaml: async () => (await part('yaml.js')) as typeof import('../base/yaml.ts'),
  jq: async () => ((await part('jq.js')) as typeof import('../base/jq.ts')).jq,
})

const runUi = (): Promise<number> => (load('./ui.cjs') as typeof import('./ui-program.ts')).runWithUi(io)

async function run(): Promise<number> {
  enableCompileCache?.(join(io.env.XDG_CACHE_HOME || join(io.home, '.cache'), 'quarterdeck'))
  if (io.args.length === 0) return runUi()
  return (load('./commands.cjs') as typeof import('./program.ts')).runProgram(
    io,
    runUi,
    (_cli, _watched, { takeOver }) => {
      takeOver()
      return runUi()
    },
    async (_cli, { takeOver }) => {
      takeOver()
      return ((await part('tools.js')) as typeof import('./mcp-program.ts')).runWithTools(io)
    },
  )
}

const isVersionAsked = io.args.length === 1 && /^(--version|-V)$/.test(io.args[0] ?? '')

/** Answers `qd --version` without the rest of the program; false if it can’t be written, which the program then reports. */
function printVersion(): boolean {
  try {
    io.stdout.write(`${version}\n`)
    return true
  } catch {
    return false
  }
}

if (!isVersionAsked || !printVersion()) void run().then(io.exit)
