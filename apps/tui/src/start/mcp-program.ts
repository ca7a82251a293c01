import type { Io } from '../base/io.ts'
import { serveMcp } from '../cli/mcp/serve.ts'
import { runProgram } from './program.ts'

/** The program with the tools of `qd mcp`. The build keeps it apart: its schemas would slow down every start. */
export const runWithTools = (io: Io): Promise<number> => runProgram(io, null, null, serveMcp)
