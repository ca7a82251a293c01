import type { Difference } from './difference.ts'
import { asUnknown, ledger } from './reasons.ts'

/** How ours differs in tasks. */
export const tasks: readonly Difference[] = [
  {
    file: 'crons',
    step: 'create: task_type 2',
    error: /task_type is not one of/,
    why: 'unknown task types are refused (decisions.md, "Stricter checks")',
    instead: { task_type: 1, name: 'type2', command: 'echo ok', servers: [1] },
  },
  {
    file: 'crons',
    step: 'create: cover 0, unknown server passes',
    error: 'permission denied',
    why: 'no reference to what does not exist (S-28)',
    instead: { name: 'unk', scheduler: '0 0 * * * *', command: 'echo ok', servers: [1] },
  },
  { file: 'crons', step: 'edit: foreign', error: 'task id 1 does not exist', why: asUnknown },
  { file: 'crons', step: 'run: foreign', error: 'task id 1 does not exist', why: asUnknown },
  {
    file: 'crons',
    step: 'list as admin',
    at: [/^body\.data\[8\]\.servers$/],
    why: 'a missing list is stored as an empty one',
  },
  {
    file: 'delete-server',
    step: 'task keeps the id',
    at: [/^body\.data\[0\]\.servers$/],
    why: 'a deleted server leaves the lists that name it, so that saving what is left is not refused (S-28)',
  },
  { file: 'crons', step: 'run: ok', at: [/^body\.data$/], why: ledger },
  { file: 'crons', step: 'run: failing command', at: [/^body\.data$/], why: ledger },
  { file: 'crons', step: 'run: task that only fails', at: [/^body\.data$/], why: ledger },
  {
    file: 'crons',
    step: 'after the failing run',
    at: [/\.last_result$/],
    why: 'a failure is stored as one (engines Q16)',
  },
  {
    file: 'crons',
    step: 'run: cover 2 (nothing is sent)',
    error: /cannot be run manually/,
    why: 'nothing is reported as done that was not',
  },
  { file: 'crons', step: 'delete: foreign', success: true, why: asUnknown },
]
