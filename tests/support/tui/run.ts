import { runProgram } from '../../../apps/tui/src/start/program.ts'
import { createTestIo, type TestIoOptions } from './io.ts'

/** Runs `qd` in this process: its exit code and what it wrote. */
export async function runQd(options: TestIoOptions): Promise<{ code: number; stdout: string; stderr: string }> {
  const io = createTestIo(options)
  return { code: await runProgram(io), ...io.written() }
}
