import Module from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createIo } from '../base/io.ts'
import { start } from './start.ts'

/** Node 22.8 and newer cache compiled code. */
const { enableCompileCache } = Module as { enableCompileCache?(folder: string): void }
const load = Module.createRequire(__filename)

/** A separate ES module; this file is CommonJS, which Node loads 5 ms faster. */
const part = <T>(name: string) => import(pathToFileURL(join(__dirname, name)).href) as Promise<T>

const io = createIo({
  yaml: () => part('yaml.js'),
  jq: async () => (await part<typeof import('../base/jq.ts')>('jq.js')).jq,
})

function program<T>(read: () => T): T {
  enableCompileCache?.(join(io.env.XDG_CACHE_HOME || join(io.home, '.cache'), 'quarterdeck'))
  return read()
}

void start(io, {
  commands: async () => program(() => load('./commands.cjs')),
  ui: () => program(() => part('screen.js')),
  tools: () => part('tools.js'),
})
