import { existsSync, readFileSync } from 'node:fs'
import Module from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'

type Compiled = Pick<typeof import('./program.ts'), 'runProgram'>

/**
 * The commands, which the build wrote beside this program as one script, with what V8 made of it: a start reads that instead of
 * compiling 500 KB anew. V8 refuses what another version of it made; the script is compiled then, as any other.
 */
export function loadCompiled(folder: string): Compiled {
  const file = join(folder, 'commands.cjs')
  const cache = `${file}.cache`
  // It is all ASCII (`tests/tui/compiled.test.ts`): so it is read without being decoded, and V8 keeps it in half the room.
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    ...(existsSync(cache) && { cachedData: readFileSync(cache) }),
  })
  const module = { exports: {} as Compiled }
  script.runInThisContext()(Module.createRequire(file), module)
  return module.exports
}
