import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestIo } from '../../../../../../tests/support/tui/io.ts'
import { monitoringWorld } from '../../../../../../tests/support/tui/monitoring.ts'
import { type RecordingServer, startRecordingServer } from '../../../../../../tests/support/tui/server.ts'
import { runProgram } from '../../../start/program.ts'

let server: RecordingServer
beforeAll(async () => {
  server = await startRecordingServer(monitoringWorld)
})
afterAll(() => server.close())

test.each<[words: readonly string[], code: number, message: string, attempt: string]>([
  [['nosuch', 'x'], 3, 'nothing matches “nosuch”', 'qd exec nosuch -- x'],
  [['web-1', 'uptime'], 3, 'nothing matches “uptime”', 'qd exec web-1 -- uptime'],
  [['web-1', 'db-1', 'echo', 'a b'], 3, 'nothing matches “echo”', "qd exec web-1 db-1 -- echo 'a b'"],
  [['web-', 'uptime'], 3, 'nothing matches “web-”', 'qd exec web-1 -- uptime'],
  [['web-1', 'ls', '-la', '/var'], 2, 'unknown flag -la', 'qd exec web-1 -- ls -la /var'],
  [['web-1'], 2, 'missing required flag: --command', 'qd exec web-1 -- COMMAND'],
  [['--select', 'name:web-1'], 2, 'missing required flag: --command', 'qd exec --select name:web-1 -- COMMAND'],
  [['nosuch'], 3, 'nothing matches “nosuch”', 'qd server ls'],
  [['nosuch', '--', 'x'], 3, 'nothing matches “nosuch”', 'qd server ls'],
  [['web-1', '--tiemout', '5s', '--', 'uptime'], 2, 'unknown flag --tiemout', 'qd exec --help'],
  [['web-1', '--nosuch'], 2, 'unknown flag --nosuch', 'qd exec --help'],
  [['--select', 'name:nosuch', '--', 'x'], 3, 'nothing matches “name:nosuch”', 'qd server ls'],
])('issue 18: qd exec %j says where the command goes', async (words, code, message, attempt) => {
  const io = createTestIo({ args: ['exec', ...words], env: { QD_URL: server.url, QD_TOKEN: 'nzp_x' } })
  expect(await runProgram(io), io.written().stderr).toBe(code)
  expect(io.written().stderr).toContain(message)
  expect(io.written().stderr).toContain(`  try: ${attempt}\n`)
  expect(server.changes).toEqual([])
})
