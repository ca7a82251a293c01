import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Before a run of tests: one folder for the homes that they make (`createTestIo`). Answers how it is removed when the run has ended. */
export default function makeTestHomes(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'qd-homes-'))
  process.env.QD_TEST_HOMES = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
