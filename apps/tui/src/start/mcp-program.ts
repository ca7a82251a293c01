import type { Io } from '../base/io.ts'
import { serveMcp } from '../cli/mcp/serve.ts'
import { runProgram } from './program.ts'

/** Separate, because its schemas would slow down every start. */
export const runWithTools = (io: Io): Promise<number> => runProgram(io, null, null, serveMcp)
