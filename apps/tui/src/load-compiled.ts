import { existsSync, readFileSync } from 'node:fs'
import Module from 'node:module'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

type Compiled = Pick<typeof import('./program.ts'), 'runProgram'>

/**
 * The commands, which the build wrote beside this program as one script, with what V8 made of it: a start reads that instead of
 * compiling 500 KB anew. V8 refuses what another version of it made; the script is compiled then, as any other.
 */
export function loadCompiled(): Compiled {
  const file = fileURLToPath(new URL('commands.cjs', import.meta.url))
  const cache = `${file}.cache`
  const script = new Script(readFileSync(file, 'utf8'), {
    filename: file,
    ...(existsSync(cache) && { cachedData: readFileSync(cache) }),
  })
  const module = { exports: {} as Compiled }
  script.runInThisContext()(Module.createRequire(file), module)
  return module.exports
}
