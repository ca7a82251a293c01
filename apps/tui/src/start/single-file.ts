import { createIo } from '../base/io.ts'
import { start } from './start.ts'

/** qd as a single file (scripts/single.mjs): every part is inside it. */
void start(createIo(), {
  commands: () => import('./program.ts'),
  ui: () => import('./ui-program.ts'),
  tools: () => import('./mcp-program.ts'),
  yaml: () => import('../cli/documents/read-yaml.ts'),
})
