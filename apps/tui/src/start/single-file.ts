import { createIo } from '../base/io.ts'
import { start } from './start.ts'

const io = createIo({
  yaml: () => import('../base/yaml.ts'),
  jq: async () => (await import('../base/jq.ts')).jq,
})

void start(io, {
  commands: () => import('./program.ts'),
  ui: () => import('./ui-program.ts'),
  tools: () => import('./mcp-program.ts'),
})
