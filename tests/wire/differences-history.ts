import type { Difference } from './difference.ts'

const steps = [
  'no store: cpu',
  'no store: cpu, period 7d',
  'empty period',
  'guest, visible server',
  'member, foreign visible server',
]

/** How ours differs in what is kept of samples. */
export const history: readonly Difference[] = steps.map((step) => ({
  file: 'metrics',
  step,
  at: [/^body\.data\.data_points$/],
  why: 'ours always keeps history: null where there are no samples, as existing servers answer with their store on',
}))
