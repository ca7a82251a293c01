import type { Difference } from './difference.ts'
import { asUnknown } from './reasons.ts'

/** How ours differs in shells and files. */
export const streams: readonly Difference[] = [
  {
    file: 'terminal-file',
    step: 'terminal: foreign online server',
    error: 'server not found or not connected',
    why: asUnknown,
  },
  {
    file: 'terminal-file',
    step: 'file: foreign',
    error: 'server not found or not connected',
    why: asUnknown,
  },
  {
    file: 'terminal-file',
    step: 'terminal: no content type',
    success: true,
    why: 'a body without a type is read as JSON everywhere; what protects is the CSRF pair',
  },
  {
    file: 'terminal-file',
    step: 'terminal: form field ServerID',
    error: /JSON body required/,
    why: 'forms are refused everywhere (S-18)',
  },
]
