import type { Difference } from './difference.ts'
import { asUnknown } from './reasons.ts'

const tcp = { target: '127.0.0.1:18199', type: 3, duration: 2, display_index: 3 }
const finer = 'ours keeps steps of 30 s of every probe, not a row of every second ping'
const existing = 'no reference to what does not exist (S-28)'

/** How ours differs in monitored services. */
export const services: readonly Difference[] = [
  {
    file: 'services',
    step: 'create: only unknown server passes',
    error: 'permission denied',
    why: existing,
    instead: { ...tcp, name: 'only99', cover: 1, skip_servers: { '1': true } },
  },
  {
    file: 'services',
    step: 'create: unknown trigger task passes',
    error: 'permission denied',
    why: existing,
    instead: { ...tcp, name: 'trig', cover: 0 },
  },
  {
    file: 'services',
    step: 'list as admin',
    at: [/^body\.data\[\d\]\.(skip_servers|fail_trigger_tasks|recover_trigger_tasks)/],
    why: 'only marked servers are stored, tasks that exist, and a missing list as an empty one',
  },
  { file: 'services', step: 'delete: foreign', success: true, why: asUnknown },
  { file: 'services', step: 'edit: foreign', error: 'service id 1 does not exist', why: asUnknown },
  ...[
    'history, no store',
    'history, 7d',
    'history, guest',
    'history of a failing ICMP probe, no store (status stays 1, counters 0)',
  ].map((step) => ({ file: 'services', step, at: [/\.data_points$/], why: finer })),
  {
    file: 'services',
    step: 'history of an HTTP probe, no store (no rows)',
    at: [/^body\.data\.servers$/],
    why: finer,
  },
  { file: 'services', step: 'per server', at: [/^body\.data$/], why: finer },
  { file: 'services', step: 'per server, guest', at: [/\.(created_at|avg_delay)$/], why: finer },
]
