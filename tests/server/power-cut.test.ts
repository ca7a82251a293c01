import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Driver from 'better-sqlite3'
import { expect } from 'vitest'
import { createBrowser } from '../support/browser.ts'
import { onlySqlite as test } from '../support/only-sqlite.ts'
import { startProgram } from '../support/program.ts'

const shim = fileURLToPath(new URL('../support/power-cut.c', import.meta.url))

test('R-16 a power cut, after which only what was synced is left, costs nothing that was acknowledged', {
  timeout: 60_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'qd-power-'))
  const [data, kept, library] = [join(folder, 'data'), join(folder, 'kept'), join(folder, 'cut.so')]
  for (const made of [data, kept]) mkdirSync(made)
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, shim, '-ldl'])
  const environment = {
    LD_PRELOAD: library,
    QD_CUT_FOLDER: data,
    QD_CUT_KEPT: kept,
    QD_ADMIN_PASSWORD: 'correct horse battery',
  }
  const program = startProgram(['--no-agent', '--port', '0', '--data', data], environment)
  const root = createBrowser(await program.ready())
  await root.login('admin', 'correct horse battery')
  const acknowledged: string[] = []
  const write = async (writer: number) => {
    for (let n = 0; n < 25; n += 1) {
      const name = `group ${writer}-${n}`
      await root.api('POST', 'server-group', { name, servers: [] })
      acknowledged.push(name)
    }
  }
  await Promise.all(Array.from({ length: 4 }, (_, writer) => write(writer)))
  program.child.kill('SIGKILL')
  await program.ended

  const after = startProgram(['--no-agent', '--port', '0', '--data', kept])
  const again = createBrowser(await after.ready())
  await again.login('admin', 'correct horse battery')
  const groups = (await again.api('GET', 'server-group')) as { group: { name: string } }[]
  expect(groups.map(({ group }) => group.name).sort()).toEqual(acknowledged.sort())
  after.child.kill('SIGTERM')
  expect(await after.ended).toBe(0)
  const database = new Driver(join(kept, 'quarterdeck.db'), { readonly: true })
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  database.close()
  rmSync(folder, { recursive: true, force: true })
})
